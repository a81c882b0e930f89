#pragma once

#include "engine/changelistener.h"
#include "engine/decisions/decision.h"
#include "engine/objectivetracker.h"
#include "engine/sweepstore.h"
#include "engine/trialmachine.h"
#include "sweep/outcome.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::engine {

/// The state of one sweep and its trials, in memory and in the database. A change takes effect when it is in the
/// database. A function that returns false could not write it: then nothing has changed, no trial starts for a while,
/// and the warnings give the reason.
class SweepLedger {
public:
    SweepLedger(SweepStore &store, ChangeListener &listener, sweep::SweepRecord record, std::vector<TrialRow> trials);

    /// Call at first and after each edit: what trials report is judged by the outcome constraints of this definition.
    void judgeBy(const sweep::SweepSpec &spec);
    /// Trials that were judged by another one; to be written again.
    std::vector<int> misjudgedTrials() const;

    const sweep::SweepRecord &sweep() const { return m_sweep; }
    const std::vector<TrialRow> &trials() const { return m_trials; }
    /// Returns a row without a number if there is no such trial; changes of it cannot be written.
    const TrialRow &trial(int number) const;
    bool knows(int number) const { return number >= 1 && number <= static_cast<int>(m_trials.size()); }
    bool hasEnded() const { return m_sweep.ended.has_value(); }
    /// Returns the number of trials that are not final.
    int openTrials() const { return m_open; }
    int waitingTrials() const { return static_cast<int>(m_waiting.size()); }
    /// Returns the waiting trial that starts next: highest priority, then lowest number. 0: none can start now.
    int nextTrial(WallNs now) const;
    /// Whether trials may start at all, as far as disk, database and workspace are concerned.
    bool mayStart(WallNs now) const;

    /// From now on changes of trials are counted and kept for takeChanges(); `revision` happened before.
    void followChanges(std::int64_t revision);
    /// Changes of the state of a trial that were written.
    std::int64_t revision() const { return m_revision; }
    /// Trials that were added, or whose result a search sees differently now, as of that change.
    std::vector<sweep::TrialRecord> takeChanges() { return std::exchange(m_changed, {}); }

    /// Writes all rows of the decision or none.
    bool commit(Decision &decision, WallNs now);
    bool begin(TrialChange change, const AttemptRow &attempt);
    bool noteAgent(const AttemptRow &attempt, WallNs now);
    bool end(TrialChange change, const AttemptRow &attempt, const AttemptEnding &ending, WallNs now);
    bool appendToPruneLog(const std::vector<pruning::LogEntry> &entries);

    /// Not written to the database: valid as long as this engine runs.
    void setReason(int number, const facts::Fact &reason);
    /// Sets the next trial's reason, unless it gets another one.
    void updatePauseReason();
    /// A waiting trial must not start before this time.
    void holdBack(int number, WallNs until) { m_notBefore[number] = until; }
    /// No trial may start before this time.
    void holdBack(WallNs until) { m_holdUntil = std::max(m_holdUntil, until); }

    /// Call when the wall clock was set: waits keep their length.
    void moveWaits(WallNs change);

    /// `endsAtItsSteps`: if false, as in a probe, the share of its steps says nothing about how long the trial takes.
    void updateProgress(int number, const ObjectiveTracker &objective, bool endsAtItsSteps);
    void saveProgress();

    /// Sets the disk warning for the user (None: no warning), and whether attempts can begin on it.
    void noteDisk(const facts::Fact &warning, bool isFull);
    /// Sets the warning about a trial's agent (None: no warning).
    void warnOfAgent(int trial, const facts::Fact &warning);
    /// Sets the problem of the workspace (None: no problem); nothing starts while there is one.
    void noteWorkspace(const facts::Fact &warning) { note(m_workspaceWarning, warning); }
    /// Sets the warning about the workspace's file system (None: no warning).
    void noteFileSystem(const facts::Fact &warning) { note(m_fileSystemWarning, warning); }
    /// Sets the warning about attempts that an energy budget does not count (None: no warning).
    void noteEnergy(const facts::Fact &warning) { note(m_energyWarning, warning); }
    /// Stores why the search ended early; None if it did not, or continues.
    void noteSearch(const facts::Fact &failure) { note(m_searchFailure, failure); }
    /// What the next trial waits for: another's checkpoint, or the program that chooses points; None: nothing.
    void noteWait(const facts::Fact &reason) { note(m_wait, reason); }
    /// Why no further trial is pruned; None if the pruning program answers.
    void notePruning(const facts::Fact &failure) { note(m_pruningFailure, failure); }
    /// Why trials no longer share GPUs; None if they may.
    void noteSharing(const facts::Fact &verdict) { note(m_sharingVerdict, verdict); }
    const facts::Fact &pruningFailure() const { return m_pruningFailure; }
    const facts::Fact &searchFailure() const { return m_searchFailure; }

private:
    using Place = std::pair<int, int>;  ///< negated priority, number
    static Place placeOf(const TrialRow &row) { return {-row.record.priority, row.record.number}; }

    double violationOf(const sweep::TrialRecord &trial) const;
    void judge(TrialRow &row) const;
    void keep(TrialRow row);
    void follow(const TrialChange &change);
    void discardFrom(int number);
    bool written(const Expected<void> &result, WallNs now);
    void noteStore(const Expected<void> &result);
    void setHeld(std::optional<sweep::HeldTrial> held);
    bool isAllowed(const TrialChange &change);
    void keepStopped(const facts::Fact &reason, WallNs now);
    void note(facts::Fact &warning, const facts::Fact &now);
    void updateWarnings();

    SweepStore &m_store;
    ChangeListener &m_listener;
    sweep::SweepRecord m_sweep;
    std::vector<TrialRow> m_trials;  ///< the index is number - 1
    std::set<Place> m_waiting;
    std::map<int, WallNs> m_notBefore;  ///< of waiting trials that are to be retried
    std::set<int> m_unsaved;            ///< trials whose progress is newer than on disk
    int m_open = 0;
    bool m_followsChanges = false;
    std::int64_t m_revision = 0;
    std::vector<sweep::TrialRecord> m_changed;
    WallNs m_holdUntil = 0;
    bool m_diskIsFull = false;
    facts::Fact m_diskWarning;
    facts::Fact m_storeWarning;
    std::map<int, facts::Fact> m_agentWarnings;  ///< by trial
    facts::Fact m_workspaceWarning;
    facts::Fact m_wait;
    facts::Fact m_pruningFailure;
    facts::Fact m_sharingVerdict;
    facts::Fact m_fileSystemWarning;
    facts::Fact m_energyWarning;
    facts::Fact m_searchFailure;
    std::string m_objective;
    std::vector<std::string> m_outcomeMetrics;
    std::optional<sweep::OutcomeConstraints> m_outcomeConstraints;
};

}  // namespace sweepscope::engine
