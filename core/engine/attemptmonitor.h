#pragma once

#include "base/workspacelayout.h"
#include "engine/agenthost.h"
#include "engine/agentwatch.h"
#include "engine/attemptobserver.h"
#include "engine/objectivetracker.h"
#include "feed/feedreader.h"
#include "launch/agentprocess.h"
#include "launch/attemptevents.h"

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// Follows one attempt by its files, so that any engine can do so at any time: events.jsonl says what happened, rank
/// 0's feed gives the progress, and the process table of its machine shows whether the agent is alive. Cleans up after an
/// agent that was killed.
///
/// Ranks can write to these files as well. So an end in events.jsonl counts only if the process table confirms that the
/// agent's ranks have ended (launch::AgentLife). If the file or the agent is no longer reliable, the monitor ends the
/// attempt.
class AttemptMonitor : public AttemptObserver {
public:
    struct Attempt {
        AttemptLayout files;
        std::string id;
        int ranks = 1;
        std::string objective;
        sweep::Goal goal = sweep::Goal::Minimize;
        std::optional<sweep::PruneSection> prune;
        /// Unknown if the engine was killed before it noted it, and of an attempt that another machine is starting.
        std::optional<launch::ProcessIdentity> agent;
        WallNs began = 0;
        /// Of the attempt; 0: none. Enforced by its agent, and much later by the monitor if the agent is silent.
        std::chrono::milliseconds timeout{0};
        WallNs paused = 0;  ///< until now
        ReportedPast past{};
    };
    AttemptMonitor(Attempt attempt, std::unique_ptr<AgentHost> host);

    void poll(WallNs now) override;
    /// Asks the attempt to end: SIGTERM to its agent, and SIGKILL if it does not end in time.
    void stop(WallNs now) override;
    /// Kills all of its processes: SIGQUIT makes the agent do it; if it does not, SIGKILL ends the agent as well.
    void kill(WallNs now) override;
    /// Asks it to save a checkpoint and end (SIGUSR2). Ranks that do not check for the request continue.
    void saveAndEnd() override;
    /// Stop and continue its processes (SIGTSTP, SIGCONT). Repeating either is harmless.
    void freeze() override;
    void thaw() override;
    Expected<void> requestTrace(const sweep::TraceRequest &request) override;
    Expected<void> readOutput(const output::MetricsSection &metrics) override;

    /// Uses this objective, goal and rungs from now on: its feed is read again for them.
    void judgeBy(const sweep::SweepSpec &spec, ReportedPast past) override;
    /// Call when the wall clock was set: waits keep their length.
    void moveWaits(WallNs change) override;
    /// The agent could not be started, for this reason: Failed, or NeverStarted if the attempt did not cause it.
    void failToStart(AttemptEnd end, facts::Fact reason, WallNs now) override;

    /// The machine cannot be reached, and what runs there does not matter any more: Lost. Its agent is killed later.
    void giveUp(facts::Fact reason, WallNs now);

    bool ranksStarted() const override { return m_ranksStarted; }
    /// MASTER_PORT, once rank 0 has started.
    std::optional<int> masterPort() const { return m_masterPort; }
    bool stopRequested() const override { return m_stopRequested.has_value(); }
    std::optional<WallNs> agentStarted() const override
    {
        return m_agentReported ? std::optional(m_agentStarted) : std::nullopt;
    }
    const std::optional<launch::ProcessIdentity> &agent() const override { return m_attempt.agent; }
    const ObjectiveTracker &objective() const override { return m_reading.objective; }
    std::vector<pruning::RungValue> takeReachedRungs() override;
    /// Once set, everything that the attempt reported has been read, and the verdict does not change.
    const std::optional<AttemptVerdict> &verdict() const override { return m_verdict; }
    std::optional<AgentSilence> silence() const override { return m_silence; }
    std::optional<facts::Fact> waits() const override;
    /// Returns a reading error once; empty otherwise.
    std::string takeWarning() override;

private:
    struct Reading {
        feed::FeedReader feed;
        ObjectiveTracker objective;
    };
    /// Why and how the monitor ends the attempt.
    struct Intervention {
        AttemptVerdict verdict;
        WallNs since = 0;
        bool believesFiles = false;  ///< an end that the agent still writes counts
    };
    Reading readFromTheStart() const;
    void signalAgent(int signal);
    void requestAgentEnd(int signal);
    /// Signals only an agent that reports that it runs: earlier these signals would end it or be lost.
    void signalReadyAgent(int signal);
    void readEvents(WallNs now);
    void applyEvent(const launch::AttemptEvent &event, WallNs now);
    WallNs endOfRanks(const launch::AttemptEvent &ended) const;
    bool readFeed();
    bool readsDamagedFeedOnceMore();
    void confirmEnd(bool isAgentGone, WallNs now);
    void watchAgent(const launch::AgentLife &life, WallNs now);
    void intervene(AttemptEnd end, facts::Fact reason, bool believesFiles, WallNs now);
    void noteUnreachable(WallNs now);
    void agentDied(WallNs now);
    bool recover(WallNs now);
    AttemptVerdict verdictWithoutAgent(WallNs now) const;
    void waitForAgent(WallNs now);
    void escalateStop(WallNs now);
    void killAgent();

    Attempt m_attempt;
    std::unique_ptr<AgentHost> m_host;
    launch::AttemptEventReader m_events;
    Reading m_reading;
    std::optional<Reading> m_readingAnew;  ///< replaces m_reading once it has caught up
    std::optional<WallNs> m_polled;
    WallNs m_recoverAgainAt = 0;
    std::string m_unrecovered;     ///< the last error of a recovery
    bool m_agentReported = false;  ///< AgentStarted was read
    WallNs m_agentStarted = 0;     ///< by the wall clock at that time
    bool m_ranksStarted = false;
    std::optional<int> m_masterPort;
    bool m_feedFailed = false;
    bool m_readOnceMore = false;  ///< at the end
    std::string m_feedDamage;     ///< the last damage that was reported
    std::optional<WallNs> m_stopRequested;
    std::optional<WallNs> m_killRequested;
    bool m_killed = false;  ///< the agent
    bool m_frozen = false;
    std::optional<AgentWatch> m_watch;
    std::optional<AgentSilence> m_silence;
    std::optional<Intervention> m_intervention;
    std::vector<int> m_signalsForLater;
    facts::Fact m_firstError;
    std::optional<launch::FailureKind> m_failure;
    std::string m_warning;
    std::optional<AttemptVerdict> m_reportedEnd;  ///< the end according to events.jsonl
    bool m_reportedByAnother = false;             ///< that end was not written by its agent
    std::uint64_t m_looksAtEnd = 0;               ///< AgentHost::looks() when that was read
    std::optional<WallNs> m_reportedAt;           ///< when that was first read
    std::optional<AttemptVerdict> m_pending;      ///< the end, while the feed is still being read
    std::optional<AttemptVerdict> m_verdict;
};

}  // namespace sweepscope::engine
