#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sweepscope::diagnosis {

namespace {

constexpr std::array watched{"loss", "train_loss", "grad_norm", "val_loss"};

/// The first sample that is NaN or infinite; blocks without one are not looked into.
std::optional<series::Sample> firstNotFinite(const series::Series &series)
{
    std::size_t number = 0;
    for (std::size_t block = 0; block < series.blocks().size(); ++block) {
        const series::Summary summary = series.summaryOf(block);
        if (summary.finite != summary.count)
            break;
        number += summary.count;
    }
    for (; number < series.size(); ++number) {
        if (const series::Sample sample = series.sample(number); !std::isfinite(sample.value))
            return sample;
    }
    return std::nullopt;
}

struct Hit {
    const char *series;
    series::Sample sample;
    std::vector<int> ranks;
};

}  // namespace

Outcome examineNotFinite(const AttemptEvidence &evidence)
{
    std::optional<Hit> first;
    bool isReported = false;
    // In the order of `watched`: where the loss is NaN in the step in which the gradients are, the loss is why.
    for (const char *name : watched) {
        for (const RankEvidence &rank : evidence.ranks) {
            const series::Series *series = rank.find(name);
            isReported = isReported || series != nullptr;
            const auto sample = series == nullptr ? std::nullopt : firstNotFinite(*series);
            if (!sample)
                continue;
            if (!first || sample->step < first->sample.step)
                first = Hit{name, *sample, {rank.rank}};
            else if (first->series == name && sample->step == first->sample.step)
                first->ranks.push_back(rank.rank);
        }
    }
    if (!isReported)
        return Outcome::notEnoughData("no rank reports loss, train_loss, grad_norm or val_loss");
    if (!first)
        return Outcome::clear();
    Finding finding;
    if (first->ranks.size() == 1)
        finding.rank = first->ranks.front();
    const series::Sample &sample = first->sample;
    finding.window = {sample.timeNs, sample.timeNs, sample.step, sample.step};
    finding.value = sample.value;
    finding.sentence = std::string(first->series) + (std::isnan(sample.value) ? " is NaN" : " is infinite") + " on "
                       + wording::ranks(first->ranks) + " at step " + std::to_string(sample.step);
    return Outcome::found(std::move(finding));
}

}  // namespace sweepscope::diagnosis
