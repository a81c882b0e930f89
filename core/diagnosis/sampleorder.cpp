#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

#include <map>
#include <set>

namespace sweepscope::diagnosis {

namespace {

/// A fingerprint of the order in which a rank sees its samples, once per epoch.
constexpr const char *orderSeries = "sample_order";
const std::string nobodyReports = "no rank reports sample_order";

Finding findingAt(const series::Sample &first, const series::Sample &last)
{
    Finding finding;
    finding.window = {first.timeNs, last.timeNs, first.step, last.step};
    return finding;
}

}  // namespace

Outcome examineSameSamples(const AttemptEvidence &evidence)
{
    std::map<std::pair<std::int64_t, double>, std::vector<int>> ranksByOrder;  // by step and fingerprint
    std::map<std::pair<std::int64_t, double>, series::Sample> samples;
    int reporting = 0;
    for (const RankEvidence &rank : evidence.ranks) {
        const series::Series *series = rank.find(orderSeries);
        reporting += series == nullptr ? 0 : 1;
        for (std::size_t i = 0; series != nullptr && i < series->size(); ++i) {
            const series::Sample sample = series->sample(i);
            std::vector<int> &ranks = ranksByOrder[{sample.step, sample.value}];
            if (ranks.empty() || ranks.back() != rank.rank)  // twice after a resumed epoch
                ranks.push_back(rank.rank);
            samples[{sample.step, sample.value}] = sample;
        }
    }
    if (reporting < 2)
        return Outcome::notEnoughData(reporting == 0 ? nobodyReports : "only one rank reports sample_order");
    for (const auto &[key, ranks] : ranksByOrder) {
        if (ranks.size() < 2)
            continue;
        Finding finding = findingAt(samples[key], samples[key]);
        finding.value = static_cast<double>(ranks.size());
        finding.threshold = 1;
        finding.sentence =
            wording::ranks(ranks) + " saw the same samples in the epoch of step " + std::to_string(key.first);
        return Outcome::found(std::move(finding));
    }
    return Outcome::clear();
}

Outcome examineSameOrder(const AttemptEvidence &evidence)
{
    std::vector<int> constant;
    std::optional<Finding> first;
    bool isReported = false;
    bool hasEpochs = false;
    for (const RankEvidence &rank : evidence.ranks) {
        const series::Series *series = rank.find(orderSeries);
        if (series == nullptr)
            continue;
        isReported = true;
        std::set<double> orders;
        std::set<std::int64_t> steps;
        for (std::size_t i = 0; i < series->size(); ++i) {
            orders.insert(series->sample(i).value);
            steps.insert(series->sample(i).step);
        }
        hasEpochs = hasEpochs || steps.size() > 1;
        if (steps.size() < 2 || orders.size() > 1)
            continue;
        constant.push_back(rank.rank);
        if (!first) {
            first = findingAt(series->front(), series->back());
            first->value = static_cast<double>(steps.size());
            first->threshold = 1;
        }
    }
    if (!isReported)
        return Outcome::notEnoughData(nobodyReports);
    if (!hasEpochs)
        return Outcome::notEnoughData("only one epoch was reported");
    if (!first)
        return Outcome::clear();
    if (constant.size() == 1)
        first->rank = constant.front();
    first->sentence =
        wording::ranks(constant) + " saw the samples in the same order in all " + number(first->value) + " epochs";
    return Outcome::found(std::move(*first));
}

}  // namespace sweepscope::diagnosis
