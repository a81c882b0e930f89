#include "diagnosis/examinations.h"
#include "diagnosis/losscurve.h"
#include "diagnosis/stepwindows.h"
#include "diagnosis/untrusted.h"
#include "diagnosis/words.h"

#include <algorithm>

namespace sweepscope::diagnosis {

Outcome examineDivergence(const AttemptEvidence &evidence)
{
    const std::vector<const RankEvidence *> ranks = ranksWithLoss(evidence);
    if (ranks.empty())
        return Outcome::notEnoughData("no rank reports loss");
    const LossCurve curve = meanLoss(ranks);
    if (curve.values.size() < leastLosses)
        return Outcome::notEnoughData("fewer than " + std::to_string(leastLosses) + " steps have a loss");
    const std::optional<Divergence> divergence = divergenceOf(curve.values);
    if (!divergence)
        return Outcome::clear();
    // The last losses may be single hard batches that are below the threshold again.
    const double from = curve.steps[std::min(divergence->begin, curve.steps.size() - 1)];
    const series::Series &first = *ranks.front()->find("loss");
    // The levels decide; people compare the values with the curve.
    const auto begin = curve.values.begin() + static_cast<std::ptrdiff_t>(divergence->begin);
    const bool isLow = begin == curve.values.begin() || begin == curve.values.end();  // explodes at once; hard batches
    const double lowest = *std::min_element(curve.values.begin(), isLow ? curve.values.end() : begin);
    const double highest = *std::max_element(isLow ? curve.values.begin() : begin, curve.values.end());
    Finding finding;
    if (ranks.size() == 1 && evidence.ranks.size() > 1)
        finding.rank = ranks.front()->rank;
    finding.window = {timeOfStep(first, from), timeOfStep(first, curve.to), toWhole(from), toWhole(curve.to)};
    finding.value = divergence->last;
    finding.threshold = divergence->threshold;
    finding.sentence = "the loss rises from " + number(lowest) + " to " + number(highest) + ", and exceeds "
                       + number(divergence->threshold) + " from step " + std::to_string(*finding.window.fromStep)
                       + " on";
    return Outcome::found(std::move(finding));
}

}  // namespace sweepscope::diagnosis
