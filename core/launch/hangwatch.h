#pragma once

#include <chrono>

namespace sweepscope::launch {

/// Detects that an attempt that reported steps has stopped: none came for `factor` times the longest time between two,
/// and for at least `least`, because an evaluation or a checkpoint takes longer than steps do. The first steps, which
/// include loading libraries and compiling kernels, do not count.
class HangWatch {
public:
    using Clock = std::chrono::steady_clock;

    /// factor 0: never.
    HangWatch(double factor, std::chrono::milliseconds least);

    /// Call regularly with whether anything was reported since the last call. The time between two calls counts for at
    /// most two seconds: a longer gap means that the agent was delayed or the machine slept.
    void update(bool reported, Clock::time_point now);
    /// Ignores the time since the last call: ranks were frozen, or what they reported is unknown.
    void skip(Clock::time_point now) { m_updated = now; }

    bool hangs() const;
    std::chrono::milliseconds silence() const { return m_silence; }
    std::chrono::milliseconds longest() const { return m_longest; }

private:
    double m_factor;
    std::chrono::milliseconds m_least;
    Clock::time_point m_updated;
    int m_reports = 0;
    std::chrono::milliseconds m_silence{0};
    std::chrono::milliseconds m_longest{0};
};

}  // namespace sweepscope::launch
