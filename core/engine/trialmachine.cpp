#include "engine/trialmachine.h"

namespace sweepscope::engine {

using sweep::TrialState;

std::optional<TrialState> after(TrialState state, TrialEvent event)
{
    const bool waiting = state == TrialState::Queued;
    const bool paused = state == TrialState::Paused;
    const bool underWay = sweep::isUnderWay(state) || paused;  // a paused trial may have an attempt, which may end
    const bool retriable = state == TrialState::Failed || state == TrialState::Lost || state == TrialState::Stopped
                           || state == TrialState::Pruned;
    switch (event) {
    case TrialEvent::AttemptBegun:
        return waiting ? std::optional(TrialState::Starting) : std::nullopt;
    case TrialEvent::RanksStarted:
        return state == TrialState::Starting ? std::optional(TrialState::Running) : std::nullopt;
    case TrialEvent::NeverStarted:
        return state == TrialState::Starting ? std::optional(TrialState::Queued) : std::nullopt;
    case TrialEvent::Completed:
        return underWay ? std::optional(TrialState::Completed) : std::nullopt;
    case TrialEvent::Failed:
        return underWay || waiting ? std::optional(TrialState::Failed) : std::nullopt;
    case TrialEvent::Stopped:
        return underWay || waiting ? std::optional(TrialState::Stopped) : std::nullopt;
    case TrialEvent::Pruned:
        return state == TrialState::Running ? std::optional(TrialState::Pruned) : std::nullopt;
    case TrialEvent::Lost:
        return underWay ? std::optional(TrialState::Lost) : std::nullopt;
    case TrialEvent::Paused:
        return waiting || state == TrialState::Running ? std::optional(TrialState::Paused) : std::nullopt;
    case TrialEvent::Resumed:
        return paused ? std::optional(TrialState::Running) : std::nullopt;
    case TrialEvent::Requeued:
        return paused || state == TrialState::Running ? std::optional(TrialState::Queued) : std::nullopt;
    case TrialEvent::Retried:
        return retriable ? std::optional(TrialState::Queued) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace sweepscope::engine
