#include "engine/budget.h"

#include "sweep/duration.h"

namespace sweepscope::engine {

namespace {

WallNs nanoseconds(std::chrono::seconds duration)
{
    return std::chrono::nanoseconds(duration).count();
}

}  // namespace

Budget::Budget(const sweep::BudgetSection &budget, WallNs launched, WallNs deviceTime)
    : m_budget(budget), m_launched(launched), m_deviceTime(deviceTime)
{}

std::optional<std::string> Budget::usedUp(WallNs now, WallNs running) const
{
    const std::string words = std::string(budgetUsedUp) + ": ";
    if (m_budget.time && now - m_launched >= nanoseconds(*m_budget.time))
        return words + sweep::toText(*m_budget.time) + " since the launch";
    if (m_budget.deviceTime && m_deviceTime + running >= nanoseconds(*m_budget.deviceTime))
        return words + sweep::toText(*m_budget.deviceTime) + " of devices";
    return std::nullopt;
}

}  // namespace sweepscope::engine
