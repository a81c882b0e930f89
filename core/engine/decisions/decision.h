#pragma once

#include "engine/trialmachine.h"
#include "engine/trialrow.h"
#include "facts/fact.h"
#include "sweep/control.h"
#include "sweep/sweepspec.h"
#include "sweep/trialplan.h"

#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <vector>

/// Decisions about a sweep are pure functions of what is known of it, the request and the time. They return the rows to
/// write, what to do to attempts, and the reply. SweepRun commits the rows first and only then acts, so a decision that
/// cannot be written is not carried out at all.
namespace sweepscope::engine {

/// One entry of the history: a change of a trial's state, or a new reason for the same state.
struct Transition {
    sweep::TrialState before;
    sweep::TrialState after;
    facts::Fact reason;
};

/// A trial's row from now on, and how it got there.
struct TrialChange {
    TrialRow row;
    std::vector<Transition> transitions;
    std::optional<TrialEvent> forbidden;  ///< cannot happen in this state: a bug of ours, never written

    /// The state after `event`, for this reason.
    void apply(TrialEvent event, facts::Fact reason);
    /// The state stays; the history gets an entry.
    void note(facts::Fact reason);
};

/// A sweep's record from now on.
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
    SaveAndEnd,  ///< asks for a checkpoint; ranks that do not check for the request run on
    Freeze,
    Thaw,
};

/// What to do to a trial's attempt once the rows are written. Repeating it does no harm.
struct AttemptEffect {
    int trial = 0;
    AttemptAction action = AttemptAction::Stop;

    bool operator==(const AttemptEffect &) const = default;
};

struct Decision {
    std::optional<SweepChange> sweep;
    std::optional<DefinitionChange> definition;
    std::optional<facts::Fact> queuedStop;  ///< every queued trial is stopped for this reason
    std::vector<TrialChange> trials;
    int discardFrom = 0;          ///< queued trials from this number on vanish with their history; 0: none do
    std::vector<TrialRow> added;  ///< queued, with the numbers after the last one
    std::vector<AttemptEffect> effects;
    facts::Facts reply;

    bool changesRows() const { return sweep || definition || queuedStop || !trials.empty() || !added.empty(); }
};

/// A decision, or why the request is refused.
using Decided = tl::expected<Decision, facts::Fact>;

/// What a request led to, for the client: what was done, or why nothing was.
using Reply = tl::expected<facts::Facts, facts::Fact>;

/// All that a decision may depend on. Borrowed from SweepRun for the length of one call.
struct SweepView {
    const sweep::SweepRecord &sweep;
    const sweep::SweepSpec &spec;
    const std::vector<TrialRow> &trials;  ///< number - 1 is the place
    const std::set<int> &attempts;        ///< trials that have one
    std::optional<facts::Fact> budgetSpent{};

    const TrialRow &trial(int number) const { return trials.at(static_cast<std::size_t>(number - 1)); }
    bool hasTrial(int number) const { return number >= 1 && number <= static_cast<int>(trials.size()); }
    bool hasAttempt(int number) const { return attempts.contains(number); }
    bool hasEnded() const { return sweep.ended.has_value(); }
    /// The trial or the whole sweep is being stopped: an end of its attempt is no failure.
    bool isStopping(int number) const;
};

/// Trials of this sweep save a checkpoint when asked and resume from it: the built-in worker, unless it is told not to.
bool savesCheckpoints(const sweep::SweepSpec &spec);

/// A trial that waits for its first attempt.
TrialRow queuedTrial(sweep::TrialPlan plan);

/// `code` with its Count.
facts::Fact counted(facts::Code code, std::size_t count);
/// "3,5,8", as Field::Trials has it.
std::string listOf(const std::vector<int> &numbers);

}  // namespace sweepscope::engine
