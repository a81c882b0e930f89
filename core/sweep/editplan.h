#pragma once

#include "base/error.h"
#include "facts/fact.h"
#include "sweep/problem.h"
#include "sweep/records.h"
#include "sweep/trialplan.h"

#include <optional>
#include <span>
#include <vector>

namespace sweepscope::sweep {

enum class EditKind { Edit, Undo };

/// What a new definition means for the trials of a sweep. Trials that have started and trials that a person enqueued stay
/// as they are.
struct EditPlan {
    std::vector<TrialPlan> added;  ///< numbered from `kept` + 1
    std::vector<int> removed;      ///< queued, and no longer in the space; includes `discarded`
    std::vector<int> restored;   ///< removed by an earlier edit and in the space again, or stopped by a smaller budget
    std::vector<int> unchanged;  ///< all others, except those that an earlier edit removed
    std::vector<int> discarded;  ///< of an undo: removed without a trace, because they never started
    int kept = 0;                ///< the highest number that is not discarded
    std::optional<int> toCome = 0;  ///< SweepRecord::trialsToCome, if the search continues
    int waiting = 0;                ///< trials that are queued and stay, with those added or restored
    bool changesSearch = false;     ///< what a search tries, or when it ends; one that had ended continues
    int repeats = 1;                ///< of each point, in the new definition
    bool isSearch = false;          ///< whether the new definition chooses its trials as it runs
    facts::Facts changes;           ///< KeyChanged, each
    /// Whether a sweep that had ended has trials to run again.
    bool runsAgain() const { return !added.empty() || !restored.empty() || (changesSearch && toCome != 0); }

    std::optional<facts::Fact> spent;  ///< the budget of the new definition: queued trials are stopped
};

/// The one plan of an edit: the engine applies it, and previews show it. Trials are compared by their parameters. The
/// problems name what cannot change in a sweep that was launched.
/// `spent`: the budget of the new definition (spentBudget). `trials`: all of the sweep, in order of their numbers. An undo discards queued trials at the end of the list that
/// carry no mark; a removed one between others keeps its row, so that no number changes its meaning.
/// `plans`: planTrials(after); without it, they are planned here.
tl::expected<EditPlan, std::vector<Problem>> planEdit(const SweepSpec &before, const SweepSpec &after,
                                                      std::vector<TrialPlan> plans,
                                                      std::span<const TrialRecord *const> trials,
                                                      const std::optional<facts::Fact> &spent, EditKind kind);
tl::expected<EditPlan, std::vector<Problem>> planEdit(const SweepSpec &before, const SweepSpec &after,
                                                      std::span<const TrialRecord *const> trials,
                                                      const std::optional<facts::Fact> &spent = {},
                                                      EditKind kind = EditKind::Edit);

/// TrialsAdded, TrialsRemoved, TrialsRestored and, if a search changes, TrialsToChoose; TrialsUnchanged if none of these;
/// QueuedStopped where the budget is spent.
facts::Facts trialFacts(const EditPlan &plan);

/// What happened, for the history: trialFacts() and each KeyChanged.
facts::Facts changeFacts(const EditPlan &plan);

/// The answer to the person: changeFacts(), and what becomes of the sweep, which may have ended.
facts::Facts answerFacts(const EditPlan &plan, bool sweepHasEnded);

}  // namespace sweepscope::sweep
