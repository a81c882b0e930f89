#pragma once

#include "base/boottime.h"
#include "base/filedescriptor.h"
#include "base/workspacelayout.h"
#include "launch/attemptevents.h"
#include "launch/attemptprogress.h"
#include "launch/attemptrecorder.h"
#include "launch/descendants.h"
#include "launch/eventjournal.h"
#include "launch/launchspec.h"
#include "launch/masterport.h"
#include "launch/rankprocess.h"
#include "launch/secrets.h"
#include "launch/signalfile.h"
#include "launch/signalqueue.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// Runs one attempt from its first rank to its last event. One thread, one loop:
///
///     Running --- a rank failed, timeout, SIGTERM, or all ranks are done ---> Ending --- grace is over ---> Killing
///                                                                                \------ none left --------> over
///
/// SIGQUIT leads to Killing at once.
/// Running   ranks run and are recorded
/// Ending    SIGTERM was sent to the ranks, and is sent to the processes that they leave behind
/// Killing   SIGKILL to every descendant, repeatedly
/// In every phase the loop ends when this process has no child left. As a subreaper it then has no descendant.
class AttemptSupervisor {
public:
    AttemptSupervisor(LaunchSpec spec, AttemptLayout layout, EventJournal journal, SignalQueue signals,
                      std::vector<FileDescriptor> leases, const RankLauncher &launcher);
    void run();

private:
    using Clock = std::chrono::steady_clock;
    enum class Phase { Running, Ending, Killing };

    // The loop.
    void superviseUntilNobodyIsLeft();
    Clock::time_point nextWakeUp() const;
    void drainAndSample(Clock::time_point now);
    void watchSteps(bool reported, Clock::time_point now);
    void watchRest(Clock::time_point now);
    void finish();

    // How it begins.
    bool addEnvironmentFile();
    bool startRanks();
    bool findMasterPort();
    bool waitForMasterPort();
    bool startOneRank(int rank);
    void failToStart(int rank, const Error &error);

    // What the signals and exits mean.
    void handleSignals(std::chrono::milliseconds timeout);
    void handle(int signal, Clock::time_point now);
    void stop(bool checkpointOnly, Clock::time_point now);
    void kill(Clock::time_point now);
    void setFrozen(bool frozen, Clock::time_point now);
    void reap();
    void noteExit(pid_t pid, int status);
    void judge(Clock::time_point now);
    bool judgeFailures(Clock::time_point now);
    void failAllRanks(const Standstill &standstill, Clock::time_point now);
    void conclude(AttemptOutcome outcome, facts::Fact reason);
    void beginEnding(std::chrono::milliseconds grace, Clock::time_point now);
    void goOnEnding(Clock::time_point now);

    LaunchSpec m_spec;
    SecretValues m_secrets;  ///< of the ranks
    std::int64_t m_began = sinceBoot();
    AttemptLayout m_layout;
    EventJournal m_journal;
    SignalQueue m_signals;
    std::optional<SignalFile> m_jobSignals;
    std::vector<FileDescriptor> m_leases;  ///< of the GPUs, while ranks may use them
    const RankLauncher &m_launcher;
    Descendants m_descendants;
    std::optional<AttemptRecorder> m_recorder;  ///< set once there are feeds
    AttemptProgress m_progress;
    std::optional<MasterPort> m_port;  ///< if this agent has chosen it
    int m_masterPort = 0;
    std::vector<RankProcess> m_ranks;

    Phase m_phase = Phase::Running;
    bool m_childrenLeft = true;
    std::uint64_t m_memoryKillsBefore = 0;  ///< outOfMemoryKills() at the start
    bool m_checkpointRequested = false;
    std::optional<AttemptOutcome> m_outcome;
    facts::Fact m_reason;

    std::optional<Clock::time_point> m_timeoutAt;
    std::optional<Clock::time_point> m_frozenSince;
    std::optional<Clock::time_point> m_settledAt;  ///< until then a better first cause may still appear
    Clock::time_point m_killAt;
    Clock::time_point m_searchAt;  ///< next search for descendants to signal
    Clock::time_point m_drainAt;
    Clock::time_point m_sampleAt;
    std::chrono::milliseconds m_drainPause;
};

}  // namespace sweepscope::launch
