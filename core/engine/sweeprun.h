#pragma once

#include "base/error.h"
#include "engine/attemptlauncher.h"
#include "engine/decisions/edit.h"
#include "engine/gpupacking.h"
#include "engine/retrypolicy.h"
#include "engine/suggester.h"
#include "engine/sweepledger.h"
#include "engine/sweeppruning.h"
#include "schedule/scheduler.h"
#include "sweep/budgetuse.h"
#include "sweep/control.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// One sweep that has not ended, or that was reopened. Decisions about it are pure functions (decisions/); this class
/// passes them the state, writes their rows, and then acts on attempts.
class SweepRun {
public:
    struct Context {
        SweepStore &store;
        schedule::Scheduler &scheduler;
        AttemptLauncher &launcher;
        Suggester &suggester;
        ChangeListener &listener;
    };

    SweepRun(const Context &context, sweep::SweepRecord record, sweep::SweepSpec spec, std::vector<TrialRow> trials);
    SweepRun(const SweepRun &) = delete;  // its parts refer to each other
    SweepRun &operator=(const SweepRun &) = delete;

    /// Call after the engine starts: takes over running attempts, and cleans up what the last engine began and did not
    /// finish.
    void adopt(const std::vector<AttemptRow> &openAttempts, WallNs now);

    schedule::SweepDemand demand(WallNs now) const;
    void start(const schedule::TrialStart &start, WallNs now);
    /// Fails the trial without an attempt.
    void refuse(int trial, facts::Fact reason, WallNs now);
    void setReason(int trial, const facts::Fact &reason) { m_ledger.setReason(trial, reason); }
    void noteDisk(const facts::Fact &warning, bool isFull) { m_ledger.noteDisk(warning, isFull); }
    void noteWorkspace(const facts::Fact &warning) { m_ledger.noteWorkspace(warning); }
    void noteFileSystem(const facts::Fact &warning) { m_ledger.noteFileSystem(warning); }

    /// Returns what was done and what happens to running trials, or why nothing was changed.
    Reply control(const sweep::Control &request, WallNs now);

    /// Replaces the definition. Replies as control() does; with `dryRun` it only says what it would do.
    tl::expected<facts::Facts, std::vector<sweep::Problem>> redefine(Definition definition, bool dryRun, WallNs now);
    /// One more trial, of this point; it starts before the queued ones.
    Reply enqueue(const std::map<std::string, std::string> &point, WallNs now);
    /// Puts the checkpoint of a trial where a new trial starts from.
    using BringCheckpoint = std::function<tl::expected<void, facts::Fact>(int parent, int child)>;
    /// A trial for each of `parents`, which continues its checkpoint; all or none.
    Reply continueTrials(const std::vector<int> &parents, const std::map<std::string, std::string> &changes,
                         const BringCheckpoint &bring, WallNs now);
    const sweep::SweepSpec &spec() const { return m_spec; }

    /// A reading of this machine's GPUs.
    void noteGpus(const node::DeviceSnapshot &snapshot);
    /// Polls the attempts, and ends the sweep when its last trial has ended.
    void poll(WallNs now);
    /// The same for one trial whose attempt has written an event. Returns true if the attempt is over.
    bool pollTrial(int trial, WallNs now);
    /// Call when the wall clock was set: waits keep their length.
    void moveWaits(WallNs change);
    /// Writes the progress of running trials.
    void saveProgress() { m_ledger.saveProgress(); }

    /// The answer to a request for a point. One that is out of date is dropped, and another is requested.
    void applySuggestion(const SuggestionAnswer &answer, WallNs now);
    /// The answer of the pruning program. One that is out of date is dropped.
    void applyVerdict(const VerdictAnswer &answer, WallNs now);

    /// Of the attempts that run on this machine.
    void addAgents(std::set<pid_t> &agents) const;

    bool hasEnded() const { return m_ledger.hasEnded(); }
    const sweep::SweepRecord &record() const { return m_ledger.sweep(); }
    const std::vector<TrialRow> &trials() const { return m_ledger.trials(); }

private:
    struct RunningAttempt {
        AttemptRow row;
        std::unique_ptr<AttemptObserver> observer;
    };

    // What the decisions see, and how they are carried out.
    SweepView view() const;
    tl::expected<std::vector<int>, facts::Fact> knownTrials(std::vector<int> numbers) const;
    Decided decide(const sweep::Control &request, WallNs now) const;
    int unreachableAmong(const std::vector<int> &trials) const;
    Reply carryOut(Decided decided, WallNs now);
    bool carryOut(Decision decision, WallNs now);
    void perform(const AttemptEffect &effect, WallNs now);

    RunningAttempt running(const AttemptRow &row) const;
    facts::Fact fullDiskOf(int trial) const;
    facts::Fact silenceOf(const RunningAttempt &attempt) const;
    void noteReachable(int trial, const facts::Fact &unreachable);
    bool isEnding(int trial) const;
    void follow(RunningAttempt &attempt, WallNs now);
    /// Returns false if it could not be written: nothing has changed, and the next poll tries again.
    bool end(const RunningAttempt &attempt, WallNs now);
    std::vector<sweep::AttemptRecord> earlierAttempts(const TrialRow &row) const;
    void holdBackRetries(WallNs now);
    void startOver(const TrialRow &row, WallNs now);
    void updateConclusions(std::optional<int> trial, WallNs now);
    void endSweepWhenDone(WallNs now);

    /// Loads a search with the reports of its trials so far.
    void loadSearch();
    void requestPoint(WallNs now);
    void noteSearchFailure(const facts::Fact &failure);
    void noteUntraced(int trial, const Error &error, WallNs now);
    bool isPointWanted(WallNs now) const;

    /// For a sweep whose trials share GPUs by measured memory.
    void loadPacking();
    static bool hasGpusHere(const std::vector<std::string> &devices);
    /// Returns the number of trials on the busiest of these GPUs.
    int trialsOn(const std::vector<std::string> &gpus) const;
    void measureSharing(const RunningAttempt &attempt, WallNs now);
    void updateWishes();

    void loadPruning();
    /// Whether the search learns from values at rungs, too.
    bool learnsFromRungs() const;
    /// Ends the attempt when the sweep's rule says so.
    void prune(RunningAttempt &attempt, WallNs now);
    bool mayBePruned(const RunningAttempt &attempt) const;
    void endPruned(int trial, facts::Fact reason, WallNs now);
    void promote(WallNs now);
    bool isMeasuredWell(const RunningAttempt &attempt, WallNs now) const;
    bool wasMeasured(const RunningAttempt &attempt, WallNs until) const;
    /// Ends the attempt of a probe once it was measured for long enough.
    void endWhenMeasured(RunningAttempt &attempt, WallNs now);
    /// Why nothing further starts: the budget is spent, or the stop rule applies.
    std::optional<facts::Fact> spent(const sweep::SweepSpec &spec, WallNs now) const;
    void warnOfUnknownEnergy();

    Context m_context;
    SweepLedger m_ledger;
    sweep::SweepSpec m_spec;
    RetryPolicy m_retryPolicy;
    SweepPruning m_pruning;
    std::optional<GpuPacking> m_packing;                 ///< nullopt: devices.per_gpu is a number
    std::chrono::steady_clock::time_point m_gpusRead{};  ///< the last reading that was taken into account
    std::map<int, search::Observation> m_observed;       ///< what a search in brackets was last told, by trial
    std::map<int, RunningAttempt> m_attempts;            ///< by trial
    std::set<int> m_attemptTrials;                       ///< their keys, for decisions
    std::set<int> m_unreachable;                         ///< trials whose machine cannot be reached
    bool m_mayPromote = true;  ///< something has changed since trials were last asked whether they may continue
    bool m_conclusionsAreStale = false;
    std::optional<int> m_askedUnder;  ///< the definition under which a point was requested that has not come
    WallNs m_requested = 0;           ///< when it was
    WallNs m_asksAgain = 0;           ///< no point is requested before
    std::int64_t m_waitsSince = -1;   ///< revision at which no point was due before one that runs has ended
    std::optional<std::vector<search::Observation>> m_wholeHistory;  ///< for the next request: the definition is new
};

}  // namespace sweepscope::engine
