#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

#include <map>
#include <optional>
#include <set>

namespace sweepscope::diagnosis {

namespace {

/// A fingerprint of the order in which a rank sees its samples, once per epoch.
constexpr const char *orderSeries = "sample_order";
const std::string nobodyReports = "no rank reports sample_order";
constexpr std::size_t fewestEqualLosses = 10;

Finding findingAt(const series::Sample &first, const series::Sample &last)
{
    Finding finding;
    finding.window = {first.timeNs, last.timeNs, first.step, last.step};
    return finding;
}

/// Losses by step; the last one of a step that was repeated.
std::map<std::int64_t, series::Sample> lossesOf(const RankEvidence &rank)
{
    std::map<std::int64_t, series::Sample> losses;
    const series::Series *loss = rank.find("loss");
    for (std::size_t i = 0; loss != nullptr && i < loss->size(); ++i)
        losses[loss->sample(i).step] = loss->sample(i);
    return losses;
}

/// Ranks that see other samples have other losses: bit for bit the same at all steps are those of the same samples, unless
/// the script reports a mean over ranks.
std::optional<Finding> equalLosses(const AttemptEvidence &evidence)
{
    if (evidence.ranks.size() < 2)
        return std::nullopt;
    const std::map<std::int64_t, series::Sample> first = lossesOf(evidence.ranks.front());
    std::vector<int> equal{evidence.ranks.front().rank};
    std::set<double> values;
    std::optional<Finding> finding;
    for (std::size_t r = 1; r < evidence.ranks.size(); ++r) {
        const std::map<std::int64_t, series::Sample> other = lossesOf(evidence.ranks[r]);
        std::size_t common = 0;
        bool differs = false;
        for (const auto &[step, sample] : other) {
            const auto same = first.find(step);
            if (same == first.end())
                continue;
            ++common;
            differs = differs || same->second.value != sample.value;
            values.insert(sample.value);
        }
        if (differs || common < fewestEqualLosses)
            continue;
        equal.push_back(evidence.ranks[r].rank);
        finding = findingAt(first.begin()->second, first.rbegin()->second);
        finding->value = static_cast<double>(common);
    }
    if (!finding || values.size() < fewestEqualLosses / 2)  // a loss that stays what it is says nothing
        return std::nullopt;
    finding->threshold = static_cast<double>(fewestEqualLosses);
    finding->severity = Severity::Warning;
    finding->hasOwnSeverity = true;
    finding->sentence = wording::ranks(equal)
                        + " have the same loss at all steps, to the last digit: they see the same samples"
                        + ", unless the script reports the mean over ranks";
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
    if (auto finding = reporting < 2 ? equalLosses(evidence) : std::nullopt)
        return Outcome::found(*finding);
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
