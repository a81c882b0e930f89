#include "engine/trialrow.h"

#include "base/enumnames.h"

#include <algorithm>

namespace sweepscope::engine {

namespace {

constexpr EnumNames<PendingRequest, 6> pendingRequestNames{{
    {PendingRequest::Nothing, ""},
    {PendingRequest::Pause, "pause"},
    {PendingRequest::Resume, "resume"},
    {PendingRequest::StopAtCheckpoint, "stop at checkpoint"},
    {PendingRequest::Stop, "stop"},
    {PendingRequest::Kill, "kill"},
}};

}  // namespace

std::string toString(PendingRequest pending)
{
    return nameOf(pendingRequestNames, pending);
}

std::optional<PendingRequest> pendingRequestFromString(const std::string &text)
{
    return valueOf(pendingRequestNames, text);
}

PendingRequest pendingRequestOf(sweep::StopMode mode)
{
    switch (mode) {
    case sweep::StopMode::Finish:
        break;
    case sweep::StopMode::Checkpoint:
        return PendingRequest::StopAtCheckpoint;
    case sweep::StopMode::Now:
        return PendingRequest::Stop;
    case sweep::StopMode::Kill:
        return PendingRequest::Kill;
    }
    return PendingRequest::Nothing;
}

std::optional<sweep::StopMode> stopModeOf(PendingRequest pending)
{
    switch (pending) {
    case PendingRequest::StopAtCheckpoint:
        return sweep::StopMode::Checkpoint;
    case PendingRequest::Stop:
        return sweep::StopMode::Now;
    case PendingRequest::Kill:
        return sweep::StopMode::Kill;
    case PendingRequest::Nothing:
    case PendingRequest::Pause:
    case PendingRequest::Resume:
        break;
    }
    return std::nullopt;
}

WallNs deviceTime(const AttemptRow &attempt, WallNs until)
{
    return std::max<WallNs>(until - attempt.created, 0) * attempt.devices;
}

}  // namespace sweepscope::engine
