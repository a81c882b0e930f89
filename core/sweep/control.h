#pragma once

#include "sweep/mark.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// How a sweep or a trial that is to stop treats what runs. The later ones overrule the earlier ones.
enum class StopMode {
    Finish,      ///< what runs may run to its end, nothing more is started
    Checkpoint,  ///< ranks that ask (should_stop) save a checkpoint and end, others run to their end
    Now,         ///< SIGTERM, and SIGKILL to what is still there after the grace
    Kill,        ///< SIGKILL
};
/// "finish", "checkpoint", "now", "kill": for the database and the protocol.
std::string toString(StopMode mode);
std::optional<StopMode> stopModeFromString(const std::string &text);

/// What a person asks of a sweep that was launched. docs/control.md says what each does to trials in each state.
struct Control {
    enum class Action {
        Stop,         ///< by `stopMode`
        Pause,        ///< what runs saves a checkpoint and gives its devices back, or is frozen where it is
        Resume,       ///< paused trials continue
        Retry,        ///< trials that failed, were lost, pruned or stopped get a further attempt
        SetPriority,  ///< `priority`: higher ones get devices first, between sweeps or between trials of one sweep
        Mark,         ///< sets `mark` on trials or on the sweep, in any state
        Trace,        ///< running trials record their next `steps` with a profiler
        Archive,      ///< the sweep, which has ended, is put out of the way
        Unarchive,    ///< and brought back
        Delete,       ///< the sweep, which has ended, with all that it measured and all its files
    };

    Action action = Action::Stop;
    std::vector<int> trials;  ///< their numbers; empty: the whole sweep (Retry: all that failed or were lost)
    StopMode stopMode = StopMode::Now;
    int priority = 0;
    MarkChange mark;
    int steps = 10;
};
std::string toString(Control::Action action);
std::optional<Control::Action> actionFromString(const std::string &text);

inline constexpr int highestPriority = 1000;
/// Of one trace. A step of a large model is megabytes of trace.
inline constexpr int mostTraceSteps = 1000;

}  // namespace sweepscope::sweep
