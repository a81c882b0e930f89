#pragma once

#include <chrono>

namespace sweepscope::launch {

/// After one rank has ended well: tells when those that are left only wait, perhaps for the one that is gone. They do
/// something as long as they report, print or compute; so one that saves, sends or evaluates may take its time.
class EarlyExitWatch {
public:
    using Clock = std::chrono::steady_clock;

    /// grace 0: they may wait as long as they like.
    explicit EarlyExitWatch(std::chrono::milliseconds grace) : m_grace(grace) {}

    /// `active`: they reported or printed something since the last call; `cpuPercent`: of one core, all together, since
    /// then.
    void look(bool active, double cpuPercent, Clock::time_point now);
    void skip(Clock::time_point now) { m_looked = now; }

    bool isOver() const { return m_grace.count() > 0 && m_quiet > m_grace; }

private:
    std::chrono::milliseconds m_grace;
    Clock::time_point m_looked = Clock::now();
    std::chrono::milliseconds m_quiet{0};
    double m_workMilliseconds = 0;
};

}  // namespace sweepscope::launch
