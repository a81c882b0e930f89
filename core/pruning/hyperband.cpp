#include "pruning/hyperband.h"

#include "pruning/rungs.h"
#include "sweep/splitmix.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sweepscope::pruning {

int bracketsOf(const sweep::PruneSection &prune)
{
    int brackets = 1;
    for (std::int64_t rung = nextRung(std::max<std::int64_t>(1, prune.firstStep), prune.factor); rung <= prune.maxStep;
         rung = nextRung(rung, prune.factor))
        ++brackets;
    return brackets;
}

int bracketOf(const sweep::PruneSection &prune, std::uint64_t seed, int trial)
{
    const int brackets = bracketsOf(prune);
    std::vector<double> shares;
    double sum = 0;
    for (int bracket = 0; bracket < brackets; ++bracket) {
        const int s = brackets - 1 - bracket;
        sum += std::ceil(brackets * std::pow(prune.factor, s) / (s + 1));
        shares.push_back(sum);
    }
    // The fractional parts of multiples of the golden ratio spread evenly, whichever stretch of them is looked at.
    constexpr double golden = 0.6180339887498949;
    const double start = static_cast<double>(sweep::SplitMix64(seed).next() >> 11) * 0x1p-53;
    double whole = 0;
    const double place = std::modf(start + golden * trial, &whole) * sum;
    const auto found = std::ranges::upper_bound(shares, place);
    return std::min(static_cast<int>(found - shares.begin()), brackets - 1);
}

std::int64_t firstRungOf(const sweep::PruneSection &prune, int bracket)
{
    std::int64_t rung = std::max<std::int64_t>(1, prune.firstStep);
    for (int i = 0; i < bracket; ++i)
        rung = nextRung(rung, prune.factor);
    return rung;
}

}  // namespace sweepscope::pruning
