#pragma once

#include "sweep/records.h"

#include <optional>

namespace sweepscope::engine {

/// What can happen to a trial.
enum class TrialEvent {
    AttemptBegun,  ///< the intent to start an attempt is on disk
    RanksStarted,  ///< the agent has started a rank
    NeverStarted,  ///< there was an intent, and no agent ever ran for it
    Completed,     ///< every rank ended with 0
    Failed,        ///< a rank did not, or the attempt could not be started
    Stopped,       ///< a person asked for it
    Pruned,        ///< it is behind others; its attempt may still be there, and is ended
    Lost,          ///< the agent is gone without a word
    Paused,        ///< a person asked for it; an attempt may still be there, frozen or saving a checkpoint
    Resumed,       ///< the frozen attempt goes on
    Requeued,      ///< paused without an attempt, or its attempt saved a checkpoint: a further one goes on from there
    Retried,       ///< it will have a further attempt
};

/// The state after `event`; nothing when that cannot happen in `state`.
///
///     Waiting -> Starting -> Running -> Completed
///      ^   ^        |         ^   |
///      |   |        v         |   |---> Stopped   (from Waiting, Starting and Paused too; Retried leads back)
///      |   '--- Failed, Lost <+---'
///      |                      v
///      '------------------> Paused                (from Waiting too)
///
/// and Running -> Pruned, which Retried leads back from.
std::optional<sweep::TrialState> after(sweep::TrialState state, TrialEvent event);

}  // namespace sweepscope::engine
