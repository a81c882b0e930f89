#pragma once

#include "base/error.h"
#include "engine/attemptlauncher.h"
#include "engine/decisions/decision.h"
#include "engine/pruner.h"
#include "engine/retrypolicy.h"
#include "engine/sweepledger.h"
#include "schedule/scheduler.h"
#include "sweep/budgetuse.h"
#include "sweep/control.h"
#include "sweep/editplan.h"
#include "sweep/problem.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// One sweep that has not ended, or that a person asks for more. Decisions about it are pure functions (decisions/); this
/// class shows them what is known, writes their rows, and acts on attempts once these are written.
class SweepRun {
public:
    struct Context {
        SweepStore &store;
        schedule::Scheduler &scheduler;
        AttemptLauncher &launcher;
        ChangeListener &listener;
    };

    SweepRun(const Context &context, sweep::SweepRecord record, sweep::SweepSpec spec, std::vector<TrialRow> trials);

    /// After a start of the engine: take over what runs, and clear up what the last engine began and did not finish.
    void adopt(const std::vector<AttemptRow> &openAttempts, WallNs now);

    schedule::SweepDemand demand(WallNs now) const;
    void start(const schedule::TrialStart &start, WallNs now);
    /// The trial fails without an attempt.
    void refuse(int trial, facts::Fact reason, WallNs now);
    void setReason(int trial, const facts::Fact &reason) { m_ledger.setReason(trial, reason); }
    void noteDisk(const facts::Fact &warning, bool isFull) { m_ledger.noteDisk(warning, isFull); }
    void noteWorkspace(const facts::Fact &warning) { m_ledger.noteWorkspace(warning); }

    /// What was done, and what happens to running trials; or why nothing was changed.
    Reply control(const sweep::Control &request, WallNs now);

    /// The definition is `toml` (`spec`) from now on. Replies as control() does; with `dryRun` only what it would do.
    struct Redefinition {
        std::string toml;
        sweep::SweepSpec spec;
        sweep::EditKind kind = sweep::EditKind::Edit;
        bool dryRun = false;
    };
    tl::expected<facts::Facts, std::vector<sweep::Problem>> redefine(Redefinition redefinition, WallNs now);
    /// One more trial, of this point; it starts before the queued ones.
    Reply enqueue(const std::map<std::string, std::string> &point, WallNs now);
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
        std::unique_ptr<AttemptObserver> observer;
    };

    // What the decisions see, and how they are carried out.
    SweepView view() const;
    Decided decide(const sweep::Control &request, WallNs now) const;
    Reply carryOut(Decided decided, WallNs now);
    bool carryOut(Decision decision, WallNs now);
    void perform(const AttemptEffect &effect, WallNs now);

    RunningAttempt running(const AttemptRow &row) const;
    void follow(RunningAttempt &attempt, WallNs now);
    /// False: it could not be written, nothing has changed, and the next poll tries again.
    bool end(const RunningAttempt &attempt, WallNs now);
    std::vector<sweep::AttemptRecord> earlierAttempts(const TrialRow &row) const;
    void holdBackRetries(WallNs now);
    void startOver(const TrialRow &row, WallNs now);
    void endSweepWhenDone(WallNs now);

    void loadRungs();
    /// Ends the attempt when its trial is behind others.
    void forgetRungs(int trial);
    void prune(RunningAttempt &attempt, WallNs now);
    bool wasMeasured(const RunningAttempt &attempt, WallNs until) const;
    /// Ends the attempt of a probe when it was measured for long enough.
    void endWhenMeasured(RunningAttempt &attempt, WallNs now);
    std::optional<facts::Fact> spent(const std::optional<sweep::BudgetSection> &budget, WallNs now) const;

    Context m_context;
    SweepLedger m_ledger;
    sweep::SweepSpec m_spec;
    RetryPolicy m_retryPolicy;
    std::optional<Pruner> m_pruner;
    std::map<int, RunningAttempt> m_attempts;  ///< by trial
    std::set<int> m_attemptTrials;             ///< their keys, for decisions
};

}  // namespace sweepscope::engine
