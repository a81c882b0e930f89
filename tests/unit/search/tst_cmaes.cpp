#include "recordings.h"
#include "search/evolution.h"
#include "search/suggestion.h"
#include "sweep/splitmix.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace sweepscope;
using namespace sweepscope::search;
using namespace sweepscope::search::testing;
using nlohmann::json;

namespace {

/// A point of peers/record_cmaes.py, which makes the same ones.
Eigen::VectorXd told(sweep::SplitMix64 &random, Eigen::Index dimensions, int generation)
{
    Eigen::VectorXd point(dimensions);
    for (double &coordinate : point)
        coordinate = 0.4 + (random.nextUnit() - 0.5) * std::pow(0.9, generation);
    return point;
}

}  // namespace

TEST_CASE("CMA-ES moves its distribution and keeps its margin as the package cmaes does")
{
    const json recorded = recording("cmaes.json");
    REQUIRE(recorded["cases"].size() == 10);
    for (const json &example : recorded["cases"]) {
        const auto cells = example["cells"].get<std::vector<std::uint64_t>>();
        const auto n = static_cast<Eigen::Index>(cells.size());
        const int generations = example["generations"];
        CAPTURE(n);
        CAPTURE(generations);
        Evolution evolution(Eigen::VectorXd::Constant(n, 0.5), 1.0 / 6, cells);
        REQUIRE(evolution.populationSize() == example["population"].get<std::size_t>());
        sweep::SplitMix64 random(static_cast<std::uint64_t>(n));
        for (int generation = 0; generation < generations; ++generation) {
            Eigen::MatrixXd points(static_cast<Eigen::Index>(evolution.populationSize()), n);
            for (Eigen::Index row = 0; row < points.rows(); ++row)
                points.row(row) = told(random, n, generation).transpose();
            evolution.update(points, false);
        }
        const double tolerance = generations <= 10 ? 1e-9 : 1e-6;
        checkNear(evolution.deviation(), example["deviation"], tolerance);
        Eigen::VectorXd raw = evolution.mean();
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto place = static_cast<std::size_t>(i);
            checkNear(evolution.mean()[i], example["mean"][place], tolerance);
            checkNear(evolution.stretch()[i], example["stretch"][place], tolerance);
            for (Eigen::Index j = 0; j < n; ++j)
                checkNear(evolution.covariance()(i, j), example["covariance"][place][static_cast<std::size_t>(j)],
                          tolerance);
            raw[i] += 2 * random.nextUnit() - 1;
        }
        const Eigen::VectorXd rounded = evolution.rounded(raw);
        for (Eigen::Index i = 0; i < n; ++i)
            checkNear(rounded[i], example["rounded"][static_cast<std::size_t>(i)], tolerance);
    }
}

TEST_CASE(
    "cmaes finds the minimum of a narrow valley, with integers and lists, and says from which generation a point is")
{
    const sweep::ParsedSweep parsed = sweep::parseSweep(
        "[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'cmaes'\ntrials = 400\nseed = 3\n[space]\n"
        "x = { float = [-5, 10] }\ny = { float = [-5, 10] }\nn = { int = [1, 20] }\nl = [8, 16, 32, 64]\n"
        "[run]\ncommand = ['true']\n");
    REQUIRE(parsed.problems.empty());
    const auto space = sweep::SearchSpace::compile(parsed.spec);
    SearchHistory history(parsed.spec, *space);
    double best = 1e9;
    std::set<std::string> seen;
    for (int number = 1; number <= 400; ++number) {
        auto suggestion = suggest(history, methodOf(parsed.spec), number);
        REQUIRE(suggestion);
        CHECK((suggestion->method == Method::Cmaes));
        CHECK(suggestion->why.code == facts::Code::ChosenByEvolution);
        CHECK(suggestion->why.integer(facts::Field::Number) == (number - 1) / 8 + 1);
        const auto value = [&](const char *name) {
            return *sweep::numberOf(*sweep::find(suggestion->parameters, name));
        };
        const double a = value("x");
        const double b = value("y");
        const double loss = 100 * std::pow(b - a * a, 2) + std::pow(a - 1, 2) + std::fabs(value("n") - 7)
                            + std::fabs(std::log2(value("l")) - 5);
        best = std::min(best, loss);
        Observation trial;
        trial.number = number;
        trial.outcome = Outcome::Complete;
        trial.parameters = std::move(suggestion->parameters);
        trial.values = {loss};
        history.set(std::move(trial));
    }
    CHECK(best < 0.5);
}

TEST_CASE("cmaes leaves categories, conditions and several objectives to tpe")
{
    for (const char *dimension : {"kind = ['a', 'b']", "y = { float = [0, 1], when = 'x > 0.5' }"}) {
        const sweep::ParsedSweep parsed = sweep::parseSweep(
            "[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'cmaes'\ntrials = 40\n[space]\n"
            "x = { float = [0, 1] }\n"
            + std::string(dimension) + "\n[run]\ncommand = ['true']\n");
        REQUIRE(parsed.problems.empty());
        const auto space = sweep::SearchSpace::compile(parsed.spec);
        SearchHistory history(parsed.spec, *space);
        for (int number = 1; number <= 20; ++number) {
            auto suggestion = suggest(history, Method::Cmaes, number);
            REQUIRE(suggestion);
            CHECK((suggestion->method == Method::Tpe));
            Observation trial;
            trial.number = number;
            trial.outcome = Outcome::Complete;
            trial.parameters = std::move(suggestion->parameters);
            trial.values = {static_cast<double>(number % 7)};
            history.set(std::move(trial));
        }
    }
}
