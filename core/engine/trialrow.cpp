#include "engine/trialrow.h"

#include "base/enumnames.h"

#include <algorithm>

namespace sweepscope::engine {

namespace {

constexpr EnumNames<Asked, 6> askedNames{{
    {Asked::Nothing, ""},
    {Asked::Pause, "pause"},
    {Asked::Resume, "resume"},
    {Asked::StopAtCheckpoint, "stop at checkpoint"},
    {Asked::Stop, "stop"},
    {Asked::Kill, "kill"},
}};

}  // namespace

std::string toString(Asked asked)
{
    return nameOf(askedNames, asked);
}

std::optional<Asked> askedFromString(const std::string &text)
{
    return valueOf(askedNames, text);
}

Asked askedOf(sweep::StopMode mode)
{
    switch (mode) {
    case sweep::StopMode::Finish:
        break;
    case sweep::StopMode::Checkpoint:
        return Asked::StopAtCheckpoint;
    case sweep::StopMode::Now:
        return Asked::Stop;
    case sweep::StopMode::Kill:
        return Asked::Kill;
    }
    return Asked::Nothing;
}

std::optional<sweep::StopMode> stopModeOf(Asked asked)
{
    switch (asked) {
    case Asked::StopAtCheckpoint:
        return sweep::StopMode::Checkpoint;
    case Asked::Stop:
        return sweep::StopMode::Now;
    case Asked::Kill:
        return sweep::StopMode::Kill;
    case Asked::Nothing:
    case Asked::Pause:
    case Asked::Resume:
        break;
    }
    return std::nullopt;
}

WallNs deviceTime(const AttemptRow &attempt, WallNs until)
{
    return std::max<WallNs>(until - attempt.created, 0) * attempt.devices;
}

}  // namespace sweepscope::engine
