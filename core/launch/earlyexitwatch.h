#pragma once

#include <chrono>

namespace sweepscope::launch {

/// After one rank has ended normally: detects that the remaining ranks do nothing: they hang, or wait for that one. They are
/// active as long as they report, print or compute, so that a rank that saves, sends or evaluates may take its time.
class EarlyExitWatch {
public:
    using Clock = std::chrono::steady_clock;

    /// grace 0: no limit.
    explicit EarlyExitWatch(std::chrono::milliseconds grace) : m_grace(grace) {}

    /// `active`: whether they reported or printed anything since the last call; `cpuPercent`: of one core, all
    /// together, since then.
    void update(bool active, double cpuPercent, Clock::time_point now);
    void skip(Clock::time_point now) { m_updated = now; }

    bool isOver() const { return m_grace.count() > 0 && m_quiet > m_grace; }

private:
    std::chrono::milliseconds m_grace;
    Clock::time_point m_updated = Clock::now();
    std::chrono::milliseconds m_quiet{0};
    double m_workMilliseconds = 0;
};

}  // namespace sweepscope::launch
