#include "engine/budget.h"

namespace sweepscope::engine {

namespace {

bool isAtLeast(WallNs time, std::chrono::seconds bound)
{
    return std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(time)) >= bound;
}

}  // namespace

Budget::Budget(const sweep::BudgetSection &budget, WallNs launched, WallNs deviceTime)
    : m_budget(budget), m_launched(launched), m_deviceTime(deviceTime)
{}

std::optional<facts::Fact> Budget::spent(WallNs now, WallNs running) const
{
    using facts::Code;
    using facts::Fact;
    const auto seconds = [](std::chrono::seconds limit) { return static_cast<double>(limit.count()); };
    if (m_budget.time && isAtLeast(now - m_launched, *m_budget.time))
        return Fact(Code::TimeBudgetSpent).with(facts::Field::Seconds, seconds(*m_budget.time));
    if (m_budget.deviceTime && isAtLeast(m_deviceTime + running, *m_budget.deviceTime))
        return Fact(Code::DeviceBudgetSpent).with(facts::Field::Seconds, seconds(*m_budget.deviceTime));
    return std::nullopt;
}

}  // namespace sweepscope::engine
