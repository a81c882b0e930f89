#include "train/bestweights.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::train {

bool isSmallerBetter(std::string_view metric)
{
    return metric.ends_with("loss") || metric.ends_with("mae");
}

bool BestWeights::isBetter(const Kept &a, const Kept &b) const
{
    if (a.score != b.score)
        return (a.score < b.score) == m_smallerIsBetter;
    return a.step < b.step;
}

bool BestWeights::add(std::int64_t step, double score)
{
    if (std::isnan(score))
        return false;
    std::erase_if(m_kept, [step](const Kept &one) { return one.step == step; });
    const Kept added{step, score};
    m_kept.insert(std::ranges::find_if(m_kept, [&](const Kept &one) { return isBetter(added, one); }), added);
    if (std::ssize(m_kept) <= m_most)
        return true;
    const Kept worst = m_kept.back();
    m_kept.pop_back();
    return worst != added;
}

bool BestWeights::contains(std::int64_t step) const
{
    return std::ranges::any_of(m_kept, [step](const Kept &one) { return one.step == step; });
}

}  // namespace sweepscope::train
