#include "costs.h"

#include <iostream>

namespace sweepscope::ctl {

sweep::CostFactors costFactors()
{
    const Expected<sweep::CostFactors> factors = sweep::readCostFactors(sweep::costFactorsFile());
    if (!factors)
        std::cerr << factors.error().message << '\n';
    return factors.value_or(sweep::CostFactors());
}

}  // namespace sweepscope::ctl
