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
    Lost,          ///< the agent is gone without a word
    Retried,       ///< it will have a further attempt
};

/// The state after `event`; nothing when that cannot happen in `state`.
///
///     Waiting -> Starting -> Running -> Completed
///        ^          |           |-----> Stopped      (Waiting and Starting too)
///        |          v           v
///        '--- Failed, Lost  <---'
std::optional<sweep::TrialState> after(sweep::TrialState state, TrialEvent event);

}  // namespace sweepscope::engine
