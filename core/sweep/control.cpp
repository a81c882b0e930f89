#include "sweep/control.h"

#include "base/enumnames.h"

namespace sweepscope::sweep {

namespace {

using Action = Control::Action;

constexpr EnumNames<StopMode, 4> stopModes{{
    {StopMode::Finish, "finish"},
    {StopMode::Checkpoint, "checkpoint"},
    {StopMode::Now, "now"},
    {StopMode::Kill, "kill"},
}};

constexpr EnumNames<Action, 10> actions{{
    {Action::Stop, "stop"},
    {Action::Pause, "pause"},
    {Action::Resume, "resume"},
    {Action::Retry, "retry"},
    {Action::SetPriority, "priority"},
    {Action::Mark, "mark"},
    {Action::Trace, "trace"},
    {Action::Archive, "archive"},
    {Action::Unarchive, "unarchive"},
    {Action::Delete, "delete"},
}};

}  // namespace

std::string toString(StopMode mode)
{
    return nameOf(stopModes, mode);
}
std::optional<StopMode> stopModeFromString(const std::string &text)
{
    return valueOf(stopModes, text);
}

std::string toString(Control::Action action)
{
    return nameOf(actions, action);
}
std::optional<Control::Action> actionFromString(const std::string &text)
{
    return valueOf(actions, text);
}

}  // namespace sweepscope::sweep
