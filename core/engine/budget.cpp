#include "engine/budget.h"

#include "sweep/duration.h"

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

std::optional<std::string> Budget::usedUp(WallNs now, WallNs running) const
{
    const std::string words = std::string(budgetUsedUp) + ": ";
    if (m_budget.time && isAtLeast(now - m_launched, *m_budget.time))
        return words + sweep::toText(*m_budget.time) + " since the launch";
    if (m_budget.deviceTime && isAtLeast(m_deviceTime + running, *m_budget.deviceTime))
        return words + sweep::toText(*m_budget.deviceTime) + " of devices";
    return std::nullopt;
}

}  // namespace sweepscope::engine
