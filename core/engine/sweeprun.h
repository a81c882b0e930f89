#pragma once

#include "engine/attemptmonitor.h"
#include "engine/attemptstarter.h"
#include "engine/changelistener.h"
#include "engine/retrypolicy.h"
#include "engine/scheduler.h"
#include "engine/store.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What a new trial's cause says until there is a better reason.
inline constexpr const char *waitsForItsTurn = "waits for its turn";

/// One sweep that has not ended: its trials, its attempts under way, and every transition of theirs. A transition
/// counts when it is in the database; one that could not be written is tried again at the next poll.
class SweepRun {
public:
    struct Context {
        Store &store;
        Scheduler &scheduler;
        const AttemptStarter &starter;
        ChangeListener &listener;
    };

    SweepRun(const Context &context, sweep::SweepRecord record, sweep::SweepSpec spec, std::vector<TrialRow> trials);

    /// After a start of the engine: take over what runs, and clear up what the last engine began and did not finish.
    void adopt(const std::vector<AttemptRow> &openAttempts, WallNs now);

    SweepDemand demand(WallNs now) const;
    void start(const TrialStart &start, WallNs now);
    /// The trial fails without an attempt.
    void refuse(int trial, const std::string &cause, WallNs now);
    void setReason(int trial, const std::string &reason);
    /// What a person should know of the disk (empty: nothing), and whether attempts can begin on it.
    void noteDisk(const std::string &warning, bool isFull);
    void stop(WallNs now);

    /// Looks after the attempts, and ends the sweep when its last trial has ended.
    void poll(WallNs now);
    /// Writes how far running trials are.
    void saveProgress();

    bool hasEnded() const { return m_record.ended.has_value(); }
    const sweep::SweepRecord &record() const { return m_record; }
    const std::vector<TrialRow> &trials() const { return m_trials; }

private:
    struct RunningAttempt {
        AttemptRow row;
        AttemptMonitor monitor;
    };

    TrialRow &trial(int number) { return m_trials[static_cast<std::size_t>(number - 1)]; }
    AttemptMonitor::Attempt attemptOf(const AttemptRow &row) const;
    void follow(RunningAttempt &attempt, WallNs now);
    void takeProgress(TrialRow &row, const AttemptMonitor &monitor);
    bool end(const AttemptRow &attempt, const AttemptVerdict &verdict, WallNs now);
    void startOver(TrialRow &known, WallNs now);
    void keep(TrialRow row);
    void stopWaiting(WallNs now);
    void endSweep(WallNs now);
    bool written(const Expected<void> &result, WallNs now);
    void noteStore(const Expected<void> &result);
    void tellWarnings();

    Context m_context;
    sweep::SweepRecord m_record;
    sweep::SweepSpec m_spec;
    RetryPolicy m_retryPolicy;
    std::vector<TrialRow> m_trials;            ///< number - 1 is the place
    std::set<int> m_waiting;                   ///< numbers of waiting trials
    std::map<int, WallNs> m_notBefore;         ///< of waiting trials that are to be retried
    std::map<int, RunningAttempt> m_attempts;  ///< by trial
    std::set<int> m_unsaved;                   ///< trials whose progress is newer than on disk
    int m_open = 0;                            ///< trials that are not final
    WallNs m_pausedUntil = 0;                  ///< something could not be written: do not start more just now
    bool m_diskIsFull = false;
    std::string m_diskWarning;
    std::string m_storeWarning;
};

}  // namespace sweepscope::engine
