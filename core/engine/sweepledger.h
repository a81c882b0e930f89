#pragma once

#include "engine/changelistener.h"
#include "engine/decisions/decision.h"
#include "engine/objectivetracker.h"
#include "engine/sweepstore.h"
#include "engine/trialmachine.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::engine {

/// What is known of one sweep and its trials, in memory and in the database. A change counts when it is in the
/// database: the functions that return false could not write it, and then nothing has changed, nothing more is started
/// for a moment, and the warnings say why.
class SweepLedger {
public:
    SweepLedger(SweepStore &store, ChangeListener &listener, sweep::SweepRecord record, std::vector<TrialRow> trials);

    const sweep::SweepRecord &sweep() const { return m_sweep; }
    const std::vector<TrialRow> &trials() const { return m_trials; }
    /// A row without a number where there is no such trial; no change of it can be written.
    const TrialRow &trial(int number) const;
    bool knows(int number) const { return number >= 1 && number <= static_cast<int>(m_trials.size()); }
    bool hasEnded() const { return m_sweep.ended.has_value(); }
    /// Trials that are not final.
    int openTrials() const { return m_open; }
    int waitingTrials() const { return static_cast<int>(m_waiting.size()); }
    const std::set<int> &pausedTrials() const { return m_paused; }
    /// The waiting trial that starts next: highest priority, then lowest number. 0: none can now.
    int nextTrial(WallNs now) const;

    /// All rows of the decision or none.
    bool commit(Decision &decision, WallNs now);
    bool begin(TrialChange change, const AttemptRow &attempt);
    bool noteAgent(const AttemptRow &attempt, WallNs now);
    bool end(TrialChange change, const AttemptRow &attempt, const AttemptEnding &ending, WallNs now);
    bool noteRungs(int trial, const std::vector<RungValue> &reached);
    bool forgetRungs(int trial);

    /// Not written: true only as long as this engine runs.
    void setReason(int number, const facts::Fact &reason);
    /// The reason of the next trial, while nobody else gives it one.
    void sayWhetherPaused();
    /// A waiting trial is not to start before this time.
    void holdBack(int number, WallNs until) { m_notBefore[number] = until; }
    /// No trial is to start before this time.
    void holdBack(WallNs until) { m_holdUntil = std::max(m_holdUntil, until); }

    /// The wall clock was set: waits stay as long as they were.
    void moveWaits(WallNs change);

    /// `endsAtItsSteps`: if not, as in a probe, the share of its steps says nothing of how long the trial takes.
    void takeProgress(int number, const ObjectiveTracker &objective, bool endsAtItsSteps);
    void saveProgress();

    /// What a person should know of the disk (empty: nothing), and whether attempts can begin on it.
    void noteDisk(const facts::Fact &warning, bool isFull);
    /// What a person should know of a trial's agent; None: nothing.
    void warnOfAgent(int trial, const facts::Fact &warning);
    /// What has become of the workspace (None: nothing); until then nothing starts.
    void noteWorkspace(const facts::Fact &warning);

private:
    using Place = std::pair<int, int>;  ///< minus its priority, number
    static Place placeOf(const TrialRow &row) { return {-row.record.priority, row.record.number}; }

    void keep(TrialRow row);
    void discardFrom(int number);
    bool written(const Expected<void> &result, WallNs now);
    void noteStore(const Expected<void> &result);
    void tellHeld(std::optional<sweep::HeldTrial> held);
    bool isAllowed(const TrialChange &change);
    void keepStopped(const facts::Fact &reason, WallNs now);
    void tellWarnings();

    SweepStore &m_store;
    ChangeListener &m_listener;
    sweep::SweepRecord m_sweep;
    std::vector<TrialRow> m_trials;  ///< number - 1 is the place
    std::set<Place> m_waiting;
    std::set<int> m_paused;
    std::map<int, WallNs> m_notBefore;  ///< of waiting trials that are to be retried
    std::set<int> m_unsaved;            ///< trials whose progress is newer than on disk
    int m_open = 0;
    WallNs m_holdUntil = 0;
    bool m_diskIsFull = false;
    facts::Fact m_diskWarning;
    facts::Fact m_storeWarning;
    std::map<int, facts::Fact> m_agentWarnings;  ///< by trial
    facts::Fact m_workspaceWarning;
};

}  // namespace sweepscope::engine
