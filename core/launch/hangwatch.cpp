#include "launch/hangwatch.h"

#include <algorithm>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;

constexpr int firstReports = 2;
constexpr int enoughReports = 4;
constexpr auto longestInterval = std::chrono::milliseconds(2s);

}  // namespace

HangWatch::HangWatch(double factor, std::chrono::milliseconds least)
    : m_factor(factor), m_least(least), m_updated(Clock::now())
{}

void HangWatch::update(bool reported, Clock::time_point now)
{
    // Count whole milliseconds; the fraction carries over to the next call.
    const auto passed = std::max(std::chrono::floor<std::chrono::milliseconds>(now - m_updated), 0ms);
    m_updated += passed;
    m_silence += std::min(passed, longestInterval);
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
