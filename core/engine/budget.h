#pragma once

#include "base/clock.h"
#include "sweep/sweepspec.h"

#include <optional>
#include <string>

namespace sweepscope::engine {

/// How the cause of a trial begins that was waiting when the budget of its sweep was used up. A larger budget brings it
/// back.
inline constexpr const char *budgetUsedUp = "the budget is used up";

/// What a sweep has used of the time that it may take.
class Budget {
public:
    /// `deviceTime`: of all attempts that have ended, in nanoseconds times devices.
    Budget(const sweep::BudgetSection &budget, WallNs launched, WallNs deviceTime);

    void attemptEnded(WallNs deviceTime) { m_deviceTime += deviceTime; }
    /// Which part of it, in words; nothing while some of each is left. `running`: device time of running attempts.
    std::optional<std::string> usedUp(WallNs now, WallNs running) const;

private:
    sweep::BudgetSection m_budget;
    WallNs m_launched = 0;
    WallNs m_deviceTime = 0;
};

}  // namespace sweepscope::engine
