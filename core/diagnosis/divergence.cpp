#include "diagnosis/examinations.h"
#include "diagnosis/losscurve.h"
#include "diagnosis/stepwindows.h"
#include "diagnosis/untrusted.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::diagnosis {

namespace {

Finding findingOf(const Divergence &divergence, const LossCurve &curve, const std::vector<const RankEvidence *> &ranks,
                  const std::string &name)
{
    // The last losses may be single hard batches that are below the threshold again.
    const double from = curve.steps[std::min(divergence.begin, curve.steps.size() - 1)];
    const series::Series &first = *ranks.front()->find(name);
    // The levels decide; people compare the values with the curve.
    const auto begin = curve.values.begin() + static_cast<std::ptrdiff_t>(divergence.begin);
    const bool isLow = begin == curve.values.begin() || begin == curve.values.end();  // explodes at once; hard batches
    const double lowest = *std::min_element(curve.values.begin(), isLow ? curve.values.end() : begin);
    const double highest = *std::max_element(isLow ? curve.values.begin() : begin, curve.values.end());
    Finding finding;
    finding.window = {timeOfStep(first, from), timeOfStep(first, curve.to), toWhole(from), toWhole(curve.to)};
    finding.series = name;
    finding.value = divergence.last;
    finding.threshold = divergence.threshold;
    finding.sentence = (name == trainingLoss ? "the loss" : name) + " rises from " + number(lowest) + " to "
                       + number(highest) + ", and exceeds " + number(divergence.threshold) + " from step "
                       + std::to_string(*finding.window.fromStep) + " on";
    return finding;
}

}  // namespace

Outcome examineDivergence(const AttemptEvidence &evidence)
{
    const std::vector<std::string> names = lossNames(evidence);
    if (names.empty())
        return Outcome::notEnoughData("no rank reports a loss");
    bool isClear = false;
    for (const std::string &name : names) {
        const std::vector<const RankEvidence *> ranks = ranksReporting(evidence, name);
        const LossCurve curve = ranks.empty() ? LossCurve() : meanLoss(ranks, name);
        isClear = isClear || curve.values.size() >= leastLosses;
        const std::optional<Divergence> divergence = divergenceOf(curve.values);
        if (!divergence)
            continue;
        Finding finding = findingOf(*divergence, curve, ranks, name);
        if (ranks.size() == 1 && evidence.ranks.size() > 1)
            finding.rank = ranks.front()->rank;
        return Outcome::found(std::move(finding));
    }
    if (!isClear)
        return Outcome::notEnoughData("fewer than " + std::to_string(leastLosses) + " steps have a loss");
    return Outcome::clear();
}

}  // namespace sweepscope::diagnosis
