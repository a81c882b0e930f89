#pragma once

#include "engine/attemptmonitor.h"
#include "engine/attemptstarter.h"
#include "engine/attemptwatch.h"
#include "engine/budget.h"
#include "engine/pruner.h"
#include "engine/retrypolicy.h"
#include "engine/sweepledger.h"
#include "schedule/scheduler.h"
#include "sweep/control.h"
#include "sweep/problem.h"

#include <map>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace sweepscope::engine {

/// What the attempt has used until then: nanoseconds times devices.
WallNs deviceTime(const AttemptRow &attempt, WallNs until);

/// One sweep that has not ended, or that a person asks for more: its attempts under way, what becomes of them, and what
/// a person does with it and its trials.
class SweepRun {
public:
    struct Context {
        Store &store;
        schedule::Scheduler &scheduler;
        AttemptStarter &starter;
        ChangeListener &listener;
        AttemptWatch &watch;
    };

    SweepRun(const Context &context, sweep::SweepRecord record, sweep::SweepSpec spec, std::vector<TrialRow> trials);

    /// After a start of the engine: take over what runs, and clear up what the last engine began and did not finish.
    void adopt(const std::vector<AttemptRow> &openAttempts, WallNs now);

    schedule::SweepDemand demand(WallNs now) const;
    void start(const schedule::TrialStart &start, WallNs now);
    /// The trial fails without an attempt.
    void refuse(int trial, const std::string &cause, WallNs now);
    void setReason(int trial, const std::string &reason) { m_ledger.setReason(trial, reason); }
    void noteDisk(const std::string &warning, bool isFull) { m_ledger.noteDisk(warning, isFull); }

    /// What was done, and what becomes of what runs, in sentences for the person who asked. BadInput: that cannot be
    /// done with this sweep or these trials now; Io: it could not be written, and nothing has changed.
    Expected<std::string> control(const sweep::Control &asked, WallNs now);

    /// The definition is `toml` (`spec`) from now on. Answers as control() does; with `dryRun` only what it would do.
    struct Redefinition {
        std::string toml;
        sweep::SweepSpec spec;
        bool isUndo = false;
        bool dryRun = false;
    };
    tl::expected<std::string, std::vector<sweep::Problem>> redefine(Redefinition redefinition, WallNs now);
    /// One more trial, of this point; it starts before those that wait.
    Expected<std::string> enqueue(const std::map<std::string, std::string> &point, WallNs now);
    const sweep::SweepSpec &spec() const { return m_spec; }

    /// Looks after the attempts, and ends the sweep when its last trial has ended.
    void poll(WallNs now);
    /// The same for one trial whose attempt has said something. True when the attempt is over.
    bool look(int trial, WallNs now);
    /// The wall clock was set: waits stay as long as they were.
    void moveWaits(WallNs change);
    /// Writes how far running trials are.
    void saveProgress() { m_ledger.saveProgress(); }

    /// Of the attempts that run.
    void addAgents(std::set<pid_t> &agents) const;

    bool hasEnded() const { return m_ledger.hasEnded(); }
    const sweep::SweepRecord &record() const { return m_ledger.sweep(); }
    const std::vector<TrialRow> &trials() const { return m_ledger.trials(); }

private:
    struct RunningAttempt {
        AttemptRow row;
        AttemptMonitor monitor;
    };

    // sweeprun.cpp: attempts
    AttemptMonitor::Attempt attemptOf(const AttemptRow &row) const;
    void follow(RunningAttempt &attempt, WallNs now);
    bool end(const RunningAttempt &attempt, WallNs now);
    void takeEnd(TrialChange &change, const RunningAttempt &attempt, const AttemptVerdict &verdict, WallNs now);
    std::optional<WallNs> planRetry(TrialChange &change, const RunningAttempt &attempt, WallNs now) const;
    int failuresLike(const TrialRow &row, const std::string &kind) const;
    void holdBackRetries(WallNs now);
    void startOver(TrialRow row, WallNs now);
    void stopIdle(WallNs now);
    void endSweepWhenDone(WallNs now);
    sweep::SweepState stateAtEnd() const;

    // sweeppruning.cpp
    void loadRungs();
    /// Ends the attempt when its trial is behind others.
    void prune(RunningAttempt &attempt, WallNs now);

    // sweepprobe.cpp: a sweep that measures (sweep::ProbeSection)
    bool wasMeasured(const RunningAttempt &attempt, WallNs until) const;
    /// Ends the attempt when it was measured for long enough.
    void endWhenMeasured(RunningAttempt &attempt, WallNs now);
    /// What the end of a probe's attempt means, where that is another thing than usual.
    std::optional<std::pair<TrialEvent, std::string>> probeEnd(const RunningAttempt &attempt,
                                                               const AttemptVerdict &verdict) const;
    /// Waiting trials with values above one that ran out of memory.
    void stopBeyondMemory(WallNs now);

    // sweepbudget.cpp
    std::optional<Budget> budgetOf(const sweep::SweepSpec &spec) const;
    std::optional<std::string> usedUp(const std::optional<Budget> &budget, WallNs now) const;
    void keepToBudget(WallNs now);

    // sweepcontrol.cpp, sweeppause.cpp: what a person asks
    Expected<std::string> stopSweep(sweep::StopMode mode, WallNs now);
    Expected<std::string> stopTrials(const std::vector<int> &numbers, sweep::StopMode mode, WallNs now);
    Expected<std::string> pauseSweep(WallNs now);
    Expected<std::string> pauseTrials(const std::vector<int> &numbers, WallNs now);
    Expected<std::string> resumeSweep(WallNs now);
    Expected<std::string> resumeTrials(const std::vector<int> &numbers, WallNs now);
    Expected<std::string> retryTrials(std::vector<int> numbers, WallNs now);
    Expected<std::string> setPriority(const sweep::Control &control, WallNs now);
    Expected<std::string> markTrials(const std::vector<int> &numbers, const sweep::MarkChange &change, WallNs now);
    /// The attempt ends in this way, or goes on to its end.
    void applyStop(RunningAttempt &attempt, sweep::StopMode mode, WallNs now);
    /// It, or the whole sweep, is to stop: its end is no failure to be tried again.
    bool isToStop(int trial) const;
    bool pauseAttempt(RunningAttempt &attempt, WallNs now);
    /// What is needed of an adopted attempt so that it is as its trial's state says.
    void enforceState(RunningAttempt &attempt, WallNs now);
    RunningAttempt *attemptOfTrial(int number);
    /// Trials that are paused, or will be as soon as their ranks run.
    std::vector<int> pausedOrToBe() const;
    bool savesCheckpoints() const;
    std::string pausedInWords(std::size_t running) const;

    Context m_context;
    SweepLedger m_ledger;
    sweep::SweepSpec m_spec;
    RetryPolicy m_retryPolicy;
    std::optional<Pruner> m_pruner;
    std::optional<Budget> m_budget;
    std::map<int, RunningAttempt> m_attempts;  ///< by trial
};

}  // namespace sweepscope::engine
