#include "analysis/modelsurface.h"
#include "surrogatesweep.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::analysis;
using analysis::testing::SurrogateSweep;

namespace {

double bowl(double lr, double dropout)
{
    return 1 + std::pow(std::log10(lr) + 3, 2) + 4 * std::pow(dropout - 0.5, 2);
}

double dome(double lr, double dropout)
{
    return -bowl(lr, dropout);
}

}  // namespace

TEST_CASE("the surface is the function, in its own unit, in both directions")
{
    for (const sweep::Goal goal : {sweep::Goal::Minimize, sweep::Goal::Maximize}) {
        SurrogateSweep sweep(goal == sweep::Goal::Minimize ? bowl : dome);
        sweep.spec.goal = sweep.record.goal = goal;
        sweep.search(80, 1e-3, 0.5);
        const SurrogatePtr surrogate = sweep.surrogate();
        REQUIRE(surrogate);
        const auto surface = modelSurface(*surrogate, "lr", "dropout");
        REQUIRE(surface);
        CHECK(surface->x.parameter.scale == Scale::Log);
        CHECK(surface->x.places.front() == doctest::Approx(1e-5));
        CHECK(surface->x.places.back() == doctest::Approx(1e-1));
        CHECK(surface->y.parameter.scale == Scale::Linear);
        CHECK(surface->others.empty());
        CHECK(surface->points.size() == 80);
        double sum = 0;
        for (std::size_t row = 0; row < surface->y.places.size(); ++row) {
            for (std::size_t column = 0; column < surface->x.places.size(); ++column) {
                const double value = surface->values[surface->indexOf(column, row)];
                sum += std::fabs(value - sweep.function(surface->x.places[column], surface->y.places[row]));
            }
        }
        // The function's values span 5, and the corners are far from all trials.
        CHECK(sum / static_cast<double>(surface->values.size()) < 0.2);
        // The axes can be exchanged.
        const auto turned = modelSurface(*surrogate, "dropout", "lr");
        REQUIRE(turned);
        CHECK(turned->values[turned->indexOf(7, 31)] == doctest::Approx(surface->values[surface->indexOf(31, 7)]));
        CHECK_FALSE(modelSurface(*surrogate, "lr", "lr"));
        CHECK_FALSE(modelSurface(*surrogate, "lr", "width"));
    }
}

TEST_CASE("a surrogate outlasts the definition and the trials that it was made of")
{
    SurrogateSweep sweep(bowl);
    sweep.search(20, 1e-3, 0.5);
    const SurrogatePtr surrogate = sweep.surrogate();
    REQUIRE(surrogate);
    const auto before = modelSurface(*surrogate, "lr", "dropout");
    sweep.trials.clear();
    for (sweep::Dimension &dimension : sweep.spec.space) {
        dimension.low = dimension.high = 1;
        dimension.kind = sweep::DimensionKind::Integer;
    }
    const auto after = modelSurface(*surrogate, "lr", "dropout");
    CHECK(after->values == before->values);
}

TEST_CASE("the deviation is small next to trials, also pending ones, and large elsewhere")
{
    SurrogateSweep sweep(bowl);
    sweep.search(40, 1e-4, 0.2);
    const auto deviationAt = [&sweep](double lr, double dropout) {
        const auto surface = modelSurface(*sweep.surrogate(), "lr", "dropout");
        const auto column = static_cast<std::size_t>(std::lround((std::log10(lr) + 5) / 4 * 59));
        const auto row = static_cast<std::size_t>(std::lround(dropout / 0.8 * 59));
        return surface->deviations[surface->indexOf(column, row)];
    };
    const double far = deviationAt(0.1, 0.8);
    CHECK(deviationAt(1e-4, 0.2) < 0.2 * far);
    sweep.run(0.1, 0.8);
    sweep.trials.back().state = sweep::TrialState::Running;
    sweep.trials.back().objectiveBest.reset();
    CHECK(deviationAt(0.1, 0.8) < 0.5 * far);
    const auto surface = modelSurface(*sweep.surrogate(), "lr", "dropout");
    CHECK(surface->points.back().isPending);
    CHECK(surface->points.back().trial == 41);
    CHECK(surface->points.back().x == 0.1);
    CHECK(std::ranges::count(surface->points, true, &SurfacePoint::isPending) == 1);
}

TEST_CASE("lists and categories are cells, constraints leave gaps, and other parameters are the best trial's")
{
    SurrogateSweep sweep(bowl);
    sweep.add("batch", sweep::DimensionKind::List, 0, 0).values = {std::int64_t{256}, std::int64_t{16},
                                                                   std::int64_t{32}};
    sweep.add("optimizer", sweep::DimensionKind::Choice, 0, 0).values = {std::string("sgd"), std::string("adam")};
    sweep::Dimension &momentum = sweep.add("momentum", sweep::DimensionKind::Linear, 0, 0.99);
    momentum.when = "optimizer == 'sgd'";
    sweep.add("layers", sweep::DimensionKind::Integer, 1, 4);
    sweep.add("seed", sweep::DimensionKind::Integer, 1, 9);
    sweep.spec.constraints = {{"fits", "batch < 256 or dropout < 0.4"}};
    sweep.search(40, 1e-3, 0.5);
    sweep::SplitMix64 random(3);
    for (sweep::TrialRecord &trial : sweep.trials) {
        const bool isSgd = random.nextBelow(2) == 0;
        trial.parameters.emplace_back("batch", sweep.spec.space[2].values[1 + random.nextBelow(2)]);
        trial.parameters.emplace_back("optimizer", std::string(isSgd ? "sgd" : "adam"));
        if (isSgd)
            trial.parameters.emplace_back("momentum", 0.9);
        trial.parameters.emplace_back("layers", static_cast<std::int64_t>(1 + random.nextBelow(4)));
        trial.parameters.emplace_back("seed", static_cast<std::int64_t>(1 + random.nextBelow(9)));
        trial.objectiveBest->value += isSgd ? 2 : 0;
    }
    const SurrogatePtr surrogate = sweep.surrogate();
    REQUIRE(surrogate);
    // The best trial uses adam, so there is no momentum; the seed repeats a point.
    CHECK(surfaceParameters(*surrogate) == std::vector<std::string>{"lr", "dropout", "batch", "optimizer", "layers"});
    const auto surface = modelSurface(*surrogate, "batch", "dropout");
    REQUIRE(surface);
    CHECK(surface->x.parameter.scale == Scale::Categories);
    CHECK(surface->x.parameter.categories == std::vector<std::string>{"16", "32", "256"});
    REQUIRE(surface->x.places.size() == 3);
    CHECK(std::isfinite(surface->values[surface->indexOf(2, 0)]));
    CHECK(std::isnan(surface->values[surface->indexOf(2, 59)]));
    CHECK(std::isnan(surface->deviations[surface->indexOf(2, 59)]));
    CHECK(std::isfinite(surface->values[surface->indexOf(1, 59)]));
    const sweep::TrialRecord &best = sweep.trials[static_cast<std::size_t>(surface->bestTrial - 1)];
    for (const sweep::TrialRecord &trial : sweep.trials)
        CHECK(trial.objectiveBest->value >= best.objectiveBest->value);
    CHECK(surface->others == sweep::ParameterSet{best.parameters[0], best.parameters[3], best.parameters[4]});

    const auto byOptimizer = modelSurface(*surrogate, "lr", "optimizer");
    REQUIRE(byOptimizer);
    const auto column = static_cast<std::size_t>(30);
    CHECK(byOptimizer->values[byOptimizer->indexOf(column, 0)]
          > byOptimizer->values[byOptimizer->indexOf(column, 1)] + 0.5);  // sgd is worse
    const auto first = std::ranges::find(byOptimizer->points, 1, &SurfacePoint::trial);
    CHECK(first->y == (sweep.trials.front().parameters[3].second == sweep::ParameterValue(std::string("sgd")) ? 0 : 1));
}

TEST_CASE("other metrics than the objective have a surface, and failed trials count as the worst")
{
    SurrogateSweep sweep(bowl);
    sweep.search(30, 1e-3, 0.5);
    for (sweep::TrialRecord &trial : sweep.trials)
        trial.metrics = {{"speed", 100 * std::get<double>(trial.parameters[1].second), 10, 0, 100}};
    Target target;
    target.kind = Target::Kind::MetricLast;
    target.metric = "speed";
    target.goal = sweep::Goal::Maximize;
    const auto surrogateOf = [&] {
        const TrialValues values = collect(sweep.spec, sweep.record, sweep.trials, target);
        return Surrogate::fit(sweep.spec, target.goal, observationsOf(sweep.spec, sweep.trials, values));
    };
    const SurrogatePtr surrogate = surrogateOf();
    REQUIRE(surrogate);
    const auto surface = modelSurface(*surrogate, "lr", "dropout");
    CHECK(surface->values[surface->indexOf(30, 45)] == doctest::Approx(100 * surface->y.places[45]).epsilon(0.1));
    // A trial that failed at a large dropout.
    sweep.run(1e-3, 0.61);
    sweep.trials.back().state = sweep::TrialState::Failed;
    sweep.trials.back().objectiveBest.reset();
    const auto after = modelSurface(*surrogateOf(), "lr", "dropout");
    CHECK(after->values[after->indexOf(30, 45)] < surface->values[surface->indexOf(30, 45)] - 5);
}
