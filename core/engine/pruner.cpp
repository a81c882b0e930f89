#include "engine/pruner.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::engine {

std::optional<std::int64_t> Rungs::upTo(std::int64_t step) const
{
    if (step < m_prune.firstStep)
        return std::nullopt;
    if (m_prune.method == sweep::PruneMethod::Median) {
        const std::int64_t every = m_prune.every != 0 ? m_prune.every : m_prune.firstStep;
        return step - (step - m_prune.firstStep) % every;
    }
    std::int64_t rung = m_prune.firstStep;
    for (double next = static_cast<double>(rung); next <= static_cast<double>(step);
         next = std::ceil(next * m_prune.factor))
        rung = static_cast<std::int64_t>(next);
    return rung;
}

double Pruner::reached(int trial, std::int64_t rung, double best)
{
    // What it had at a rung is the best until there: the last one that it came to says all.
    for (auto known = m_best.upper_bound(rung); known != m_best.begin();) {
        --known;
        const auto own = known->second.find(trial);
        if (own == known->second.end())
            continue;
        if (rank(own->second) < rank(best))
            best = own->second;
        break;
    }
    m_best[rung][trial] = best;
    return best;
}

void Pruner::forget(int trial)
{
    for (auto &[rung, best] : m_best)
        best.erase(trial);
}

double Pruner::rank(double best) const
{
    if (std::isnan(best))
        return std::numeric_limits<double>::infinity();
    return m_goal == sweep::Goal::Minimize ? best : -best;
}

/// `ranks`: of all trials at the rung. Nothing while they are too few.
std::optional<double> Pruner::worstThatGoesOn(std::vector<double> ranks) const
{
    if (ranks.size() < static_cast<std::size_t>(m_prune.minTrials))
        return std::nullopt;
    const double share = m_prune.method == sweep::PruneMethod::Median ? 0.5 : 1 / m_prune.factor;
    const auto going = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ranks.size())));
    const auto worst = ranks.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(going, 1) - 1);
    std::nth_element(ranks.begin(), worst, ranks.end());
    return *worst;
}

std::optional<facts::Fact> Pruner::verdict(int trial, std::int64_t rung) const
{
    const auto atRung = m_best.find(rung);
    if (atRung == m_best.end())
        return std::nullopt;
    const auto own = atRung->second.find(trial);
    if (own == atRung->second.end())
        return std::nullopt;
    std::vector<double> ranks;
    for (const auto &[number, best] : atRung->second)
        ranks.push_back(rank(best));
    const std::optional<double> limit = worstThatGoesOn(ranks);
    if (!limit || rank(own->second) <= *limit)
        return std::nullopt;
    using facts::Field;
    const bool byMedian = m_prune.method == sweep::PruneMethod::Median;
    facts::Fact fact = facts::Fact(byMedian ? facts::Code::PrunedByMedian : facts::Code::PrunedByRank)
                           .with(Field::Step, rung)
                           .with(Field::Count, static_cast<std::int64_t>(ranks.size()))
                           .with(Field::Bound, m_goal == sweep::Goal::Minimize ? *limit : -*limit);
    if (!std::isnan(own->second))
        fact = std::move(fact).with(Field::Value, own->second);
    if (!byMedian)
        fact = std::move(fact).with(Field::Factor, m_prune.factor);
    return fact;
}

}  // namespace sweepscope::engine
