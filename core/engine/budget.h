#pragma once

#include "base/clock.h"
#include "facts/fact.h"
#include "sweep/sweepspec.h"

#include <optional>

namespace sweepscope::engine {

/// What a sweep has used of the time that it may take.
class Budget {
public:
    /// `deviceTime`: of all attempts that have ended, in nanoseconds times devices.
    Budget(const sweep::BudgetSection &budget, WallNs launched, WallNs deviceTime);

    void attemptEnded(WallNs deviceTime) { m_deviceTime += deviceTime; }
    /// TimeBudgetSpent or DeviceBudgetSpent; nullopt while some of each is left. `running`: device time of running
    /// attempts.
    std::optional<facts::Fact> spent(WallNs now, WallNs running) const;

private:
    sweep::BudgetSection m_budget;
    WallNs m_launched = 0;
    WallNs m_deviceTime = 0;
};

}  // namespace sweepscope::engine
