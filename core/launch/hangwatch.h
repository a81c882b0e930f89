#pragma once

#include <chrono>

namespace sweepscope::launch {

/// Tells when an attempt that reported steps reports none any more: when none came for `factor` times the longest time
/// between two, and for `least` at any rate, because an evaluation or a checkpoint takes longer than steps do. The
/// first steps, for which libraries are loaded and kernels compiled, say nothing of the others.
class HangWatch {
public:
    using Clock = std::chrono::steady_clock;

    /// factor 0: never.
    HangWatch(double factor, std::chrono::milliseconds least);

    /// To be called again and again: whether anything was reported since the last call. What passes between two calls
    /// counts for two seconds at most: then nobody has looked, and perhaps the machine slept.
    void look(bool reported, Clock::time_point now);
    /// The time since the last call does not count: ranks were frozen, or nobody can know what they reported.
    void skip(Clock::time_point now) { m_looked = now; }

    bool hangs() const;
    std::chrono::milliseconds silence() const { return m_silence; }
    std::chrono::milliseconds longest() const { return m_longest; }

private:
    double m_factor;
    std::chrono::milliseconds m_least;
    Clock::time_point m_looked;
    int m_reports = 0;
    std::chrono::milliseconds m_silence{0};
    std::chrono::milliseconds m_longest{0};
};

}  // namespace sweepscope::launch
