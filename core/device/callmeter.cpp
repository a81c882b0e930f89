#include "device/callmeter.h"

namespace sweepscope::device {

CallMeter::Running CallMeter::running() const
{
    const std::lock_guard lock(m_mutex);
    return m_running;
}

CallMeter::Totals CallMeter::totals() const
{
    const std::lock_guard lock(m_mutex);
    return m_totals;
}

void CallMeter::abandon()
{
    const std::lock_guard lock(m_mutex);
    m_abandoned = true;
}

bool CallMeter::isAbandoned() const
{
    const std::lock_guard lock(m_mutex);
    return m_abandoned;
}

void CallMeter::beginJob()
{
    const std::lock_guard lock(m_mutex);
    m_running = {nullptr, std::chrono::steady_clock::now()};
}

SteadyTime CallMeter::begin(const char *name)
{
    const SteadyTime now = std::chrono::steady_clock::now();
    const std::lock_guard lock(m_mutex);
    m_running = {name, now};
    return now;
}

void CallMeter::end(const char *name, SteadyTime begun)
{
    const SteadyTime now = std::chrono::steady_clock::now();
    const std::chrono::nanoseconds took = now - begun;
    const std::lock_guard lock(m_mutex);
    m_running = {nullptr, now};
    m_totals.calling += took;
    ++m_totals.calls;
    if (took > m_totals.slowest) {
        m_totals.slowest = took;
        m_totals.slowestCall = name;
    }
}

}  // namespace sweepscope::device
