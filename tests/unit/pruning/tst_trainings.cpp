#include "pruning/pruner.h"
#include "sweep/splitmix.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::pruning;
using sweep::PruneMethod;

namespace {

using Curve = std::vector<double>;  ///< val_loss after each epoch

/// Recorded trainings by model (trainings/record.py).
std::map<std::string, std::vector<Curve>> recordedTrainings()
{
    std::map<std::string, std::vector<Curve>> models;
    std::ifstream file(TRAININGS);
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells(line);
        std::string model;
        std::string cell;
        std::getline(cells, model, ',');
        std::getline(cells, cell, ',');  // the trial's number
        Curve &curve = models[model].emplace_back();
        while (std::getline(cells, cell, ','))
            curve.push_back(std::stod(cell));
    }
    return models;
}

struct Outcome {
    double best = std::numeric_limits<double>::infinity();
    double epochs = 0;  ///< that were trained
};

/// Trains in this order, eight at a time; an epoch takes the same time in all of them.
Outcome train(const std::vector<Curve> &curves, const std::vector<std::size_t> &order, const sweep::PruneSection *prune)
{
    constexpr std::size_t workers = 8;
    struct Running {
        std::size_t time;
        std::size_t trial;
        std::size_t epoch;
        double best;

        bool operator<(const Running &other) const  // the earliest is the largest
        {
            return std::pair(time, trial) > std::pair(other.time, other.trial);
        }
    };
    std::optional<Pruner> pruner;
    if (prune != nullptr)
        pruner.emplace(*prune, sweep::Goal::Minimize, 1);
    std::priority_queue<Running> running;
    std::size_t begun = 0;
    const auto begin = [&](std::size_t now) {
        if (begun < order.size())
            running.push({now + 1, begun++, 0, std::numeric_limits<double>::quiet_NaN()});
    };
    while (begun < workers)
        begin(0);
    Outcome outcome;
    while (!running.empty()) {
        Running trial = running.top();
        running.pop();
        const Curve &curve = curves[order[trial.trial]];
        const double value = curve[trial.epoch++];
        trial.best = std::isnan(trial.best) || value < trial.best ? value : trial.best;
        outcome.best = std::min(outcome.best, trial.best);
        ++outcome.epochs;
        const int number = static_cast<int>(trial.trial) + 1;
        const auto step = static_cast<std::int64_t>(trial.epoch);
        bool goesOn = trial.epoch < curve.size();
        if (pruner && goesOn && Rungs(*prune).upTo(step) == step) {
            (void)pruner->reached(number, {step, trial.best, value});
            goesOn = !pruner->verdict(number, step).reason;
        } else if (pruner && !goesOn) {
            pruner->completed(number, trial.best);
        }
        if (goesOn)
            running.push({trial.time + 1, trial.trial, trial.epoch, trial.best});
        else
            begin(trial.time);
    }
    return outcome;
}

sweep::PruneSection rule(PruneMethod method, std::int64_t first, std::int64_t every)
{
    sweep::PruneSection prune;
    prune.method = method;
    prune.firstStep = first;
    prune.every = every;
    prune.percentile = 25;
    prune.maxStep = 27;
    return prune;
}

}  // namespace

TEST_CASE("on recorded trainings, pruning finds the same objective in less than half of the device time")
{
    const std::map<std::string, sweep::PruneSection> rules{{"median", rule(PruneMethod::Median, 3, 1)},
                                                           {"percentile", rule(PruneMethod::Percentile, 3, 3)},
                                                           {"halving", rule(PruneMethod::Halving, 2, 0)},
                                                           {"hyperband", rule(PruneMethod::Hyperband, 1, 0)}};
    const auto models = recordedTrainings();
    REQUIRE(models.size() == 3);
    constexpr int orders = 20;
    for (const auto &[name, prune] : rules) {
        double share = 0;
        double loss = 0;
        int same = 0;
        std::string byModel;
        for (const auto &[model, curves] : models) {
            REQUIRE(curves.size() == 120);
            double shareOfModel = 0;
            for (int seed = 0; seed < orders; ++seed) {
                std::vector<std::size_t> order(curves.size());
                std::iota(order.begin(), order.end(), std::size_t{0});
                sweep::SplitMix64 random(static_cast<std::uint64_t>(seed));
                for (std::size_t i = order.size() - 1; i > 0; --i)
                    std::swap(order[i], order[random.nextBelow(i + 1)]);
                const Outcome whole = train(curves, order, nullptr);
                const Outcome pruned = train(curves, order, &prune);
                shareOfModel += pruned.epochs / whole.epochs / orders;
                loss += (pruned.best / whole.best - 1) / (orders * static_cast<double>(models.size()));
                same += pruned.best == whole.best ? 1 : 0;
            }
            share += shareOfModel / static_cast<double>(models.size());
            byModel +=
                (byModel.empty() ? "" : ", ") + model + " " + std::to_string(std::lround(100 * shareOfModel)) + " %";
        }
        CHECK(share < 0.5);
        CHECK(loss < 0.005);
        MESSAGE(name << ": " << std::lround(100 * share) << " % of the device time (" << byModel
                     << "); the best objective is " << 100 * loss << " % worse, and the same in " << same << " of "
                     << orders * models.size() << " sweeps");
    }
}
