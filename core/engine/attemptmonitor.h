#pragma once

#include "base/workspacelayout.h"
#include "engine/agentwatch.h"
#include "engine/attemptobserver.h"
#include "engine/objectivetracker.h"
#include "feed/feedreader.h"
#include "launch/agentlife.h"
#include "launch/agentprocess.h"
#include "launch/attemptevents.h"

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// Follows one attempt by its files, as any engine can at any time: events.jsonl says what happened, rank 0's feed how
/// far it is, and the process table whether the agent lives. Clears up after an agent that was killed.
///
/// Ranks can write to these files as well. So an end that events.jsonl tells counts only when the process table confirms
/// that the agent is past its ranks (launch::AgentLife), and where the file or the agent cannot be relied on any more,
/// the attempt is ended from here.
class AttemptMonitor : public AttemptObserver {
public:
    struct Attempt {
        AttemptLayout files;
        std::string id;
        int ranks = 1;
        std::string objective;
        sweep::Goal goal = sweep::Goal::Minimize;
        std::optional<sweep::PruneSection> prune;
        /// Unknown when the engine was killed before it could note it: then launch.json is withdrawn, and the attempt
        /// counts as never started unless its agent shows up within a few seconds.
        std::optional<launch::ProcessIdentity> agent;
        WallNs began = 0;
        /// Of the attempt; 0: none. Enforced by its agent, and much later from here when the agent is silent.
        std::chrono::milliseconds timeout{0};
        WallNs paused = 0;  ///< until now
        ReportedPast past{};
    };
    explicit AttemptMonitor(Attempt attempt);

    void poll(WallNs now) override;
    /// Ask the attempt to end: SIGTERM to its agent, and SIGKILL when that is not followed for long.
    void stop(WallNs now) override;
    /// All of its processes are killed, by its agent (SIGQUIT), and when that is not followed with it (SIGKILL).
    void kill(WallNs now) override;
    /// Ask it to save a checkpoint and end. Ranks that do not look for it go on. (SIGUSR2)
    void saveAndEnd() override { signalReadyAgent(SIGUSR2); }
    /// Its processes stop where they are, and go on. (SIGTSTP, SIGCONT; once more does no harm.)
    void freeze() override;
    void thaw() override;

    /// Compare it at other rungs from now on, those that it has passed included: its feed is read once more for them.
    void compareAt(const std::optional<sweep::PruneSection> &prune) override;
    /// The wall clock was set: waits stay as long as they were.
    void moveWaits(WallNs change) override;
    /// The agent could not be started, for this reason: Failed, or NeverStarted when that was not the attempt's fault.
    void failToStart(AttemptEnd end, facts::Fact reason, WallNs now) override;

    bool ranksStarted() const override { return m_ranksStarted; }
    bool stopRequested() const override { return m_stopRequested.has_value(); }
    const std::optional<launch::ProcessIdentity> &agent() const override { return m_attempt.agent; }
    const ObjectiveTracker &objective() const override { return m_reading.objective; }
    std::vector<RungValue> takeReachedRungs() override;
    /// Once it is there, all that the attempt said has been read. Stays.
    const std::optional<AttemptVerdict> &verdict() const override { return m_verdict; }
    std::optional<AgentSilence> silence() const override { return m_silence; }
    /// What went wrong in reading, once; empty otherwise.
    std::string takeWarning() override;

private:
    struct Reading {
        feed::FeedReader feed;
        ObjectiveTracker objective;
    };
    /// The attempt is ended from here.
    struct Intervention {
        AttemptVerdict verdict;
        WallNs since = 0;
        bool believesFiles = false;  ///< an end that the agent still writes counts
    };
    Reading readFromTheStart() const;
    void signalAgent(int signal) const;
    void askAgentToEnd(int signal) const;
    /// When it has said that it runs: before that these signals would end it or be lost.
    void signalReadyAgent(int signal);
    void readEvents(WallNs now);
    void take(const launch::AttemptEvent &event, WallNs now);
    WallNs endOfRanks(const launch::AttemptEvent &ended) const;
    bool readFeed();
    bool readsDamagedFeedOnceMore();
    void confirmEnd(bool isAgentGone, WallNs now);
    void watchAgent(const launch::AgentLife &life, WallNs now);
    void intervene(AttemptEnd end, facts::Fact reason, bool believesFiles, WallNs now);
    void agentDied(WallNs now);
    bool recover(WallNs now);
    AttemptVerdict verdictWithoutAgent(WallNs now) const;
    void waitForAgent(WallNs now);
    void escalateStop(WallNs now);
    void killAgent();

    Attempt m_attempt;
    launch::AttemptEventReader m_events;
    Reading m_reading;
    std::optional<Reading> m_readingAnew;  ///< takes the other's place when it has come as far
    WallNs m_recoverAgainAt = 0;
    std::string m_unrecovered;     ///< what was said of it
    bool m_agentReported = false;  ///< AgentStarted was read
    WallNs m_agentStarted = 0;     ///< by the wall clock of then
    bool m_ranksStarted = false;
    bool m_feedFailed = false;
    bool m_readOnceMore = false;  ///< at the end
    std::string m_feedDamage;     ///< what was said of parts that are damaged
    bool m_withdrawn = false;
    std::optional<WallNs> m_withdrawnUntil;
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
    std::optional<AttemptVerdict> m_told;     ///< the end, as events.jsonl says
    bool m_toldByAnother = false;             ///< that is not its agent's
    std::optional<WallNs> m_toldAt;           ///< when that was read first
    std::optional<AttemptVerdict> m_pending;  ///< the end, while the feed is still being read
    std::optional<AttemptVerdict> m_verdict;
};

}  // namespace sweepscope::engine
