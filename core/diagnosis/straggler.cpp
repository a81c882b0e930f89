#include "diagnosis/examinations.h"
#include "diagnosis/stepwindows.h"
#include "diagnosis/words.h"

#include <algorithm>

namespace sweepscope::diagnosis {

namespace {

constexpr double slowRatio = 1.15;
/// Of a step: below that it does not matter how the ranks differ.
constexpr double leastCost = 0.05;
/// Of a step: ranks that wait less for each other than that do not see the exchange at all.
constexpr double leastSeenWait = 0.01;
/// Of what a rank takes longer than the others, so much at least must be time in which these wait for it.
constexpr double leastWaitedFor = 0.5;

using Means = std::vector<std::optional<double>>;

struct Figures {
    std::vector<Means> compute;   ///< by rank
    std::vector<Means> commWait;  ///< by rank; empty when not all ranks report it
    std::vector<Means> stepTime;  ///< the same
};

std::vector<Means> meansOf(const AttemptEvidence &evidence, const StepWindows &windows, const char *name)
{
    std::vector<Means> means;
    for (const RankEvidence &rank : evidence.ranks) {
        const series::Series *series = rank.find(name);
        if (series == nullptr)
            return {};
        means.push_back(windows.means(*series));
    }
    return means;
}

/// The median of all ranks but one.
std::optional<double> othersMedian(const std::vector<Means> &means, std::size_t rank, std::size_t window)
{
    std::vector<double> others;
    for (std::size_t other = 0; other < means.size(); ++other) {
        if (other != rank && means[other][window])
            others.push_back(*means[other][window]);
    }
    if (others.empty())
        return std::nullopt;
    return medianOf(std::move(others));
}

/// In a step all ranks take equally long: the slow one computes, the others wait for it in the all-reduce.
std::optional<bool> isSlow(const Figures &figures, std::size_t rank, std::size_t window)
{
    const std::optional<double> own = figures.compute[rank][window];
    const std::optional<double> others = othersMedian(figures.compute, rank, window);
    if (!own || !others || *others <= 0)
        return std::nullopt;
    const double longer = *own - *others;
    if (*own < slowRatio * *others)
        return false;
    if (!figures.stepTime.empty() && longer < leastCost * figures.stepTime[rank][window].value_or(0))
        return false;
    if (figures.commWait.empty())
        return true;
    const std::optional<double> ownWait = figures.commWait[rank][window];
    const std::optional<double> othersWait = othersMedian(figures.commWait, rank, window);
    return ownWait && othersWait && *othersWait - *ownWait >= leastWaitedFor * longer;
}

/// With NCCL the GPU waits, and the host only queues: then compute time is the whole step's, the same on all ranks.
bool seesTheExchange(const Figures &figures, int windows)
{
    if (figures.commWait.empty() || figures.stepTime.empty())
        return true;
    const Stretch all{0, windows};
    for (std::size_t rank = 0; rank < figures.commWait.size(); ++rank) {
        const double step = meanOver(figures.stepTime[rank], all).value_or(0);
        if (meanOver(figures.commWait[rank], all).value_or(0) >= leastSeenWait * step)
            return true;
    }
    return false;
}

Finding describe(const RankEvidence &rank, const Figures &figures, std::size_t index, const StepWindows &windows,
                 Stretch stretch)
{
    Means others(static_cast<std::size_t>(windows.count()));
    for (std::size_t i = 0; i < others.size(); ++i)
        others[i] = othersMedian(figures.compute, index, i);
    const double own = *meanOver(figures.compute[index], stretch);
    const double reference = *meanOver(others, stretch);
    Finding finding;
    finding.rank = rank.rank;
    finding.window = windows.window(stretch, *rank.find("compute_time"));
    finding.value = own / reference;
    finding.threshold = slowRatio;
    finding.sentence = "rank " + std::to_string(rank.rank) + " computes " + percent(own / reference - 1)
                       + " longer per step than the others (" + duration(own) + " instead of " + duration(reference)
                       + "), which wait for it";
    return finding;
}

}  // namespace

Outcome examineStraggler(const AttemptEvidence &evidence)
{
    std::string missing;
    const std::optional<StepWindows> windows = StepWindows::over(evidence, "compute_time", missing);
    if (!windows)
        return Outcome::notEnoughData(missing);
    const Figures figures{meansOf(evidence, *windows, "compute_time"), meansOf(evidence, *windows, "comm_wait"),
                          meansOf(evidence, *windows, "step_time")};
    std::vector<Finding> findings;
    for (std::size_t rank = 0; rank < evidence.ranks.size(); ++rank) {
        const auto stretch =
            windows->longStretch([&](int window) { return isSlow(figures, rank, static_cast<std::size_t>(window)); });
        if (stretch)
            findings.push_back(describe(evidence.ranks[rank], figures, rank, *windows, *stretch));
    }
    if (findings.empty() && !evidence.gpus.empty() && !seesTheExchange(figures, windows->count()))
        return Outcome::notEnoughData(
            "the host does not wait for the GPUs, so its times do not show which rank is slow");
    return Outcome::found(std::move(findings));
}

}  // namespace sweepscope::diagnosis
