#include "recordings.h"
#include "search/parzen.h"
#include "search/split.h"
#include "search/truncatednormal.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

/// The same numbers as Optuna 5.0.0, recorded by peers/record_optuna.py.
using namespace sweepscope;
using namespace sweepscope::search;
using namespace sweepscope::search::testing;
using nlohmann::json;

namespace {

sweep::Dimension dimensionOf(const json &recorded, int index)
{
    sweep::Dimension dimension;
    dimension.name = "p" + std::to_string(index);
    const std::string kind = recorded["kind"];
    if (kind == "choice") {
        dimension.kind = sweep::DimensionKind::Choice;
        for (int i = 0; i < recorded["count"]; ++i)
            dimension.values.emplace_back("choice " + std::to_string(i));
        return dimension;
    }
    dimension.kind = kind == "float" ? sweep::DimensionKind::Linear
                     : kind == "log" ? sweep::DimensionKind::Log
                                     : sweep::DimensionKind::Integer;
    dimension.low = recorded["low"];
    dimension.high = recorded["high"];
    dimension.step = recorded.value("step", 1);
    return dimension;
}

Coordinates coordinatesOf(const json &point, const std::vector<sweep::Dimension> &dimensions)
{
    Coordinates coordinates;
    for (std::size_t i = 0; i < point.size(); ++i) {
        const double value = point[i];
        coordinates.push_back(dimensions[i].kind == sweep::DimensionKind::Log ? std::log(value) : value);
    }
    return coordinates;
}

Observation observationOf(const json &trial, int number)
{
    Observation observation;
    observation.number = number;
    const std::string state = trial["state"];
    observation.violation = std::max(0.0, trial["constraint"].get<double>());
    observation.outcome = state == "running"          ? Outcome::Pending
                          : observation.violation > 0 ? Outcome::Infeasible
                          : state == "pruned"         ? Outcome::Pruned
                                                      : Outcome::Complete;
    observation.values = trial["values"].get<std::vector<double>>();
    if (!trial["steps"].empty()) {
        observation.step = trial["steps"][0][0];
        observation.values = {trial["steps"][0][1].get<double>()};
    }
    return observation;
}

ParzenEstimator estimatorOf(const std::vector<Axis> &axes, const std::vector<Coordinates> &observations)
{
    std::vector<const Coordinates *> pointers;
    for (const Coordinates &observation : observations)
        pointers.push_back(&observation);
    std::vector<std::vector<std::size_t>> ascending(axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        ascending[i].resize(observations.size());
        std::iota(ascending[i].begin(), ascending[i].end(), std::size_t{0});
        std::ranges::stable_sort(ascending[i], {}, [&](std::size_t kernel) { return observations[kernel][i]; });
    }
    std::vector<std::ptrdiff_t> kernelOf(observations.size());
    std::iota(kernelOf.begin(), kernelOf.end(), std::ptrdiff_t{0});
    return {axes, pointers, weightsByAge(observations.size()), ascending, kernelOf};
}

void compare(const Eigen::ArrayXd &ours, const json &theirs, double tolerance)
{
    REQUIRE(static_cast<std::size_t>(ours.size()) == theirs.size());
    for (std::size_t i = 0; i < theirs.size(); ++i)
        CHECK(ours[static_cast<Eigen::Index>(i)] == doctest::Approx(theirs[i].get<double>()).epsilon(tolerance));
}

}  // namespace

TEST_CASE("densities, weights and widths of the Parzen estimator are Optuna's")
{
    const json recorded = recording("optuna.json");
    REQUIRE(recorded["parzen"].size() == 80);
    for (const json &example : recorded["parzen"]) {
        std::vector<sweep::Dimension> dimensions;
        for (const json &dimension : example["dimensions"])
            dimensions.push_back(dimensionOf(dimension, static_cast<int>(dimensions.size())));
        const std::vector<Axis> axes(dimensions.begin(), dimensions.end());
        std::vector<Coordinates> observations;
        for (const json &observation : example["observations"])
            observations.push_back(coordinatesOf(observation, dimensions));
        std::vector<Coordinates> points;
        for (const json &point : example["points"])
            points.push_back(coordinatesOf(point, dimensions));
        const ParzenEstimator estimator = estimatorOf(axes, observations);

        compare(estimator.weights(), example["weights"], 1e-12);
        for (std::size_t i = 0; i < dimensions.size(); ++i) {
            if (!axes[i].isCategorical())
                compare(estimator.widths(i), example["widths"][i], 1e-9);
        }
        const std::vector<double> densities = estimator.logDensities(points);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double theirs = example["densities"][i];
            CHECK(std::fabs(densities[i] - theirs) < 1e-9);
        }
    }
}

TEST_CASE("the mass of a normal distribution in an interval has 12 digits, to 35 standard deviations")
{
    const json recorded = recording("optuna.json");
    REQUIRE(recorded["masses"].size() == 200);
    for (const json &example : recorded["masses"]) {
        INFO(example.dump());
        CHECK(std::fabs(logNormalMass(example[0], example[1]) - example[2].get<double>())
              < 1e-12 * std::max(1.0, std::fabs(example[2].get<double>())));
    }
}

TEST_CASE("good and bad trials are Optuna's, with one to three objectives and equal values")
{
    const json recorded = recording("optuna.json");
    REQUIRE(recorded["splits"].size() == 200);
    for (const json &example : recorded["splits"]) {
        std::vector<Observation> trials;
        for (const json &trial : example["trials"])
            trials.push_back(observationOf(trial, static_cast<int>(trials.size())));
        std::vector<std::size_t> places(trials.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        const Split split = splitHistory(trials, places, example["count"]);
        INFO(example.dump());
        CHECK(split.good == example["good"].get<std::vector<std::size_t>>());
        CHECK(split.bad == example["bad"].get<std::vector<std::size_t>>());
    }
}
