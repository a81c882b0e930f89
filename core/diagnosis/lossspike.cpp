#include "diagnosis/examinations.h"
#include "diagnosis/losscurve.h"
#include "diagnosis/stepwindows.h"
#include "diagnosis/untrusted.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sweepscope::diagnosis {

namespace {

using series::XAxis;

constexpr std::size_t baselineSteps = 50;
constexpr std::size_t stepsBefore = 20;
/// One batch may be hard; weights that went off are bad for the next ones too.
constexpr std::size_t spikeSteps = 3;
constexpr double noiseBand = 10;          ///< standard deviations
constexpr double relativeRise = 1.0;      ///< of the level before: twice the loss
constexpr double shareOfProgress = 0.25;  ///< of what training had brought until then

/// The level of the loss before a spike, and how far it scattered around its trend.
struct Baseline {
    double level = 0;
    double noise = 0;
};

Baseline baselineBefore(const std::vector<double> &values, std::size_t index)
{
    const std::size_t begin = index - std::min(index, baselineSteps);
    std::vector<double> before(values.begin() + static_cast<std::ptrdiff_t>(begin),
                               values.begin() + static_cast<std::ptrdiff_t>(index));
    Baseline baseline;
    baseline.level = medianOf(before);
    // A falling loss is not noise, so remove the trend. Medians, so that an earlier spike does not tilt it.
    const auto middle = before.begin() + static_cast<std::ptrdiff_t>(before.size() / 2);
    const double rise = medianOf({middle, before.end()}) - medianOf({before.begin(), middle});
    const double slope = rise * 2 / static_cast<double>(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double fromMiddle = static_cast<double>(i) - static_cast<double>(before.size() - 1) / 2;
        before[i] = std::abs(before[i] - baseline.level - slope * fromMiddle);
    }
    baseline.noise = 1.4826 * medianOf(std::move(before));  // as the standard deviation, where noise is Gaussian
    return baseline;
}

struct Spike {
    std::size_t begin = 0;
    std::size_t end = 0;  ///< one past the last step that was high
    double value = 0;
    double threshold = 0;
    double level = 0;
};

std::vector<Spike> findSpikes(const std::vector<double> &values)
{
    std::vector<Spike> spikes;
    const double start = medianOf({values.begin(), values.begin() + 10});
    double lowest = start;
    for (std::size_t i = stepsBefore; i + spikeSteps <= values.size(); ++i) {
        const Baseline before = baselineBefore(values, i);
        lowest = std::min(lowest, before.level);
        const double rise = std::max({noiseBand * before.noise, relativeRise * std::abs(before.level),
                                      shareOfProgress * std::abs(start - lowest)});
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(i);
        const double mean = (at[0] + at[1] + at[2]) / spikeSteps;
        const double least = std::min({at[0], at[1], at[2]});
        if (!(mean - before.level > rise) || least - before.level <= 3 * before.noise)
            continue;
        std::size_t end = i + spikeSteps;
        while (end < values.size() && values[end] - before.level > rise / 2)
            ++end;
        spikes.push_back({i, end, mean, before.level + rise, before.level});
        i = end + baselineSteps;  // what comes right after it is judged by what was before it no more
    }
    return spikes;
}

/// The ranks that went up by half as much as the worst one.
std::vector<int> ranksOf(const std::vector<const RankEvidence *> &ranks, const Spike &spike, double from, double to)
{
    std::vector<double> rises;
    for (const RankEvidence *rank : ranks) {
        double sum = 0;
        double count = 0;
        for (const series::Column &column : rank->find(trainingLoss)->columns(XAxis::Step, from, to, 1)) {
            sum += column.hasFinite() ? column.mean * static_cast<double>(column.count) : 0;
            count += column.hasFinite() ? static_cast<double>(column.count) : 0;
        }
        rises.push_back(count > 0 ? sum / count - spike.level : 0);
    }
    const double worst = *std::max_element(rises.begin(), rises.end());
    std::vector<int> names;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (rises[i] > worst / 2)
            names.push_back(ranks[i]->rank);
    }
    return names;
}

}  // namespace

Outcome examineLossSpike(const AttemptEvidence &evidence)
{
    const std::vector<const RankEvidence *> ranks = ranksReporting(evidence, trainingLoss);
    if (ranks.empty())
        return Outcome::notEnoughData("no rank reports loss");
    const LossCurve curve = meanLoss(ranks, trainingLoss);
    if (curve.values.size() < stepsBefore + spikeSteps)
        return Outcome::notEnoughData("fewer than " + std::to_string(stepsBefore + spikeSteps) + " steps have a loss");
    std::vector<Spike> spikes = findSpikes(curve.values);
    if (const std::optional<Divergence> divergence = divergenceOf(curve.values))  // reported by its own rule
        std::erase_if(spikes, [&](const Spike &spike) { return spike.end > divergence->begin; });
    if (spikes.empty())
        return Outcome::clear();
    const Spike &worst = *std::max_element(spikes.begin(), spikes.end(), [](const Spike &a, const Spike &b) {
        return a.value - a.threshold < b.value - b.threshold;
    });
    const double from = curve.steps[worst.begin];
    const double to = worst.end == curve.steps.size() ? curve.to : std::max(from, curve.steps[worst.end] - 1);
    const std::vector<int> names = ranksOf(ranks, worst, from, to);
    Finding finding;
    if (names.size() == 1 && ranks.size() > 1)
        finding.rank = names.front();
    else if (ranks.size() == 1 && evidence.ranks.size() > 1)
        finding.rank = ranks.front()->rank;
    const series::Series &first = *ranks.front()->find(trainingLoss);
    finding.window = {timeOfStep(first, from), timeOfStep(first, to), toWhole(from), toWhole(to)};
    finding.value = worst.value;
    finding.threshold = worst.threshold;
    finding.sentence = "the loss rises from " + number(worst.level) + " to " + number(worst.value)
                       + (finding.rank && ranks.size() > 1 ? " on rank " + std::to_string(*finding.rank) : "")
                       + " at step " + std::to_string(*finding.window.fromStep);
    if (spikes.size() > 1)
        finding.sentence += ", the worst of " + std::to_string(spikes.size()) + " spikes";
    return Outcome::found(std::move(finding));
}

}  // namespace sweepscope::diagnosis
