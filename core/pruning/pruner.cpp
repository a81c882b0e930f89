#include "pruning/pruner.h"

#include "pruning/hyperband.h"
#include "pruning/signedrank.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sweepscope::pruning {

using facts::Code;
using facts::Fact;
using facts::Field;
using sweep::PruneMethod;

Comparison comparisonOf(const sweep::PruneSection &prune)
{
    Comparison comparison{prune.compare, prune.value, prune.value, 0.5, Comparison::Limit::Ceil, prune.minTrials};
    if (prune.method == PruneMethod::Percentile)
        comparison.share = prune.percentile / 100;
    else if (prune.method == PruneMethod::Halving || prune.method == PruneMethod::Hyperband)
        comparison.share = 1 / prune.factor;
    else if (sweep::asksProgram(prune.method))
        comparison.own = sweep::PruneValue::Last;  // it receives what was reported
    return comparison;
}

std::optional<double> worstThatContinues(const Comparison &comparison, std::vector<double> ranks)
{
    const auto count = static_cast<double>(ranks.size());
    if (ranks.empty() || count < comparison.minPeers)
        return std::nullopt;
    if (comparison.limit == Comparison::Limit::Interpolated) {
        std::ranges::sort(ranks);
        const double place = comparison.share * (count - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, ranks.size() - 1);
        const double part = place - std::floor(place);
        if (std::isinf(ranks[above]))
            return part > 0 ? ranks[above] : ranks[below];
        // As NumPy interpolates: from the nearer end.
        const double step = ranks[above] - ranks[below];
        return part >= 0.5 ? ranks[above] - step * (1 - part) : ranks[below] + step * part;
    }
    const double exact = comparison.share * count;
    // 1/3 of 3 is 1, however 1/3 was rounded.
    const double continuing =
        comparison.limit == Comparison::Limit::Ceil ? std::ceil(exact - 1e-9) : std::floor(exact + 1e-9);
    const auto worst = ranks.begin() + static_cast<std::ptrdiff_t>(std::max(continuing, 1.0)) - 1;
    std::ranges::nth_element(ranks, worst);
    return *worst;
}

Pruner::Pruner(const sweep::PruneSection &prune, sweep::Goal goal, std::uint64_t seed)
    : Pruner(prune, comparisonOf(prune), goal, seed)
{}

Pruner::Pruner(const sweep::PruneSection &prune, const Comparison &comparison, sweep::Goal goal, std::uint64_t seed)
    : m_prune(prune), m_comparison(comparison), m_goal(goal), m_seed(seed)
{}

RungValue Pruner::merged(int trial, RungValue value) const
{
    const auto curve = m_curves.find(trial);
    if (curve == m_curves.end())
        return value;
    // Its value at a rung is the best so far, so the last rung that it reached has the best of all.
    auto known = curve->second.upper_bound(value.rung);
    if (known != curve->second.begin() && rank((--known)->second.best) < rank(value.best))
        value.best = known->second.best;
    return value;
}

RungValue Pruner::reached(int trial, const RungValue &value)
{
    const RungValue counted = merged(trial, value);
    m_curves[trial][value.rung] = {counted.best, counted.last};
    m_values[value.rung][trial] = {counted.best, counted.last};
    return counted;
}

bool Pruner::knows(int trial, const RungValue &value) const
{
    const auto isSame = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    const Value *const own = valueAt(trial, value.rung);
    const RungValue counted = merged(trial, value);
    return own != nullptr && isSame(own->best, counted.best) && isSame(own->last, counted.last);
}

void Pruner::completed(int trial, double best)
{
    m_completed[trial] = best;
}

void Pruner::startedOver(int trial)
{
    for (auto &[rung, values] : m_values)
        values.erase(trial);
    m_curves.erase(trial);
    m_completed.erase(trial);
}

const Pruner::Value *Pruner::valueAt(int trial, std::int64_t rung) const
{
    const auto atRung = m_values.find(rung);
    if (atRung == m_values.end())
        return nullptr;
    const auto own = atRung->second.find(trial);
    return own != atRung->second.end() ? &own->second : nullptr;
}

std::optional<std::pair<RungValue, Verdict>> Pruner::verdictBefore(int trial, std::int64_t rung) const
{
    const auto curve = m_curves.find(trial);
    if (curve == m_curves.end())
        return std::nullopt;
    for (auto known = curve->second.lower_bound(rung); known != curve->second.begin();) {
        --known;
        Verdict verdict = this->verdict(trial, known->first);
        if (verdict.bound)
            return std::pair(RungValue{known->first, known->second.best, known->second.last}, std::move(verdict));
    }
    return std::nullopt;
}

std::map<std::int64_t, double> Pruner::valuesOf(int trial) const
{
    std::map<std::int64_t, double> values;
    if (const auto curve = m_curves.find(trial); curve != m_curves.end()) {
        for (const auto &[rung, value] : curve->second)
            values[rung] = m_comparison.own == sweep::PruneValue::Best ? value.best : value.last;
    }
    return values;
}

double Pruner::rank(double value) const
{
    if (!std::isfinite(value))
        return std::numeric_limits<double>::infinity();
    return m_goal == sweep::Goal::Minimize ? value : -value;
}

Verdict Pruner::verdict(int trial, std::int64_t rung) const
{
    const Value *const own = valueAt(trial, rung);
    if (own == nullptr)
        return {};
    if (std::optional<Fact> reason = outOfBounds(*own, rung))
        return {std::move(reason), 0, std::nullopt};
    if (m_prune.patience > 0 && !isStale(trial, rung))
        return {};
    switch (m_prune.method) {
    case PruneMethod::Median:
    case PruneMethod::Percentile:
    case PruneMethod::Halving:
    case PruneMethod::Hyperband:
        return compare(trial, rung, *own);
    case PruneMethod::Patience:
        return {stale(trial, rung), 0, std::nullopt};
    case PruneMethod::Threshold:
        return {};
    case PruneMethod::Wilcoxon:
        return compareStepByStep(trial, rung);
    case PruneMethod::Command:
    case PruneMethod::Optuna:
        return {std::nullopt, 0, std::nullopt, true};
    }
    return {};
}

std::optional<Fact> Pruner::outOfBounds(const Value &own, std::int64_t rung) const
{
    if (!m_prune.above && !m_prune.below)
        return std::nullopt;
    Fact fact = Fact(Code::PrunedByThreshold).with(Field::Step, rung);
    if (std::isnan(own.last))
        return fact;
    if (m_prune.above && own.last > *m_prune.above)
        return std::move(fact).with(Field::Value, own.last).with(Field::Bound, *m_prune.above);
    if (m_prune.below && own.last < *m_prune.below)
        return std::move(fact).with(Field::Value, own.last).with(Field::Bound, *m_prune.below);
    return std::nullopt;
}

/// Whether the trial's last values, `patience` and the one here, bring nothing better than what was best before.
bool Pruner::isStale(int trial, std::int64_t rung) const
{
    const auto curve = m_curves.find(trial);
    if (curve == m_curves.end())
        return false;
    double recent = std::numeric_limits<double>::infinity();
    auto at = curve->second.upper_bound(rung);
    for (int i = 0; i <= m_prune.patience; ++i) {
        if (at == curve->second.begin())
            return false;
        --at;
        recent = std::min(recent, rank(at->second.last));
    }
    if (at == curve->second.begin())
        return false;
    --at;
    return recent >= rank(at->second.best) - m_prune.minDelta;
}

Fact Pruner::stale(int trial, std::int64_t rung) const
{
    Fact fact = Fact(Code::PrunedByPatience)
                    .with(Field::Step, rung)
                    .with(Field::Count, static_cast<std::int64_t>(m_prune.patience));
    const double best = valueAt(trial, rung)->best;
    return std::isnan(best) ? fact : std::move(fact).with(Field::Value, best);
}

Verdict Pruner::compare(int trial, std::int64_t rung, const Value &own) const
{
    const bool inBrackets = m_prune.method == PruneMethod::Hyperband;
    const int bracket = inBrackets ? bracketOf(m_prune, m_seed, trial) : 0;
    if (inBrackets && (rung < firstRungOf(m_prune, bracket) || rung >= m_prune.maxStep))
        return {};  // at the end there is nothing left to save
    const auto chosen = [](const Value &value, sweep::PruneValue which) {
        return which == sweep::PruneValue::Best ? value.best : value.last;
    };
    std::vector<double> ranks;
    for (const auto &[number, value] : m_values.at(rung)) {
        const bool isPeer =
            m_comparison.peers == sweep::PrunePeers::All || (m_completed.contains(number) && number != trial);
        if (isPeer && (!inBrackets || bracketOf(m_prune, m_seed, number) == bracket))
            ranks.push_back(rank(chosen(value, m_comparison.theirs)));
    }
    Verdict verdict{std::nullopt, static_cast<int>(ranks.size()), std::nullopt};
    const std::optional<double> limit = worstThatContinues(m_comparison, std::move(ranks));
    if (!limit)
        return verdict;
    verdict.bound = m_goal == sweep::Goal::Minimize ? *limit : -*limit;
    const double value = chosen(own, m_comparison.own);
    if (rank(value) <= *limit)
        return verdict;
    const bool byRank = m_prune.method == PruneMethod::Halving || inBrackets;
    const Code code = byRank                                      ? Code::PrunedByRank
                      : m_prune.method == PruneMethod::Percentile ? Code::PrunedByPercentile
                                                                  : Code::PrunedByMedian;
    Fact fact = Fact(code)
                    .with(Field::Step, rung)
                    .with(Field::Count, static_cast<std::int64_t>(verdict.peers))
                    .with(Field::Bound, *verdict.bound);
    if (!std::isnan(value))
        fact = std::move(fact).with(Field::Value, value);
    if (byRank)
        fact = std::move(fact).with(Field::Factor, m_prune.factor);
    if (code == Code::PrunedByPercentile)
        fact = std::move(fact).with(Field::Percent, m_prune.percentile);
    if (inBrackets)
        fact = std::move(fact).with(Field::Bracket, static_cast<std::int64_t>(bracket + 1));
    verdict.reason = std::move(fact);
    return verdict;
}

/// Compares with the best completed trial at the steps that both have reached, as Optuna's WilcoxonPruner does.
Verdict Pruner::compareStepByStep(int trial, std::int64_t rung) const
{
    const auto best = std::ranges::min_element(
        m_completed, {}, [this](const auto &one) { return std::pair(rank(one.second), one.first); });
    if (best == m_completed.end() || best->first == trial || !m_curves.contains(best->first))
        return {};
    const std::map<std::int64_t, Value> &own = m_curves.at(trial);
    const std::map<std::int64_t, Value> &theirs = m_curves.at(best->first);
    std::vector<double> differences;
    double ownSum = 0;
    double theirSum = 0;
    double ownCount = 0;
    for (const auto &[step, value] : theirs) {
        if (!std::isfinite(value.last))
            return {};
        theirSum += rank(value.last);
    }
    for (auto at = own.begin(); at != own.upper_bound(rung); ++at) {
        if (!std::isfinite(at->second.last))
            return {};
        ownSum += rank(at->second.last);
        ++ownCount;
        if (const auto same = theirs.find(at->first); same != theirs.end())
            differences.push_back(rank(at->second.last) - rank(same->second.last));
    }
    if (differences.size() < 2)
        return {std::nullopt, static_cast<int>(differences.size()), std::nullopt};
    const double p = signedRankProbability(differences);
    Verdict verdict{std::nullopt, static_cast<int>(differences.size()), p};
    const bool isBetterOnAverage = ownSum / ownCount <= theirSum / static_cast<double>(theirs.size());
    if (p < m_prune.pValue && !isBetterOnAverage)
        verdict.reason = Fact(Code::PrunedByWilcoxon)
                             .with(Field::Step, rung)
                             .with(Field::Count, static_cast<std::int64_t>(verdict.peers))
                             .with(Field::Trial, best->first)
                             .with(Field::Probability, p);
    return verdict;
}

}  // namespace sweepscope::pruning
