#pragma once

#include "analysis/surrogate.h"
#include "sweep/splitmix.h"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::analysis::testing {

/// A sweep over `lr` (logarithmic, 1e-5 to 1e-1) and `dropout` (0 to 0.8) with results of a function of both.
struct SurrogateSweep {
    using Function = std::function<double(double lr, double dropout)>;

    sweep::SweepSpec spec;
    sweep::SweepRecord record;
    std::vector<sweep::TrialRecord> trials;
    Function function;

    explicit SurrogateSweep(Function result) : function(std::move(result))
    {
        spec.method = sweep::SearchMethod::Gp;
        spec.objective = record.objective = "loss";
        add("lr", sweep::DimensionKind::Log, 1e-5, 1e-1);
        add("dropout", sweep::DimensionKind::Linear, 0, 0.8);
    }

    sweep::Dimension &add(const std::string &name, sweep::DimensionKind kind, double low, double high)
    {
        sweep::Dimension &dimension = spec.space.emplace_back();
        dimension.name = name;
        dimension.kind = kind;
        dimension.low = low;
        dimension.high = high;
        record.parameterNames.push_back(name);
        return dimension;
    }

    void run(double lr, double dropout)
    {
        sweep::TrialRecord &trial = trials.emplace_back();
        trial.number = static_cast<int>(trials.size());
        trial.state = sweep::TrialState::Completed;
        trial.parameters = {{"lr", lr}, {"dropout", dropout}};
        trial.objectiveBest = trial.objectiveLast = sweep::ObjectiveValue{function(lr, dropout), 10};
    }

    /// Half of the trials are spread over the space, the others are close to a point, as a search would choose them.
    void search(int count, double lr, double dropout)
    {
        sweep::SplitMix64 random(1);
        for (int i = 0; i < count; ++i) {
            const double width = i < count / 2 ? 1 : 0.15;
            const double nearLr = std::log10(lr) + width * (4 * random.nextUnit() - 2);
            const double nearDropout = dropout + width * (0.8 * random.nextUnit() - 0.4);
            run(std::pow(10.0, std::fmin(-1, std::fmax(-5, nearLr))), std::fmin(0.8, std::fmax(0, nearDropout)));
        }
    }

    TrialValues values() const
    {
        Target target;
        target.goal = spec.goal;
        return collect(spec, record, trials, target);
    }

    SurrogatePtr surrogate() const { return Surrogate::fit(spec, spec.goal, observationsOf(spec, trials, values())); }
};

}  // namespace sweepscope::analysis::testing
