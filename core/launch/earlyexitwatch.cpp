#include "launch/earlyexitwatch.h"

#include <algorithm>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;

constexpr auto longestGap = std::chrono::milliseconds(2s);
/// A waiting process wakes up occasionally; a working one needs more of a core than this.
constexpr double shareOfWork = 0.02;

}  // namespace

void EarlyExitWatch::update(bool active, double cpuPercent, Clock::time_point now)
{
    const auto passed = std::clamp(std::chrono::floor<std::chrono::milliseconds>(now - m_updated), 0ms, longestGap);
    m_updated = now;
    m_quiet += passed;
    m_workMilliseconds += static_cast<double>(passed.count()) * cpuPercent / 100;
    if (active || m_workMilliseconds > shareOfWork * static_cast<double>(m_grace.count())) {
        m_quiet = 0ms;
        m_workMilliseconds = 0;
    }
}

}  // namespace sweepscope::launch
