#include "search/pareto.h"
#include "search/suggestion.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::search;

namespace {

constexpr const char *space =
    "a = { float = [0, 1] }\nb = { float = [0, 1] }\nd = { float = [0, 1] }\ne = { log = [1e-4, 1] }\n"
    "kind = ['x', 'y']\nc = { int = [0, 9], when = \"kind == 'x'\" }\n";

/// The space of the objectives that a search of 120 trials dominates: the first grows with `a`, the second falls with it,
/// and both are least at b = 0.3, d = 0.7, e = 1e-3 and kind = 'x', c = 4.
double dominated(const std::string &method, std::uint64_t seed)
{
    const sweep::ParsedSweep parsed = sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = '"
                                                        + method + "'\ntrials = 120\nseed = " + std::to_string(seed)
                                                        + "\n[space]\n" + space + "[run]\ncommand = ['true']\n");
    REQUIRE(parsed.problems.empty());
    const auto compiled = sweep::SearchSpace::compile(parsed.spec);
    SearchHistory history(parsed.spec, *compiled);
    std::vector<std::vector<double>> points;
    for (int number = 1; number <= 120; ++number) {
        auto suggestion = suggest(history, methodOf(parsed.spec), number);
        REQUIRE(suggestion);
        const auto value = [&](const char *name) {
            const sweep::ParameterValue *const found = sweep::find(suggestion->parameters, name);
            return found != nullptr ? sweep::numberOf(*found).value_or(0) : 0;
        };
        double worse = std::pow(2 * (value("b") - 0.3), 2) + std::pow(2 * (value("d") - 0.7), 2);
        worse += std::pow(0.3 * (std::log10(value("e")) + 3), 2);
        worse += sweep::find(suggestion->parameters, "c") != nullptr ? std::pow((value("c") - 4) / 9, 2) : 0.5;
        Observation trial;
        trial.number = number;
        trial.outcome = number % 10 == 0 ? Outcome::Failed : Outcome::Complete;
        trial.parameters = std::move(suggestion->parameters);
        if (trial.outcome == Outcome::Complete) {
            trial.values = {value("a") + worse, std::pow(1 - value("a"), 2) + worse};
            if (trial.values[0] < 3 && trial.values[1] < 3)
                points.push_back(trial.values);
        }
        history.set(std::move(trial));
    }
    return hypervolume(points, {3, 3});
}

}  // namespace

TEST_CASE("nsga2 dominates more of two objectives than random points do, with categories, conditions and failures")
{
    for (const std::uint64_t seed : {1, 2, 3, 4})
        CHECK(dominated("nsga2", seed) > dominated("random", seed));
}

TEST_CASE("nsga2 names the trials that it crosses, once there are enough results")
{
    const sweep::ParsedSweep parsed =
        sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'nsga2'\ntrials = 50\n[space]\n"
                          "a = { float = [0, 1] }\nb = { float = [0, 1] }\n[run]\ncommand = ['true']\n");
    REQUIRE(parsed.problems.empty());
    const auto compiled = sweep::SearchSpace::compile(parsed.spec);
    SearchHistory history(parsed.spec, *compiled);
    for (int number = 1; number <= 10; ++number) {
        const auto suggestion = suggest(history, Method::Nsga2, number);
        REQUIRE(suggestion);
        CHECK(suggestion->why.code == facts::Code::ChosenToStart);
        Observation trial;
        trial.number = number;
        trial.outcome = Outcome::Complete;
        trial.parameters = suggestion->parameters;
        // Trials 3 and 7 dominate all others, so that one of them wins each tournament that it is in.
        trial.values = number == 3   ? std::vector<double>{0, 1}
                       : number == 7 ? std::vector<double>{1, 0}
                                     : std::vector<double>{2, 2};
        history.set(std::move(trial));
    }
    int fromBest = 0;
    for (int number = 11; number <= 110; ++number) {
        const auto suggestion = suggest(history, Method::Nsga2, number);
        REQUIRE(suggestion);
        CHECK((suggestion->method == Method::Nsga2));
        CHECK(suggestion->why.code == facts::Code::ChosenByCrossover);
        CHECK(suggestion->why.integer(facts::Field::Count) == 10);
        const std::string trials = suggestion->why.text(facts::Field::Trials);
        fromBest += trials.starts_with("3") || trials.starts_with("7") ? 1 : 0;
    }
    CHECK(fromBest > 25);  // 36 of 100 tournaments
    CHECK(fromBest < 50);
}
