#include "launch/hangwatch.h"

#include <algorithm>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;

constexpr int firstReports = 2;
constexpr int enoughReports = 4;
constexpr auto longestLook = std::chrono::milliseconds(2s);

}  // namespace

HangWatch::HangWatch(double factor, std::chrono::milliseconds least)
    : m_factor(factor), m_least(least), m_looked(Clock::now())
{}

void HangWatch::look(bool reported, Clock::time_point now)
{
    // Whole milliseconds; what is left of one counts at the next look.
    const auto passed = std::max(std::chrono::floor<std::chrono::milliseconds>(now - m_looked), 0ms);
    m_looked += passed;
    m_silence += std::min(passed, longestLook);
    if (!reported)
        return;
    if (m_reports >= firstReports)
        m_longest = std::max(m_longest, m_silence);
    ++m_reports;
    m_silence = 0ms;
}

bool HangWatch::hangs() const
{
    if (m_factor <= 0 || m_reports < enoughReports)
        return false;
    const std::chrono::duration<double, std::milli> limit = m_factor * m_longest;
    return m_silence > m_least && m_silence > limit;
}

}  // namespace sweepscope::launch
