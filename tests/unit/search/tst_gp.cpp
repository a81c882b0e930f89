// The Gaussian process gives the numbers of Optuna 5.0.0 (peers/record_gp.py), and its derivatives are those of its values.
#include "recordings.h"
#include "search/expectedimprovement.h"
#include "search/gaussianprocess.h"
#include "search/gp.h"
#include "search/gpmodel.h"
#include "search/outputwarp.h"
#include "search/truncatednormal.h"
#include "sweep/splitmix.h"
#include "sweep/sweepfile.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

using namespace sweepscope::search;
using namespace sweepscope::search::testing;
using Json = nlohmann::json;

namespace {

GpInputs matrixOf(const Json &rows)
{
    GpInputs matrix(rows.size(), rows[0].size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t column = 0; column < rows[row].size(); ++column)
            matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = rows[row][column].get<double>();
    }
    return matrix;
}

Eigen::VectorXd vectorOf(const Json &numbers)
{
    const auto list = numbers.get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

GpParameters parametersOf(const Eigen::VectorXd &logs)
{
    const Eigen::Index dimensions = logs.size() - 2;
    return {logs.head(dimensions).array().exp(), std::exp(logs[dimensions]),
            std::exp(logs[dimensions + 1]) + leastNoise};
}

struct ParametrizedData {
    GpData results;
    GpParameters parameters;
};

/// Two lines, a category, and a line that applies to some points only.
ParametrizedData conditionalData()
{
    sweepscope::sweep::SplitMix64 random(3);
    ParametrizedData data{{GpInputs(12, 4), {false, false, true, false}, Eigen::VectorXd(12)}, {}};
    for (Eigen::Index i = 0; i < 12; ++i) {
        const auto category = static_cast<double>(random.nextBelow(3));
        data.results.inputs.row(i) << random.nextUnit(), random.nextUnit(), category,
            category == 1 ? random.nextUnit() : std::nan("");
        data.results.values[i] = 2 * random.nextUnit() - 1;
    }
    data.parameters.inverseSquares = Eigen::Vector4d(3, 0.5, 1.2, 2);
    data.parameters.scale = 1.3;
    data.parameters.noise = 0.02;
    return data;
}

/// The likelihood's gradient is that of its values.
void checkGradient(const ParametrizedData &data)
{
    const auto likelihood = gpLikelihood(data.results, data.parameters);
    REQUIRE(likelihood);
    Eigen::VectorXd logs(6);
    logs << data.parameters.inverseSquares.array().log(), std::log(data.parameters.scale),
        std::log(data.parameters.noise - leastNoise);
    constexpr double step = 1e-5;
    for (Eigen::Index i = 0; i < logs.size(); ++i) {
        const auto at = [&](double by) {
            Eigen::VectorXd moved = logs;
            moved[i] += by;
            GpParameters parameters = parametersOf(moved);
            parameters.relation = data.parameters.relation;
            return gpLikelihood(data.results, parameters)->logPosterior;
        };
        checkNear(likelihood->gradient[i], (at(step) - at(-step)) / (2 * step), 1e-6);
    }
}

}  // namespace

TEST_CASE("likelihood, gradient, prediction and improvement are Optuna's")
{
    const Json recorded = recording("gp.json");
    CHECK(recorded["cases"].size() == 40);
    for (const Json &one : recorded["cases"]) {
        const GpInputs inputs = matrixOf(one["inputs"]);
        const auto isCategory = one["categories"].get<std::vector<bool>>();
        const GpParameters parameters = parametersOf(vectorOf(one["logs"]));
        const Eigen::VectorXd values = vectorOf(one["values"]);
        const GpData data{inputs, isCategory, values};
        const auto likelihood = gpLikelihood(data, parameters);
        REQUIRE(likelihood);
        checkNear(likelihood->logPosterior, one["posterior"].get<double>());
        const Eigen::VectorXd gradient = vectorOf(one["gradient"]);
        for (Eigen::Index i = 0; i < gradient.size(); ++i)
            checkNear(likelihood->gradient[i], gradient[i], 1e-8);
        const GpPosterior posterior(data, GpInputs(0, inputs.cols()), parameters);
        REQUIRE(posterior.isValid());
        const auto prediction = posterior.predict(matrixOf(one["points"]));
        const double best = one["best"];
        for (Eigen::Index i = 0; i < prediction.means.size(); ++i) {
            checkNear(prediction.means[i], one["means"][static_cast<std::size_t>(i)].get<double>());
            checkNear(prediction.deviations[i], one["deviations"][static_cast<std::size_t>(i)].get<double>(), 1e-8);
            // It maximises.
            const LogImprovement improvement =
                logExpectedImprovement(-prediction.means[i], prediction.deviations[i], -best);
            checkNear(improvement.value, one["log_improvements"][static_cast<std::size_t>(i)].get<double>(), 1e-7);
        }
    }
}

TEST_CASE("the logarithm of the expected improvement is exact far from the best value")
{
    const Json recorded = recording("gp.json");
    for (const Json &entry : recorded["improvements"]) {
        const double z = entry[0];
        INFO(z);
        checkNear(logExpectedImprovement(0, 1, z).value, entry[1].get<double>(), 1e-10);
        checkNear(logExpectedImprovement(5, 0.5, 5 + 0.5 * z).value, entry[1].get<double>() + std::log(0.5), 1e-10);
    }
    for (const double z : {1e6, -1e3, -1e8, -1e150})
        CHECK(std::isfinite(logExpectedImprovement(0, 1, z).byMean));
    for (const double mean : {-2.0, 0.3, 4.0, 20.0, 130.0}) {
        constexpr double step = 1e-6;
        const LogImprovement here = logExpectedImprovement(mean, 0.7, 0.5);
        const auto at = [&](double m, double s) { return logExpectedImprovement(m, s, 0.5).value; };
        checkNear(here.byMean, (at(mean + step, 0.7) - at(mean - step, 0.7)) / (2 * step), 1e-5);
        checkNear(here.byDeviation, (at(mean, 0.7 + step) - at(mean, 0.7 - step)) / (2 * step), 1e-5);
    }
}

TEST_CASE("gradients are those of the values, with categories and with parameters that do not apply")
{
    const ParametrizedData data = conditionalData();
    checkGradient(data);
    constexpr double step = 1e-5;

    const GpPosterior posterior(data.results, data.results.inputs.topRows(2), data.parameters);
    for (const double last : {0.4, std::nan("")}) {
        Eigen::RowVectorXd point(4);
        point << 0.3, 0.8, std::isnan(last) ? 0 : 1, last;
        const GpPosterior::Slope slope = posterior.slope(point);
        const auto prediction = posterior.predict(point);
        checkNear(slope.mean, prediction.means[0]);
        checkNear(slope.deviation, prediction.deviations[0]);
        for (const Eigen::Index j : {0, 1, 3}) {
            const auto at = [&](double by) {
                Eigen::RowVectorXd moved = point;
                moved[j] += by;
                return posterior.predict(moved);
            };
            const bool applies = !std::isnan(point[j]);
            const double mean = applies ? (at(step).means[0] - at(-step).means[0]) / (2 * step) : 0;
            const double deviation = applies ? (at(step).deviations[0] - at(-step).deviations[0]) / (2 * step) : 0;
            checkNear(slope.meanGradient[j], mean, 1e-6);
            checkNear(slope.deviationGradient[j], deviation, 1e-6);
        }
        CHECK(slope.meanGradient[2] == 0);
    }
}

TEST_CASE("results of other sources tell as much as they are related")
{
    ParametrizedData own = conditionalData();
    ParametrizedData data = own;
    data.results.sources = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    data.parameters.relation = 0.6;
    checkGradient(data);

    Eigen::RowVectorXd point = data.results.inputs.row(5);  // of another source
    const auto predict = [&](double relation) {
        data.parameters.relation = relation;
        return GpPosterior(data.results, GpInputs(0, 4), data.parameters).predict(point);
    };
    const auto unrelated = predict(0);
    data.results.values[5] += 100;
    checkNear(predict(0).means[0], unrelated.means[0]);
    data.results.values[5] -= 100;
    const auto same = predict(1);
    CHECK(unrelated.deviations[0] > predict(0.6).deviations[0]);
    CHECK(predict(0.6).deviations[0] > same.deviations[0]);
    const auto known = GpPosterior(own.results, GpInputs(0, 4), own.parameters).predict(point);
    checkNear(same.means[0], known.means[0]);
    checkNear(same.deviations[0], known.deviations[0]);
}

TEST_CASE("the relation of another source is high if it has the same function, and low if it does not")
{
    sweepscope::sweep::SplitMix64 random(5);
    const auto relationWith = [&](double shift) {
        GpData data{GpInputs(40, 1), {false}, Eigen::VectorXd(40), std::vector<int>(40, 0)};
        for (Eigen::Index i = 0; i < 40; ++i) {
            data.sources[static_cast<std::size_t>(i)] = i < 20 ? 0 : 1;
            const double x = random.nextUnit();
            data.inputs(i, 0) = x;
            data.values[i] = std::sin(6 * (i < 20 ? x : x + shift));
        }
        return fitGp(data).relation;
    };
    CHECK(relationWith(0) == 0.95);
    CHECK(relationWith(0.6) <= 0.5);
}

TEST_CASE("pending points lower the deviation around them and change no mean")
{
    const ParametrizedData data = conditionalData();
    Eigen::RowVectorXd point(4);
    point << 0.9, 0.1, 2, std::nan("");
    const GpPosterior without(data.results, GpInputs(0, 4), data.parameters);
    const GpPosterior with(data.results, point, data.parameters);
    checkNear(with.predict(point).means[0], without.predict(point).means[0], 1e-12);
    CHECK(with.predict(point).deviations[0] < 0.5 * without.predict(point).deviations[0]);
}

TEST_CASE("the likeliest mean counts points that crowd together as one")
{
    ParametrizedData data = conditionalData();
    data.results.inputs.bottomRows(10).rowwise() = data.results.inputs.row(2).eval();
    data.results.inputs.row(0) << 0, 0, 0, std::nan("");
    data.results.inputs.row(1) << 1, 1, 1, 1;
    data.results.values.setConstant(-1);
    data.results.values.head(2).setConstant(2);
    data.parameters.inverseSquares.setConstant(100);
    const GpPosterior posterior(data.results, GpInputs(0, 4), data.parameters);
    CHECK(data.results.values.mean() == -0.5);
    checkNear(posterior.likeliestMean(), 1, 0.02);
}

TEST_CASE("joint draws scatter around the means, and neighbours go together")
{
    const ParametrizedData data = conditionalData();
    const GpPosterior posterior(data.results, GpInputs(0, 4), data.parameters);
    GpInputs points(3, 4);
    points << 0.3, 0.8, 0, std::nan(""), 0.31, 0.8, 0, std::nan(""), 0.9, 0.1, 1, 0.5;
    constexpr Eigen::Index draws = 20'000;
    sweepscope::sweep::SplitMix64 random(11);
    Eigen::MatrixXd normals(points.rows(), draws);
    for (Eigen::Index i = 0; i < normals.size(); ++i)
        normals.data()[i] = truncatedNormalQuantile(random.nextUnit(), -8, 8);
    const auto results = posterior.drawResults(points, normals);
    REQUIRE(results);
    const auto prediction = posterior.predict(points);
    const Eigen::VectorXd means = results->rowwise().mean();
    const Eigen::MatrixXd apart = results->colwise() - means;
    const Eigen::MatrixXd covariance = apart * apart.transpose() / static_cast<double>(draws);
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
        CHECK(std::fabs(means[i] - prediction.means[i]) < 0.05);
        const double variance = prediction.deviations[i] * prediction.deviations[i] + data.parameters.noise;
        CHECK(covariance(i, i) == doctest::Approx(variance).epsilon(0.05));
    }
    const double noiseless = covariance(0, 0) - data.parameters.noise;
    CHECK(covariance(0, 1) == doctest::Approx(noiseless).epsilon(0.1));
    CHECK(covariance(0, 2) < 0.8 * noiseless);
}

TEST_CASE("a fit is better than its start, and values without noise are met")
{
    sweepscope::sweep::SplitMix64 random(5);
    GpInputs inputs(40, 2);
    Eigen::VectorXd values(40);
    for (Eigen::Index i = 0; i < 40; ++i) {
        inputs.row(i) << random.nextUnit(), random.nextUnit();
        values[i] = std::sin(6 * inputs(i, 0));  // the second one does not matter
    }
    const GpData data{inputs, {false, false}, values};
    const GpParameters fit = fitGp(data);
    GpParameters start;
    start.inverseSquares = Eigen::Vector2d(1, 1);
    start.noise = 0.01 + leastNoise;
    CHECK(gpLikelihood(data, fit)->logPosterior > gpLikelihood(data, start)->logPosterior + 10);
    CHECK(fit.inverseSquares[0] > 10 * fit.inverseSquares[1]);
    const GpPosterior posterior(data, GpInputs(0, 2), fit);
    Eigen::RowVectorXd point(2);
    point << 0.42, 0.77;
    CHECK(std::fabs(posterior.predict(point).means[0] - std::sin(6 * 0.42)) < 0.02);
}

TEST_CASE("warped values keep their order and come back, however extreme they are")
{
    const std::vector<std::vector<double>> lists{
        {1, 2, 3, 4, 5},       {1e300, 1e-300, 0, -5},       {3, 3, 3}, {0.1, 0.11, 0.12, 1e6, 1e9}, {-1e308, 1e308, 0},
        {1, 1, 1, 1, 1, 2, 0}, {std::nextafter(1, 2), 1, 1}, {7}};
    for (const std::vector<double> &values : lists) {
        const OutputWarp warp(values);
        std::vector<double> sorted = values;
        std::ranges::sort(sorted);
        double before = -std::numeric_limits<double>::infinity();
        for (const double value : sorted) {
            const double warped = warp.apply(value);
            CHECK(std::isfinite(warped));
            CHECK(warped >= before);
            before = warped;
        }
        CHECK(std::isfinite(warp.invert(0)));
    }
    const std::vector<double> losses{0.2, 0.25, 0.3, 0.4, 0.8, 2, 50};
    const OutputWarp warp(losses);
    for (const double loss : losses)
        checkNear(warp.invert(warp.apply(loss)), loss, 1e-6);
    // Beyond the best value along a straight line, and beyond the worst not far.
    const double step = warp.invert(warp.apply(0.2) - 1) - 0.2;
    checkNear(warp.invert(warp.apply(0.2) - 3) - 0.2, 3 * step, 1e-9);
    CHECK(warp.invert(warp.apply(50) + 10) <= 101);
    const OutputWarp crowded(std::vector<double>{0.51, 0.6, 0.8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    CHECK(crowded.invert(-10) > -5);
    // What is best is not squeezed together by what explodes.
    CHECK(warp.apply(0.3) - warp.apply(0.2) > 0.3 * (warp.apply(50) - warp.apply(2)));
}

TEST_CASE("the kernel is fitted for each of the first results, then when they have grown by a tenth")
{
    CHECK(lastFit(9) == 9);
    CHECK(lastFit(50) == 50);
    CHECK(lastFit(54) == 50);
    CHECK(lastFit(55) == 55);
    CHECK(lastFit(60) == 55);
    CHECK(lastFit(61) == 61);
    for (std::size_t results = 60; results < 20'000; ++results) {
        CHECK(lastFit(results) <= results);
        CHECK(lastFit(results) * 23 >= results * 20);
    }
}

TEST_CASE("the probability that a point is usable has the gradient of its values, and follows what failed")
{
    sweepscope::sweep::SplitMix64 random(8);
    GpData data{GpInputs(60, 2), {false, false}, Eigen::VectorXd(60)};
    for (Eigen::Index i = 0; i < 60; ++i) {
        data.inputs.row(i) << random.nextUnit(), random.nextUnit();
        data.values[i] = data.inputs(i, 0) < 0.4 ? 1 : -1;
    }
    GpData scaled = data;
    scaled.values = Feasibility::scaled(data.values).values;
    Feasibility feasibility;
    REQUIRE(feasibility.add(data, fitGp(scaled)));
    const auto probabilityAt = [&](double x) {
        Eigen::RowVectorXd point(2);
        point << x, 0.5;
        return std::exp(feasibility.logProbabilities(point)[0]);
    };
    CHECK(probabilityAt(0.1) < 0.1);
    CHECK(probabilityAt(0.8) > 0.9);
    for (const double x : {0.05, 0.37, 0.43, 0.9}) {
        Eigen::RowVectorXd point(2);
        point << x, 0.3;
        const Feasibility::Slope slope = feasibility.slope(point);
        checkNear(slope.value, feasibility.logProbabilities(point)[0], 1e-9);
        for (const Eigen::Index j : {0, 1}) {
            const auto at = [&](double by) {
                Eigen::RowVectorXd moved = point;
                moved[j] += by;
                return feasibility.logProbabilities(moved)[0];
            };
            constexpr double step = 1e-6;
            checkNear(slope.gradient[j], (at(step) - at(-step)) / (2 * step), 1e-4);
        }
    }
}

namespace {

struct Searched {
    double best = 10;
    int unusableLate = 0;  ///< after the first 15
};

/// 40 trials of gp in the unit square, of which only those with x of at least 0.5 are usable.
Searched searchBeside(sweepscope::search::Outcome unusable, double (*objective)(double x, double y))
{
    using namespace sweepscope;
    const sweep::ParsedSweep parsed =
        sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'gp'\ntrials = 40\n[space]\n"
                          "x = { float = [0, 1] }\ny = { float = [0, 1] }\n[run]\ncommand = ['x', '{x}', '{y}']\n");
    REQUIRE(parsed.problems.empty());
    const auto space = sweep::SearchSpace::compile(parsed.spec);
    SearchHistory history(parsed.spec, *space);
    Searched searched;
    for (int number = 1; number <= 40; ++number) {
        const auto suggestion = suggest(history, Method::Gp, number);
        REQUIRE(suggestion);
        const double x = *sweep::numberOf(suggestion->parameters[0].second);
        Observation trial;
        trial.number = number;
        trial.parameters = suggestion->parameters;
        trial.outcome = x >= 0.5 ? Outcome::Complete : unusable;
        if (trial.outcome != Outcome::Failed) {
            trial.values = {objective(x, *sweep::numberOf(suggestion->parameters[1].second))};
            trial.excesses = {0.5 - x};
        }
        if (trial.outcome == Outcome::Infeasible)
            trial.violation = 0.5 - x;
        if (trial.outcome == Outcome::Complete)
            searched.best = std::min(searched.best, trial.values.front());
        else if (number > 15)
            ++searched.unusableLate;
        if (number > 20)
            CHECK((suggestion->why.code != facts::Code::ChosenByPrediction
                   || suggestion->why.number(facts::Field::Risk).has_value()));
        history.set(std::move(trial));
    }
    return searched;
}

}  // namespace

TEST_CASE("gp finds the best point beside those that fail or violate a constraint")
{
    for (const Outcome unusable : {Outcome::Failed, Outcome::Infeasible}) {
        const Searched searched =
            searchBeside(unusable, [](double x, double y) { return std::pow(x - 0.7, 2) + std::pow(y - 0.6, 2); });
        INFO(searched.best, " ", searched.unusableLate);
        CHECK(searched.best < 0.0001);
        CHECK(searched.unusableLate <= 6);
    }
}

TEST_CASE("gp goes up to the limit of a constraint, and learns from how much it is exceeded")
{
    const auto falling = [](double x, double y) { return x - 0.5 + std::pow(y - 0.3, 2); };
    CHECK(searchBeside(Outcome::Infeasible, falling).best < 0.0005);
    CHECK(searchBeside(Outcome::Failed, falling).best < 0.05);  // only known to be on the wrong side
}

TEST_CASE("without a usable result gp looks for one where constraints are exceeded least")
{
    using namespace sweepscope;
    const sweep::ParsedSweep parsed =
        sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'gp'\ntrials = 40\n[space]\n"
                          "x = { float = [0, 1] }\ny = { float = [0, 1] }\n[run]\ncommand = ['x', '{x}', '{y}']\n");
    const auto space = sweep::SearchSpace::compile(parsed.spec);
    SearchHistory history(parsed.spec, *space);
    for (int number = 1; number <= 20; ++number) {
        Observation trial;
        trial.number = number;
        const double x = 0.05 * number;
        const double y = 0.05 * (number * 7 % 20);
        trial.parameters = {{"x", x}, {"y", y}};
        trial.outcome = Outcome::Infeasible;
        trial.values = {x};
        trial.excesses = {std::fabs(x - 0.62) - 0.1, 0.97 - y};
        trial.violation = std::max(0.0, trial.excesses[0]) + trial.excesses[1];
        history.set(std::move(trial));
    }
    const auto suggestion = suggest(history, Method::Gp, 21);
    REQUIRE(suggestion);
    CHECK(suggestion->why.code == facts::Code::ChosenByPrediction);
    CHECK_FALSE(suggestion->why.number(facts::Field::Probability).has_value());
    CHECK(std::fabs(*sweep::numberOf(suggestion->parameters[0].second) - 0.62) < 0.1);
    CHECK(*sweep::numberOf(suggestion->parameters[1].second) > 0.9);
}

TEST_CASE("with a budget gp prefers cheap points, where trials cost differently")
{
    using namespace sweepscope;
    const auto chosenWidth = [](const std::string &end, double slope) {
        const sweep::ParsedSweep parsed =
            sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'gp'\n" + end
                              + "[space]\nx = { float = [0, 1] }\nwidth = { float = [0, 1] }\n[run]\ncommand = ['x', "
                                "'{x}', '{width}']\n");
        REQUIRE(parsed.problems.empty());
        const auto space = sweep::SearchSpace::compile(parsed.spec);
        SearchHistory history(parsed.spec, *space);
        for (int number = 1; number <= 16; ++number) {
            const auto suggestion = suggest(history, Method::Sobol, number);
            REQUIRE(suggestion);
            const double x = *sweep::numberOf(suggestion->parameters[0].second);
            const double width = *sweep::numberOf(suggestion->parameters[1].second);
            Observation trial;
            trial.number = number;
            trial.outcome = Outcome::Complete;
            trial.parameters = suggestion->parameters;
            trial.values = {(x - 0.6) * (x - 0.6) + 0.1 * (width - 0.6) * (width - 0.6)};
            trial.deviceSeconds = 60 * std::exp(slope * width);
            history.set(std::move(trial));
        }
        const auto suggestion = suggest(history, Method::Gp, 17);
        REQUIRE(suggestion);
        CHECK(suggestion->why.number(facts::Field::Seconds).has_value() == (end.starts_with("[budget]") && slope > 0));
        return *sweep::numberOf(suggestion->parameters[1].second);
    };
    const double free = chosenWidth("trials = 30\n", 4);
    CHECK(chosenWidth("[budget]\ndevice_time = '1000h'\n", 4) < free - 0.1);
    CHECK(chosenWidth("[budget]\ntime = '1h'\n", 4) < free - 0.1);
    CHECK(chosenWidth("[budget]\ntime = '1h'\n", 0) == doctest::Approx(free));
}
