#pragma once

#include "base/error.h"
#include "engine/trialmachine.h"
#include "engine/trialrow.h"
#include "facts/fact.h"
#include "sweep/control.h"
#include "sweep/sweepspec.h"
#include "sweep/trialplan.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

/// Decisions about a sweep are pure functions of its state, the request and the time. They return the rows to write,
/// the effects on attempts, and the reply. SweepRun commits the rows before it acts, so a decision that cannot be
/// written has no effect.
namespace sweepscope::engine {

/// One entry of the history: a change of a trial's state, or a new reason for the same state.
struct Transition {
    sweep::TrialState before;
    sweep::TrialState after;
    facts::Fact reason;
};

/// A trial's new row, and how it got there.
struct TrialChange {
    TrialRow row;
    std::vector<Transition> transitions;
    std::optional<TrialEvent> forbidden;  ///< impossible in this state: a bug of ours, never written

    /// Applies `event` to the state, for this reason.
    void apply(TrialEvent event, facts::Fact reason);
    /// Adds a history entry; the state stays.
    void note(facts::Fact reason);
};

/// A sweep's new record.
struct SweepChange {
    sweep::SweepRecord record;
    facts::Fact reason;
};

/// The definition that an undo returns to: kept by an edit, dropped by an undo.
struct DefinitionChange {
    std::string before;
    bool isUndo = false;
};

enum class AttemptAction {
    Stop,        ///< SIGTERM, then SIGKILL after the grace
    Kill,        ///< SIGKILL
    SaveAndEnd,  ///< asks for a checkpoint; ranks that do not check for the request continue
    Freeze,
    Thaw,
    Trace,  ///< asks its ranks to record their next steps
};

/// What to do to a trial's attempt once the rows are written. Repeating it is harmless.
struct AttemptEffect {
    int trial = 0;
    AttemptAction action = AttemptAction::Stop;
    int steps = 0;  ///< of Trace

    bool operator==(const AttemptEffect &) const = default;
};

struct Decision {
    std::optional<SweepChange> sweep;
    std::optional<DefinitionChange> definition;
    std::optional<facts::Fact> queuedStop;  ///< stops every queued trial for this reason
    std::vector<TrialChange> trials;
    int discardFrom = 0;          ///< queued trials from this number on are deleted with their history; 0: none
    std::vector<TrialRow> added;  ///< queued, numbered after the last trial
    std::vector<AttemptEffect> effects;
    facts::Facts reply;

    bool changesRows() const { return sweep || definition || queuedStop || !trials.empty() || !added.empty(); }
};

/// A decision, or why the request is refused.
using Decided = tl::expected<Decision, facts::Fact>;

/// The result of a request, for the client: what was done, or why nothing was.
using Reply = tl::expected<facts::Facts, facts::Fact>;

/// Everything that a decision may depend on. Borrowed from SweepRun for one call.
struct SweepView {
    const sweep::SweepRecord &sweep;
    const sweep::SweepSpec &spec;
    const std::vector<TrialRow> &trials;  ///< the index is number - 1
    const std::set<int> &attempts;        ///< trials that have one
    std::optional<facts::Fact> budgetSpent{};
    std::set<int> unreachable{};  ///< trials on machines to which there is no connection

    const TrialRow &trial(int number) const { return trials.at(static_cast<std::size_t>(number - 1)); }
    bool hasTrial(int number) const { return number >= 1 && number <= static_cast<int>(trials.size()); }
    bool hasAttempt(int number) const { return attempts.contains(number); }
    bool hasEnded() const { return sweep.ended.has_value(); }
    /// Returns whether the trial or its sweep is being stopped: then the end of its attempt is no failure.
    bool isStopping(int number) const;
};

/// Returns whether trials of this sweep save a checkpoint when asked and resume from it: true for the built-in worker
/// unless checkpoints are switched off.
bool savesCheckpoints(const sweep::SweepSpec &spec);

/// Returns a trial that waits for its first attempt.
TrialRow queuedTrial(sweep::TrialPlan plan);

/// Returns `code` with its Count.
facts::Fact counted(facts::Code code, std::size_t count);
/// Returns "3,5,8", the format of Field::Trials.
std::string listOf(const std::vector<int> &numbers);

}  // namespace sweepscope::engine
