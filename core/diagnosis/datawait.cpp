#include "diagnosis/examinations.h"
#include "diagnosis/stepwindows.h"
#include "diagnosis/words.h"

#include <algorithm>

namespace sweepscope::diagnosis {

namespace {

constexpr double starvedShare = 0.10;

struct Starved {
    Finding finding;
    double share = 0;
};

std::optional<Starved> examineRank(const RankEvidence &rank, const StepWindows &windows)
{
    const auto waits = windows.means(*rank.find("data_wait"));
    const auto steps = windows.means(*rank.find("step_time"));
    const auto isStarved = [&](int window) -> std::optional<bool> {
        const auto i = static_cast<std::size_t>(window);
        if (!waits[i] || !steps[i] || *steps[i] <= 0)
            return std::nullopt;
        return *waits[i] >= starvedShare * *steps[i];
    };
    const std::optional<Stretch> stretch = windows.longStretch(isStarved);
    if (!stretch)
        return std::nullopt;
    Starved starved;
    const double wait = *meanOver(waits, *stretch);
    starved.share = wait / *meanOver(steps, *stretch);
    starved.finding.rank = rank.rank;
    starved.finding.window = windows.window(*stretch, *rank.find("data_wait"));
    starved.finding.value = 100 * starved.share;
    starved.finding.threshold = 100 * starvedShare;
    starved.finding.unit = "%";
    starved.finding.sentence = " of each step for data (" + duration(wait) + ")";
    return starved;
}

/// All ranks wait as a rule: one finding, not one for each of 64.
Finding combine(std::vector<Starved> all, std::size_t ranks)
{
    const auto worst =
        std::max_element(all.begin(), all.end(), [](const Starved &a, const Starved &b) { return a.share < b.share; });
    Finding finding = worst->finding;
    const bool everybody = all.size() == ranks && ranks > 1;
    std::vector<int> names;
    for (const Starved &starved : all)
        names.push_back(*starved.finding.rank);
    finding.sentence = (everybody ? "all ranks" : wording::ranks(names)) + (all.size() == 1 ? " waits " : " wait ")
                       + (all.size() == 1 ? "" : "up to ") + percent(worst->share) + finding.sentence;
    if (all.size() > 1)
        finding.sentence += ", rank " + std::to_string(*worst->finding.rank) + " the longest";
    if (everybody)
        finding.rank.reset();
    return finding;
}

}  // namespace

Outcome examineDataWait(const AttemptEvidence &evidence)
{
    std::string missing;
    const std::optional<StepWindows> windows = StepWindows::over(evidence, "data_wait", missing);
    if (!windows)
        return Outcome::notEnoughData(missing);
    std::vector<Starved> starved;
    for (const RankEvidence &rank : evidence.ranks) {
        if (rank.find("step_time") == nullptr)
            return Outcome::notEnoughData("rank " + std::to_string(rank.rank) + " reports no step_time");
        if (auto found = examineRank(rank, *windows))
            starved.push_back(std::move(*found));
    }
    return starved.empty() ? Outcome::clear() : Outcome::found(combine(std::move(starved), evidence.ranks.size()));
}

}  // namespace sweepscope::diagnosis
