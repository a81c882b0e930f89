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
    Finding finding;
    finding.window = {timeOfStep(first, from), timeOfStep(first, curve.to), toWhole(from), toWhole(curve.to)};
    finding.value = divergence->last;
    finding.threshold = divergence->threshold;
    finding.sentence = "the loss rises from " + number(divergence->best) + " at its lowest to "
                       + number(divergence->last) + " at the end, and exceeds " + number(divergence->threshold)
                       + " from step " + std::to_string(*finding.window.fromStep) + " on";
    return Outcome::found(std::move(finding));
}

}  // namespace sweepscope::diagnosis
