#include "models/analysisfigures.h"

#include "sweep/splitmix.h"

#include <cmath>

namespace sweepscope::tests {

namespace {

sweep::Dimension range(const char *name, sweep::DimensionKind kind, double low, double high)
{
    sweep::Dimension dimension;
    dimension.name = name;
    dimension.kind = kind;
    dimension.low = low;
    dimension.high = high;
    return dimension;
}

sweep::Dimension choice(const char *name, std::vector<sweep::ParameterValue> values)
{
    sweep::Dimension dimension;
    dimension.name = name;
    dimension.kind = sweep::DimensionKind::Choice;
    dimension.values = std::move(values);
    return dimension;
}

}  // namespace

AnalysedSweep::AnalysedSweep(int count)
{
    spec.method = sweep::SearchMethod::Random;  // whose ranges need no points
    spec.space = {range("lr", sweep::DimensionKind::Log, 1e-5, 1e-1),
                  choice("optimizer", {std::string("adam"), std::string("sgd"), std::string("two words")}),
                  range("momentum", sweep::DimensionKind::Linear, 0.5, 0.99),
                  range("layers", sweep::DimensionKind::Integer, 1, 6), choice("augment", {true, false})};
    record.id = 1;
    record.name = "analysed";
    record.objective = "val_loss";
    record.goal = sweep::Goal::Minimize;
    record.trialsTotal = count;
    for (const sweep::Dimension &dimension : spec.space)
        record.parameterNames.push_back(dimension.name);
    sweep::SplitMix64 random(7);
    for (int number = 1; number <= count; ++number) {
        sweep::TrialRecord trial;
        trial.sweepId = record.id;
        trial.number = number;
        trial.attempts = 1;
        const double rate = std::pow(10.0, -5 + 4 * random.nextUnit());
        const std::uint64_t optimizer = random.nextBelow(3);
        const auto layers = static_cast<std::int64_t>(1 + random.nextBelow(6));
        trial.parameters = {{"lr", rate}, {"optimizer", spec.space[1].values[optimizer]}};
        if (optimizer == 1)
            trial.parameters.emplace_back("momentum", 0.5 + 0.49 * random.nextUnit());
        trial.parameters.emplace_back("layers", layers);
        trial.parameters.emplace_back("augment", random.nextBelow(2) == 0);
        const double loss = 0.1 + std::pow(std::log10(rate) + 3, 2) + 0.1 * static_cast<double>(layers)
                            + 0.3 * static_cast<double>(optimizer) + 0.05 * random.nextUnit();
        trial.state = number % 11 == 0   ? sweep::TrialState::Pruned
                      : number % 13 == 0 ? sweep::TrialState::Failed
                      : number % 17 == 0 ? sweep::TrialState::Running
                                         : sweep::TrialState::Completed;
        if (number % 19 != 0)
            trial.objectiveLast = trial.objectiveBest =
                sweep::ObjectiveValue{number % 23 == 0 ? std::nan("") : loss, 10};
        trial.metrics = {{"accuracy", 1 - loss / 10, 10, 0.1, 0.9}};
        trial.started = number * 1'000'000'000LL;
        trial.ended = *trial.started + static_cast<WallNs>(random.nextUnit() * 9e9);
        trials.push_back(std::move(trial));
    }
}

ui::FigurePtr AnalysedSweep::figure(bool logarithmic) const
{
    analysis::Target target;
    target.goal = record.goal;
    return ui::makeFigure(analysis::collect(spec, record, trials, target), QStringLiteral("Best val_loss"),
                          logarithmic);
}

}  // namespace sweepscope::tests
