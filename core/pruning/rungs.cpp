#include "pruning/rungs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::pruning {

std::int64_t nextRung(std::int64_t rung, double factor)
{
    const double next = std::ceil(static_cast<double>(rung) * factor);
    constexpr double most = 9e18;
    return next < most ? static_cast<std::int64_t>(next) : std::numeric_limits<std::int64_t>::max();
}

std::int64_t Rungs::interval() const
{
    return std::max<std::int64_t>(1, m_prune.every != 0 ? m_prune.every : m_prune.firstStep);
}

std::optional<std::int64_t> Rungs::upTo(std::int64_t step) const
{
    const std::int64_t first = std::max<std::int64_t>(1, m_prune.firstStep);
    if (step < first)
        return std::nullopt;
    if (m_prune.method != sweep::PruneMethod::Halving && m_prune.method != sweep::PruneMethod::Hyperband)
        return step - (step - first) % interval();
    std::int64_t rung = first;
    for (std::int64_t next = nextRung(rung, m_prune.factor); next <= step && next > rung;
         next = nextRung(rung, m_prune.factor))
        rung = next;
    return rung;
}

}  // namespace sweepscope::pruning
