#include "analysis/importance.h"

#include "sweep/splitmix.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace sweepscope;
using namespace sweepscope::analysis;

namespace {

/// Takes one trial's parameters by index; NaN: not set.
using Objective = std::function<double(const std::vector<double> &)>;

Parameter numeric(const std::string &name, double low = 0, double high = 1, Scale scale = Scale::Linear)
{
    Parameter parameter;
    parameter.name = name;
    parameter.scale = scale;
    parameter.low = low;
    parameter.high = high;
    return parameter;
}

Parameter words(const std::string &name, int count)
{
    Parameter parameter = numeric(name, 0, count - 1, Scale::Categories);
    for (int i = 0; i < count; ++i)
        parameter.categories.push_back("word " + std::to_string(i));
    return parameter;
}

/// Draws trials uniformly. `change` may unset what a condition switches off.
TrialValues drawn(std::vector<Parameter> parameters, int count, const Objective &objective,
                  const std::function<void(std::vector<double> &)> &change = {}, std::uint64_t seed = 1)
{
    sweep::SplitMix64 random(seed);
    TrialValues values;
    values.parameters = std::move(parameters);
    for (int number = 1; number <= count; ++number) {
        std::vector<double> point;
        for (const Parameter &parameter : values.parameters) {
            const double unit = random.nextUnit();
            if (parameter.scale == Scale::Categories)
                point.push_back(std::floor(unit * static_cast<double>(parameter.categories.size())));
            else if (parameter.scale == Scale::Log)
                point.push_back(parameter.low * std::pow(parameter.high / parameter.low, unit));
            else
                point.push_back(parameter.low + unit * (parameter.high - parameter.low));
        }
        if (change)
            change(point);
        for (std::size_t i = 0; i < point.size(); ++i)
            values.parameters[i].values.push_back(point[i]);
        values.trials.push_back(number);
        values.values.push_back(objective(point));
        values.states.push_back(sweep::TrialState::Completed);
        values.standings.push_back(Standing::MayBeBest);
        values.ended.push_back(number);
    }
    return values;
}

double sum(const std::vector<double> &shares)
{
    return std::accumulate(shares.begin(), shares.end(), 0.0);
}

}  // namespace

TEST_CASE("onlyRelevantParameterHasNearlyAllImportance")
{
    for (const int trials : {50, 300, 5000}) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            CAPTURE(trials);
            CAPTURE(seed);
            const TrialValues values = drawn(
                {numeric("a"), numeric("b"), numeric("c")}, trials,
                [](const std::vector<double> &x) { return std::pow(x[0] - 0.4, 2); }, {}, seed);
            const Importance importance = importanceOf(values);
            CHECK(importance.problem == Importance::Problem::None);
            CHECK(importance.shares[0] > (trials < 100 ? 0.8 : 0.95));
            CHECK(sum(importance.shares) == doctest::Approx(1));
        }
    }
}

TEST_CASE("moreRelevantParameterHasTheLargerShare")
{
    const TrialValues values = drawn({numeric("little"), numeric("much"), numeric("none")}, 2000,
                                     [](const std::vector<double> &x) { return 0.3 * x[0] + x[1]; });
    const Importance importance = importanceOf(values);
    CHECK(importance.shares[1] > importance.shares[0]);
    CHECK(importance.shares[0] > 0.02);
    CHECK(importance.shares[2] < 0.02);
}

TEST_CASE("logarithmicRangesAreAnalysedLogarithmically")
{
    // Good below 1e-3: half of the trials, but a thousandth of the range.
    const TrialValues values = drawn({numeric("lr", 1e-5, 1e-1, Scale::Log), numeric("other")}, 500,
                                     [](const std::vector<double> &x) { return std::abs(std::log10(x[0]) + 4.5); });
    CHECK(importanceOf(values).shares[0] > 0.95);
}

TEST_CASE("importanceOfAChoiceIsDetected")
{
    const TrialValues values = drawn({words("optimizer", 4), numeric("a"), words("unused", 3)}, 400,
                                     [](const std::vector<double> &x) { return (x[0] == 2 ? 0.0 : 1.0) + 0.1 * x[1]; });
    const Importance importance = importanceOf(values);
    CHECK(importance.shares[0] > 0.5);
    CHECK(importance.shares[2] < 0.05);
}

TEST_CASE("maximizingReversesTheOrder")
{
    // Large values of the objective do not depend on a, small ones do.
    TrialValues values = drawn({numeric("a"), numeric("b")}, 500,
                               [](const std::vector<double> &x) { return x[0] > 0.9 ? 10 + x[0] : x[1]; });
    values.target.goal = sweep::Goal::Maximize;
    const double highest = importanceOf(values).shares[0];
    CHECK(highest > 0.3);  // it determines the best tenth, the other one the order of the rest
    values.target.goal = sweep::Goal::Minimize;
    CHECK(importanceOf(values).shares[0] < highest / 2);
    CHECK(importanceOf(values).shares[1] > 0.8);
}

TEST_CASE("conditionalParameterIsRatedByTrialsThatHaveIt")
{
    const auto condition = [](std::vector<double> &x) {
        if (x[0] != 1)
            x[1] = std::numeric_limits<double>::quiet_NaN();
    };
    // The choice matters, the value behind it does not: it does not inherit the choice's importance.
    const TrialValues idle = drawn(
        {words("optimizer", 2), numeric("momentum"), numeric("a")}, 1000,
        [](const std::vector<double> &x) { return (x[0] == 1 ? 0.0 : 5.0) + x[2]; }, condition);
    CHECK(importanceOf(idle).shares[1] < 0.03);
    // And if the value matters, that is detected.
    const TrialValues works = drawn(
        {words("optimizer", 2), numeric("momentum"), numeric("a")}, 1000,
        [](const std::vector<double> &x) { return (x[0] == 1 ? std::abs(x[1] - 0.9) : 5.0) + 0.01 * x[2]; }, condition);
    CHECK(importanceOf(works).shares[1] > 0.3);
    CHECK(importanceOf(works).shares[2] < 0.05);
}

TEST_CASE("mainCauseIsNotHiddenByParametersThatRefineTheBest")
{
    // A grid of rates, widths and an idle choice: the rate causes 99% of the variance, the width decides among the
    // best.
    const double rates[] = {1e-3, 4.6e-3, 2.15e-2, 1e-1};
    const double widths[] = {32, 64, 128};
    TrialValues values;
    values.parameters = {numeric("lr", 1e-3, 1e-1, Scale::Log), numeric("width", 32, 128), words("opt", 4)};
    for (const double rate : rates) {
        for (const double width : widths) {
            for (int opt = 0; opt < 4; ++opt) {
                values.parameters[0].values.push_back(rate);
                values.parameters[1].values.push_back(width);
                values.parameters[2].values.push_back(opt);
                values.values.push_back(2.3 * std::exp(-400 * rate) + 3.2 / width
                                        + 0.001 * std::sin(1e5 * rate * width));
                values.trials.push_back(static_cast<int>(values.trials.size()) + 1);
                values.states.push_back(sweep::TrialState::Completed);
                values.standings.push_back(Standing::MayBeBest);
                values.ended.push_back(values.trials.back());
            }
        }
    }
    const std::vector<double> shares = importanceOf(values).shares;
    CHECK(shares[0] > 0.5);
    CHECK(shares[1] > 0.1);
    CHECK(shares[2] == 0);
}

TEST_CASE("constantParameterHasNoImportance")
{
    const TrialValues values = drawn({numeric("a"), numeric("constant", 3, 3), words("single", 1)}, 200,
                                     [](const std::vector<double> &x) { return x[0]; });
    const Importance importance = importanceOf(values);
    CHECK(importance.shares[0] == doctest::Approx(1));
    CHECK(importance.shares[1] == 0);
    CHECK(importance.shares[2] == 0);
}

TEST_CASE("randomValuesMakeNoParameterImportant")
{
    // After subtracting its mean, only noise remains: as shares of 1 it would look like knowledge.
    const std::vector<Parameter> floats{numeric("a"), numeric("b"), numeric("c"), numeric("d"), numeric("e")};
    const std::vector<Parameter> mixed{numeric("a"), numeric("b"), numeric("c"), words("d", 3), words("e", 2)};
    for (const bool isMixed : {false, true}) {
        for (const int trials : {30, 100, 1000}) {
            int withSome = 0;
            for (std::uint64_t seed = 1; seed <= 100; ++seed) {
                sweep::SplitMix64 noise(1000 + seed);
                const TrialValues values = drawn(
                    isMixed ? mixed : floats, trials,
                    [&noise](const std::vector<double> &) { return noise.nextUnit(); }, {}, seed);
                const std::vector<double> shares = importanceOf(values).shares;
                withSome += std::ranges::max(shares) > 0 ? 1 : 0;
            }
            CAPTURE(isMixed);
            CAPTURE(trials);
            CHECK(withSome <= 10);
        }
    }
}

TEST_CASE("relevantParameterDoesNotMakeOthersImportant")
{
    int others = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Importance importance = importanceOf(drawn(
            {numeric("a"), numeric("b"), numeric("c"), numeric("d")}, 60,
            [](const std::vector<double> &x) { return std::abs(x[0] - 0.5); }, {}, seed));
        CHECK(importance.shares[0] > 0.8);
        others += importance.shares[0] < 1 ? 1 : 0;
    }
    CHECK(others <= 4);
}

TEST_CASE("tooFewTrialsAreReportedInsteadOfNoise")
{
    const auto objective = [](const std::vector<double> &x) { return x[0]; };
    TrialValues few = drawn({numeric("a")}, fewestTrials - 1, objective);
    CHECK(importanceOf(few).problem == Importance::Problem::TooFewTrials);
    CHECK(importanceOf(few).completed == fewestTrials - 1);
    CHECK(importanceOf(few).shares == std::vector<double>{0});
    TrialValues enough = drawn({numeric("a")}, fewestTrials, objective);
    CHECK(importanceOf(enough).problem == Importance::Problem::None);
    // Pruned ones do not count: their values are from other steps.
    enough.states[3] = sweep::TrialState::Pruned;
    CHECK(importanceOf(enough).problem == Importance::Problem::TooFewTrials);
    CHECK(importanceOf({}).problem == Importance::Problem::TooFewTrials);
}

TEST_CASE("intervalsContainTheImportanceThatManyTrialsGive")
{
    // The second parameter has about twice the importance of the first, and the third has none.
    const auto objective = [](const std::vector<double> &x) { return 0.7 * x[0] + x[1]; };
    const std::vector<Parameter> parameters{numeric("little"), numeric("much"), numeric("none")};
    const std::vector<double> truth = importanceOf(drawn(parameters, 20000, objective)).shares;
    CHECK(truth[1] > 1.5 * truth[0]);
    CHECK(truth[0] > 0.2);
    CHECK(truth[2] == 0);
    double widthBefore = 1;
    for (const int trials : {8, 20, 100}) {
        constexpr int sweeps = 100;
        std::vector<int> covered(parameters.size(), 0);
        int inOrder = 0;
        int certain = 0;
        int certainAndWrong = 0;
        double width = 0;
        for (std::uint64_t seed = 1; seed <= sweeps; ++seed) {
            const Importance importance = importanceOf(drawn(parameters, trials, objective, {}, 100 + seed));
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                const bool isInside = importance.lows[i] <= truth[i] && truth[i] <= importance.highs[i];
                covered[i] += isInside ? 1 : 0;
                CHECK(importance.lows[i] <= importance.shares[i]);
                CHECK(importance.shares[i] <= importance.highs[i]);
            }
            const bool isRight = importance.shares[1] > importance.shares[0];
            inOrder += isRight ? 1 : 0;
            certain += importance.isOrderCertain() ? 1 : 0;
            certainAndWrong += importance.isOrderCertain() && !isRight ? 1 : 0;
            width += (importance.highs[1] - importance.lows[1]) / sweeps;
        }
        MESSAGE(trials << " trials: the 80% interval of much " << truth[1] << ", little " << truth[0]
                       << ", none contains it in " << covered[1] << "%, " << covered[0] << "%, " << covered[2]
                       << "% of sweeps; mean width of the first " << width << "; right order in " << inOrder
                       << "%, called certain in " << certain << "%, of these wrong " << certainAndWrong);
        for (const int count : covered)
            CHECK(count >= 70);
        CHECK(width < widthBefore);
        widthBefore = width;
        CHECK(certainAndWrong <= 2);
        CHECK(inOrder > 50);
        if (trials == 8)
            CHECK(certain < 20);
        if (trials == 100)
            CHECK(certain > 80);
    }
}

TEST_CASE("fewTrialsAreShownWithTheirUncertainty")
{
    const Importance importance = importanceOf(drawn({numeric("a"), numeric("b"), numeric("c")}, fewestTrials,
                                                     [](const std::vector<double> &x) { return x[0] + 0.5 * x[1]; }));
    CHECK(importance.problem == Importance::Problem::None);
    CHECK(sum(importance.shares) == doctest::Approx(1));
    CHECK_FALSE(importance.isOrderCertain());
}

TEST_CASE("prunedTrialsCountAsWorseWhereTheyWereBehind")
{
    // All trials with a bad rate were pruned, so those that completed say nothing of it.
    TrialValues values = drawn({numeric("rate"), numeric("b"), numeric("c")}, 200,
                               [](const std::vector<double> &x) { return x[1] + 100 * x[0]; });
    for (std::size_t row = 0; row < values.size(); ++row) {
        const double rate = values.parameters[0].values[row];
        values.states[row] = rate > 0.3 ? sweep::TrialState::Pruned : sweep::TrialState::Completed;
        values.values[row] =
            rate > 0.3 ? -5 : values.parameters[1].values[row];  // the value of an early step means nothing
    }
    const Importance without = importanceOf(values);
    CHECK(without.shares[0] < 0.1);
    CHECK(without.pruned == 0);
    values.arePrunedBehind = true;
    const Importance with = importanceOf(values);
    CHECK(with.shares[0] > 0.4);
    CHECK(with.completed == without.completed);
    CHECK(with.completed + with.pruned == 200);
    // Their values do not matter, and where hardly any trial completed, having completed is what counts.
    for (std::size_t row = 0; row < values.size(); ++row)
        values.values[row] = values.isPruned(row) ? static_cast<double>(row) : values.values[row];
    CHECK(importanceOf(values).shares == with.shares);
    int completed = 0;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (values.isCompleted(row) && completed++ >= fewestTrials)
            values.states[row] = sweep::TrialState::Pruned;
    }
    CHECK(importanceOf(values).problem == Importance::Problem::None);
    CHECK(importanceOf(values).shares[0] > 0.8);
}

TEST_CASE("equalValuesGiveNoImportance")
{
    const TrialValues values = drawn({numeric("a")}, 100, [](const std::vector<double> &) { return 1.0; });
    CHECK(importanceOf(values).problem == Importance::Problem::AllAlike);
}

TEST_CASE("sameTrialsHaveTheSameShares")
{
    const TrialValues values =
        drawn({numeric("a"), words("b", 3)}, 200, [](const std::vector<double> &x) { return x[0] + x[1]; });
    CHECK(importanceOf(values).shares == importanceOf(values).shares);
}
