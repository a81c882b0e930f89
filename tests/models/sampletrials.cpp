#include "models/sampletrials.h"

#include <array>

namespace sweepscope::tests {

sweep::SweepRecord sampleSweep(std::int64_t id, int trials)
{
    sweep::SweepRecord record;
    record.id = id;
    record.name = "sweep " + std::to_string(id);
    record.folder = "000" + std::to_string(id) + "-sweep";
    record.objective = "val_accuracy";
    record.goal = sweep::Goal::Maximize;
    record.parameterNames = {"lr", "hidden", "optimizer"};
    record.trialsTotal = trials;
    return record;
}

std::vector<sweep::TrialRecord> sampleTrials(std::int64_t sweepId, int count)
{
    constexpr std::array<double, 4> rates = {0.1, 1e-05, 0.0046415888336127825, 2.0};
    constexpr std::array<std::int64_t, 3> widths = {8, 32, 128};
    std::vector<sweep::TrialRecord> trials;
    for (int number = 1; number <= count; ++number) {
        sweep::TrialRecord trial;
        trial.sweepId = sweepId;
        trial.number = number;
        const auto at = static_cast<std::size_t>(number - 1);
        trial.parameters = {{"lr", rates[at % rates.size()]}, {"hidden", widths[at % widths.size()]}};
        if (number % 2 == 1)
            trial.parameters.emplace_back("optimizer", std::string(number % 4 == 1 ? "adam" : "sgd"));
        trials.push_back(std::move(trial));
    }
    return trials;
}

void finish(sweep::TrialRecord &trial, double objective, WallNs started, WallNs ended)
{
    trial.state = sweep::TrialState::Completed;
    trial.attempts = 1;
    trial.objectiveLast = sweep::ObjectiveValue{objective - 0.01, 20};
    trial.objectiveBest = sweep::ObjectiveValue{objective, 10};
    trial.started = started;
    trial.ended = ended;
    trial.progress = 1;
}

}  // namespace sweepscope::tests
