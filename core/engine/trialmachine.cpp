#include "engine/trialmachine.h"

namespace sweepscope::engine {

using sweep::TrialState;

std::optional<TrialState> after(TrialState state, TrialEvent event)
{
    const bool waiting = state == TrialState::Waiting;
    const bool underWay = state == TrialState::Starting || state == TrialState::Running;
    const bool retriable = state == TrialState::Failed || state == TrialState::Lost;
    switch (event) {
    case TrialEvent::AttemptBegun:
        return waiting ? std::optional(TrialState::Starting) : std::nullopt;
    case TrialEvent::RanksStarted:
        return state == TrialState::Starting ? std::optional(TrialState::Running) : std::nullopt;
    case TrialEvent::NeverStarted:
        return state == TrialState::Starting ? std::optional(TrialState::Waiting) : std::nullopt;
    case TrialEvent::Completed:
        return underWay ? std::optional(TrialState::Completed) : std::nullopt;
    case TrialEvent::Failed:
        return underWay || waiting ? std::optional(TrialState::Failed) : std::nullopt;
    case TrialEvent::Stopped:
        return underWay || waiting ? std::optional(TrialState::Stopped) : std::nullopt;
    case TrialEvent::Lost:
        return underWay ? std::optional(TrialState::Lost) : std::nullopt;
    case TrialEvent::Retried:
        return retriable ? std::optional(TrialState::Waiting) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace sweepscope::engine
