#include "analysis/trialvalues.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::analysis;

namespace {

sweep::SweepRecord record(std::vector<std::string> names)
{
    sweep::SweepRecord sweep;
    sweep.parameterNames = std::move(names);
    sweep.objective = "val_loss";
    return sweep;
}

sweep::TrialRecord trial(int number, sweep::ParameterSet parameters, std::optional<double> objective)
{
    sweep::TrialRecord trial;
    trial.number = number;
    trial.state = sweep::TrialState::Completed;
    trial.parameters = std::move(parameters);
    if (objective)
        trial.objectiveBest = sweep::ObjectiveValue{*objective, 3};
    trial.objectiveLast = trial.objectiveBest;
    return trial;
}

sweep::Dimension dimension(const std::string &name, sweep::DimensionKind kind)
{
    sweep::Dimension dimension;
    dimension.name = name;
    dimension.kind = kind;
    return dimension;
}

}  // namespace

TEST_CASE("onlyCompletedTrialsWithAValueAreUsed")
{
    std::vector<sweep::TrialRecord> trials{trial(1, {{"lr", 0.1}}, 2.0),          trial(2, {{"lr", 0.2}}, 1.0),
                                           trial(3, {{"lr", 0.3}}, std::nullopt), trial(4, {{"lr", 0.4}}, std::nan("")),
                                           trial(5, {{"lr", 0.5}}, 0.5),          trial(6, {{"lr", 0.6}}, 0.1)};
    trials[1].state = sweep::TrialState::Pruned;
    trials[4].state = sweep::TrialState::Running;
    trials[5].state = sweep::TrialState::Failed;
    const TrialValues values = collect({}, record({"lr"}), trials, {});
    CHECK(values.trials == std::vector<int>{1, 2});
    CHECK(values.values == std::vector<double>{2.0, 1.0});
    CHECK(values.states == std::vector<sweep::TrialState>{sweep::TrialState::Completed, sweep::TrialState::Pruned});
    CHECK(values.without == 2);
    CHECK(values.others == 2);
    CHECK(values.bestRow() == 1);
    CHECK(collect({}, record({}), {}, {}).bestRow() == -1);
}

TEST_CASE("targetIsTheObjectiveOrAnyMetric")
{
    std::vector<sweep::TrialRecord> trials{trial(1, {}, 2.0), trial(2, {}, 1.0)};
    trials[0].objectiveLast->value = 7;
    trials[0].metrics = {{"accuracy", 0.5, 9, 0.1, 0.6}};
    trials[1].metrics = {{"accuracy", 0.4, 9, 0.2, 0.7}, {"extra", 1, 9, 1, 1}};
    using Kind = Target::Kind;
    const auto valuesOf = [&](Kind kind) {
        return collect({}, record({}), trials, {kind, "accuracy", sweep::Goal::Maximize}).values;
    };
    CHECK(valuesOf(Kind::ObjectiveLast) == std::vector<double>{7, 1});
    CHECK(valuesOf(Kind::MetricLast) == std::vector<double>{0.5, 0.4});
    CHECK(valuesOf(Kind::MetricLowest) == std::vector<double>{0.1, 0.2});
    CHECK(valuesOf(Kind::MetricHighest) == std::vector<double>{0.6, 0.7});
    CHECK(collect({}, record({}), trials, {Kind::MetricLast, "accuracy", sweep::Goal::Maximize}).bestRow() == 0);
    CHECK(collect({}, record({}), trials, {Kind::MetricLast, "extra", sweep::Goal::Minimize}).trials
          == std::vector<int>{2});
    CHECK(metricNames(trials) == std::vector<std::string>{"accuracy", "extra"});
}

TEST_CASE("axesAreThoseOfTheSpace")
{
    sweep::SweepSpec spec;
    spec.space = {
        dimension("lr", sweep::DimensionKind::Log),           dimension("width", sweep::DimensionKind::List),
        dimension("optimizer", sweep::DimensionKind::Choice), dimension("layers", sweep::DimensionKind::Integer),
        dimension("fixed", sweep::DimensionKind::List),       dimension("sizes", sweep::DimensionKind::List)};
    spec.space[0].low = 1e-4;
    spec.space[0].high = 1e-1;
    spec.space[1].values = {std::int64_t{32}, std::int64_t{64}, std::int64_t{128}};
    spec.space[2].values = {std::string("sgd"), std::string("adam")};
    spec.space[3].low = 1;
    spec.space[3].high = 6;
    spec.space[4].values = {std::int64_t{3}};
    spec.space[5].values = {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}};
    const sweep::ParameterSet set{{"lr", 1e-3},
                                  {"width", std::int64_t{64}},
                                  {"optimizer", std::string("adam")},
                                  {"layers", std::int64_t{2}},
                                  {"fixed", std::int64_t{3}},
                                  {"sizes", std::int64_t{3}}};
    const TrialValues values =
        collect(spec, record({"lr", "width", "optimizer", "layers", "fixed", "sizes"}), {trial(1, set, 1.0)}, {});
    REQUIRE(values.parameters.size() == 5);  // a fixed value is no axis
    CHECK(values.parameters[0].scale == Scale::Log);
    CHECK(values.parameters[0].low == 1e-4);
    CHECK(values.parameters[0].high == 1e-1);
    CHECK_FALSE(values.parameters[0].isWhole);
    CHECK(values.parameters[1].scale == Scale::Log);  // each twice the one before
    CHECK(values.parameters[1].marks == std::vector<double>{32, 64, 128});
    CHECK(values.parameters[2].scale == Scale::Categories);
    CHECK(values.parameters[2].categories == std::vector<std::string>{"sgd", "adam"});
    CHECK(values.parameters[2].values == std::vector<double>{1});
    CHECK(values.parameters[3].high == 6);
    CHECK(values.parameters[3].isWhole);
    CHECK(values.parameters[4].scale == Scale::Linear);
}

TEST_CASE("unsetParameterIsNotANumber")
{
    const TrialValues values =
        collect({}, record({"optimizer", "momentum"}),
                {trial(1, {{"optimizer", std::string("sgd")}, {"momentum", 0.9}}, 1.0),
                 trial(2, {{"optimizer", std::string("adam")}}, 2.0), trial(3, {{"momentum", 0.5}}, 3.0)},
                {});
    REQUIRE(values.parameters.size() == 2);
    CHECK(values.parameters[0].scale == Scale::Categories);  // not declared, but there are words
    CHECK(std::isnan(values.parameters[0].values[2]));
    CHECK(values.parameters[1].values[0] == 0.9);
    CHECK(std::isnan(values.parameters[1].values[1]));
    CHECK(values.parameters[1].isUnsetSomewhere);
    CHECK(values.parameters[1].low == 0.5);
    CHECK(values.parameters[1].high == 0.9);
}

TEST_CASE("valuesOutsideOfTheSpaceWidenTheAxis")
{
    sweep::SweepSpec spec;
    spec.space = {dimension("lr", sweep::DimensionKind::Log)};
    spec.space[0].low = 1e-3;
    spec.space[0].high = 1e-2;
    const TrialValues wider = collect(spec, record({"lr"}), {trial(1, {{"lr", 1.0}}, 1.0)}, {});
    CHECK(wider.parameters[0].high == 1.0);
    CHECK(wider.parameters[0].low == 1e-3);
    // 0 has no logarithm.
    const TrialValues zero = collect(spec, record({"lr"}), {trial(1, {{"lr", 0.0}}, 1.0)}, {});
    CHECK(zero.parameters[0].scale == Scale::Linear);
}

TEST_CASE("listsWithStepsByAFactorAreLogarithmic")
{
    const auto scaleOfList = [](const std::vector<double> &numbers) {
        sweep::SweepSpec spec;
        sweep::Dimension list;
        list.name = "a";
        list.kind = sweep::DimensionKind::List;
        for (const double number : numbers)
            list.values.emplace_back(number);
        spec.space.push_back(list);
        const std::vector<sweep::ParameterSet> points{{{"a", numbers.front()}}, {{"a", numbers.back()}}};
        const std::vector<const sweep::ParameterSet *> pointers{&points[0], &points[1]};
        return parametersOf(spec, {"a"}, pointers).front().scale;
    };
    for (const std::vector<double> &numbers : std::vector<std::vector<double>>{
             {0.001, 0.003, 0.01}, {0.01, 0.003, 0.001}, {32, 64, 128}, {10, 20, 50, 100}, {1e-5, 1e-3, 1e-2}})
        CHECK(scaleOfList(numbers) == Scale::Log);
    for (const std::vector<double> &numbers : std::vector<std::vector<double>>{
             {1, 2, 3}, {0.1, 0.5, 0.9}, {0, 0.1, 1}, {-1, 1, 10}, {0.5, 0.9, 0.99}, {1, 100}})
        CHECK(scaleOfList(numbers) == Scale::Linear);
}

TEST_CASE("valuesOfUndeclaredParametersChooseTheirAxis")
{
    std::vector<sweep::ParameterSet> points;
    for (int i = 0; i < 40; ++i)
        points.push_back({{"rate", std::pow(10.0, -5 + 0.1 * i)}, {"share", 0.01 + 0.02 * i}});
    std::vector<const sweep::ParameterSet *> pointers;
    for (const sweep::ParameterSet &point : points)
        pointers.push_back(&point);
    const std::vector<Parameter> parameters = parametersOf({}, {"rate", "share"}, pointers);
    CHECK(parameters[0].scale == Scale::Log);
    CHECK(parameters[1].scale == Scale::Linear);
}

TEST_CASE("valuesOverDecadesGetALogarithmicAxis")
{
    CHECK(scaleFor({0.001, 0.01, 0.1, 1, 10}) == Scale::Log);
    CHECK(scaleFor({0.5, 0.4, 0.3, 0.35, 100}) == Scale::Log);  // one outlier does not flatten the others
    CHECK(scaleFor({0.2, 0.4, 0.6, 1.3}) == Scale::Linear);
    CHECK(scaleFor({0.001, 0.5, 0.6, 0.7, 0.8, 0.9, 1}) == Scale::Linear);
    CHECK(scaleFor({-1, 10, 1000}) == Scale::Linear);
    CHECK(scaleFor({0, 10, 1000}) == Scale::Linear);
    CHECK(scaleFor({}) == Scale::Linear);
}

TEST_CASE("rowsThatAreWithinAreASweepOfTheirOwn")
{
    TrialValues all;
    all.trials = {1, 2, 3};
    all.values = {0.1, 0.2, 0.3};
    all.states.assign(3, sweep::TrialState::Completed);
    all.standings.assign(3, Standing::MayBeBest);
    all.ended = {10, 20, 30};
    Parameter lr;
    lr.name = "lr";
    lr.low = 0;
    lr.high = 9;
    lr.values = {1, std::nan(""), 5};
    Parameter optimizer;
    optimizer.scale = Scale::Categories;
    optimizer.categories = {"adam", "sgd"};
    optimizer.high = 1;
    optimizer.values = {0, 1, 0};
    all.parameters = {lr, optimizer};
    const TrialValues some = rowsOf(all, {1, 0, 1});
    CHECK(some.trials == std::vector<int>{1, 3});
    CHECK(some.values == std::vector<double>{0.1, 0.3});
    CHECK(some.states.size() == 2);
    CHECK(some.standings.size() == 2);
    CHECK(some.ended == std::vector<WallNs>{10, 30});
    CHECK(some.parameters[0].values == std::vector<double>{1, 5});
    CHECK(some.parameters[0].low == 1);
    CHECK(some.parameters[0].high == 5);
    CHECK(some.parameters[1].values == std::vector<double>{0, 0});
    CHECK(some.parameters[1].high == 1);
    CHECK(rowsOf(all, {0, 1, 0}).parameters[0].high == 9);  // nothing is known of it
}

TEST_CASE("theBestIsTheOneThatTheEngineNames")
{
    using sweep::TrialState;
    std::vector<sweep::TrialRecord> trials{trial(1, {{"lr", 0.1}}, 0.5), trial(2, {{"lr", 0.2}}, 0.4),
                                           trial(3, {{"lr", 0.3}}, 0.3), trial(4, {{"lr", 0.4}}, 0.2),
                                           trial(5, {{"lr", 0.5}}, 0.1)};
    trials[1].state = TrialState::Pruned;
    trials[2].state = TrialState::Stopped;
    trials[3].violation = 1;
    trials[4].state = TrialState::Failed;
    const TrialValues values = collect({}, record({"lr"}), trials, {});
    CHECK(values.trials == std::vector<int>{1, 2, 3, 4});
    CHECK(values.trials[static_cast<std::size_t>(values.bestRow())] == 3);
    const auto best =
        std::ranges::min_element(trials, [](const sweep::TrialRecord &one, const sweep::TrialRecord &other) {
            return sweep::isBetter(one, other, sweep::Goal::Minimize);
        });
    CHECK(best->number == 3);
    // A point that ran twice comes before one that may have been lucky.
    for (sweep::TrialRecord &one : trials)
        one.pointMean = sweep::PointMean{one.objectiveBest->value, 0, one.number == 1 ? 2 : 1};
    const TrialValues repeated = collect({}, record({"lr"}), trials, {});
    CHECK(repeated.trials[static_cast<std::size_t>(repeated.bestRow())] == 1);
    // If none keeps the constraints, none is the best.
    for (sweep::TrialRecord &one : trials)
        one.violation = 1;
    CHECK(collect({}, record({"lr"}), trials, {}).bestRow() == -1);
}
