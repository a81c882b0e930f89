#pragma once

#include "sweep/records.h"

#include <optional>

namespace sweepscope::engine {

/// The events in the life of a trial.
enum class TrialEvent {
    AttemptBegun,  ///< the intent to start an attempt is on disk
    RanksStarted,  ///< the agent has started a rank
    NeverStarted,  ///< there was an intent, but no agent ever ran for it
    Completed,     ///< every rank ended with 0
    Failed,        ///< a rank did not, or the attempt could not be started
    Stopped,       ///< the user requested it
    Pruned,        ///< behind other trials; its attempt may still exist, and is ended
    Lost,          ///< the agent disappeared without reporting an end
    Paused,        ///< the user requested it; an attempt may still exist, frozen or saving a checkpoint
    Resumed,       ///< the frozen attempt continues
    Requeued,      ///< paused without an attempt, or its attempt saved a checkpoint that the next one resumes from
    Retried,       ///< it will have another attempt
};

/// Returns the state after `event`; nullopt if that cannot happen in `state`.
///
///     Queued --> Starting -> Running -> Completed
///      ^   ^        |         ^   |
///      |   |        v         |   |---> Stopped   (from Queued, Starting and Paused too; Retried leads back)
///      |   '--- Failed, Lost <+---'
///      |                      v
///      '------------------> Paused                (from Queued too)
///
/// and Running -> Pruned, which Retried leads back from.
std::optional<sweep::TrialState> after(sweep::TrialState state, TrialEvent event);

}  // namespace sweepscope::engine
