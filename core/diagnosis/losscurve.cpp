#include "diagnosis/losscurve.h"

#include "diagnosis/words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>

namespace sweepscope::diagnosis {

namespace {

using series::XAxis;

constexpr std::size_t mostColumns = 100'000;
/// How the level of a loss is measured.
struct Levels {
    std::size_t steps = 10;  ///< of a median, so that a few hard batches do not count
    double factor = 100;     ///< above the lowest level, for a divergence
};

/// Of few values, which are often means of an epoch.
constexpr Levels levelsOfShortRun{3, 1000};
constexpr std::size_t shortRun = 20;
constexpr std::size_t startSteps = 3;  ///< fewer: a loss may explode at once

/// "loss", "val/loss", "train_loss", "Loss"; not "loss_scale".
bool isLoss(std::string name)
{
    name.erase(0, name.find_last_of("/_.- :") + 1);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name == trainingLoss;
}

double levelOf(const std::vector<double> &losses, std::size_t begin, std::size_t count)
{
    const auto first = losses.begin() + static_cast<std::ptrdiff_t>(begin);
    return medianOf({first, first + static_cast<std::ptrdiff_t>(count)});
}

}  // namespace

std::vector<std::string> lossNames(const AttemptEvidence &evidence)
{
    std::set<std::string> others;
    bool hasTrainingLoss = false;
    for (const RankEvidence &rank : evidence.ranks) {
        for (const series::Series *series : rank.curves) {
            const std::string &name = series->name();
            hasTrainingLoss = hasTrainingLoss || name == trainingLoss;
            if (name != trainingLoss && (isLoss(name) || name == evidence.minimized))
                others.insert(name);
        }
    }
    std::vector<std::string> names(others.begin(), others.end());
    if (hasTrainingLoss)
        names.insert(names.begin(), trainingLoss);
    return names;
}

std::vector<const RankEvidence *> ranksReporting(const AttemptEvidence &evidence, const std::string &name)
{
    std::vector<const RankEvidence *> ranks;
    for (const RankEvidence &rank : evidence.ranks) {
        if (rank.find(name) != nullptr)
            ranks.push_back(&rank);
    }
    return ranks;
}

LossCurve meanLoss(const std::vector<const RankEvidence *> &ranks, const std::string &name)
{
    LossCurve curve;
    curve.from = -std::numeric_limits<double>::infinity();
    curve.to = std::numeric_limits<double>::infinity();
    std::size_t size = mostColumns;
    for (const RankEvidence *rank : ranks) {
        const auto [first, last] = rank->find(name)->extent(XAxis::Step);
        curve.from = std::max(curve.from, first);
        curve.to = std::min(curve.to, last);
        size = std::min(size, rank->find(name)->size());
    }
    if (!(curve.from < curve.to))
        return curve;
    struct Sum {
        double step = 0;
        double losses = 0;
        double count = 0;
    };
    std::vector<Sum> sums(size);
    for (const RankEvidence *rank : ranks) {
        const int columns = static_cast<int>(size);
        for (const series::Column &column : rank->find(name)->columns(XAxis::Step, curve.from, curve.to, columns)) {
            if (!column.hasFinite())
                continue;
            Sum &sum = sums[static_cast<std::size_t>(series::columnAt(column.x, curve.from, curve.to, columns))];
            sum.step = sum.count == 0 ? column.x : sum.step;
            sum.losses += column.mean;
            ++sum.count;
        }
    }
    for (const Sum &sum : sums) {
        if (sum.count == 0)
            continue;
        curve.steps.push_back(sum.step);
        curve.values.push_back(sum.losses / sum.count);
    }
    return curve;
}

std::optional<Divergence> divergenceOf(const std::vector<double> &losses)
{
    if (losses.size() < leastLosses)
        return std::nullopt;
    const Levels levels = losses.size() < shortRun ? levelsOfShortRun : Levels();
    const double start = levelOf(losses, 0, startSteps);
    double best = start;
    for (std::size_t begin = 0; begin + levels.steps <= losses.size(); begin += levels.steps)
        best = std::min(best, levelOf(losses, begin, levels.steps));
    Divergence divergence{0, best, levelOf(losses, losses.size() - levels.steps, levels.steps), 0};
    // Of a likelihood, which may be negative, the size of the values is the scale.
    const double scale = best > 0 ? best : std::max(std::abs(best), std::abs(start));
    divergence.threshold = std::max(start, levels.factor * scale);
    if (scale == 0 || !(divergence.last > divergence.threshold))
        return std::nullopt;
    const auto below =
        std::find_if(losses.rbegin(), losses.rend(), [&](double loss) { return loss <= divergence.threshold; });
    divergence.begin = static_cast<std::size_t>(losses.rend() - below);
    return divergence;
}

}  // namespace sweepscope::diagnosis
