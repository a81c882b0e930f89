#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::diagnosis {

namespace {

/// Where the training loss is NaN in the step in which the gradients are, the loss is why; losses of an evaluation follow.
enum class Kind { TrainingLoss, GradientNorm, EvaluationLoss, Other };

Kind kindOf(std::string name)
{
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto has = [&name](const char *part) { return name.find(part) != std::string::npos; };
    if (has("grad_norm"))
        return Kind::GradientNorm;
    if (!has("loss"))
        return Kind::Other;
    return has("val") || has("test") ? Kind::EvaluationLoss : Kind::TrainingLoss;
}

/// The names of all losses and gradient norms, and that of an objective that is minimized, in the order of Kind.
std::vector<std::string> watched(const AttemptEvidence &evidence)
{
    std::set<std::pair<Kind, std::string>> names;
    for (const RankEvidence &rank : evidence.ranks) {
        for (const series::Series *series : rank.curves) {
            const Kind kind = kindOf(series->name());
            const bool isWatched = kind != Kind::Other || series->name() == evidence.minimized;
            if (isWatched && !series->empty())
                names.emplace(kind, series->name());
        }
    }
    std::vector<std::string> ordered;
    for (const auto &[kind, name] : names)
        ordered.push_back(name);
    return ordered;
}

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
    std::string series;
    series::Sample sample;
    std::vector<int> ranks;
};

}  // namespace

Outcome examineNotFinite(const AttemptEvidence &evidence)
{
    std::optional<Hit> first;
    const std::vector<std::string> names = watched(evidence);
    for (const std::string &name : names) {
        for (const RankEvidence &rank : evidence.ranks) {
            const series::Series *series = rank.find(name);
            const auto sample = series == nullptr ? std::nullopt : firstNotFinite(*series);
            if (!sample)
                continue;
            if (!first || sample->step < first->sample.step)
                first = Hit{name, *sample, {rank.rank}};
            else if (first->series == name && sample->step == first->sample.step)
                first->ranks.push_back(rank.rank);
        }
    }
    if (names.empty())
        return Outcome::notEnoughData("no rank reports a loss or a gradient norm");
    if (!first)
        return Outcome::clear();
    Finding finding;
    const bool isOneOfSeveral = evidence.ranks.size() > 1;
    if (first->ranks.size() == 1 && isOneOfSeveral)
        finding.rank = first->ranks.front();
    const series::Sample &sample = first->sample;
    finding.window = {sample.timeNs, sample.timeNs, sample.step, sample.step};
    finding.series = first->series;
    finding.value = sample.value;
    finding.sentence = first->series + (std::isnan(sample.value) ? " is NaN" : " is infinite")
                       + (isOneOfSeveral ? " on " + wording::ranks(first->ranks) : "") + " at step "
                       + std::to_string(sample.step);
    return Outcome::found(std::move(finding));
}

}  // namespace sweepscope::diagnosis
