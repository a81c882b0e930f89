#include "search/suggestion.h"

#include "search/sobol.h"
#include "search/truncatednormal.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

using namespace sweepscope;
using namespace sweepscope::search;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A space and a search in it, trial after trial.
struct Search {
    sweep::ParsedSweep parsed;
    std::optional<sweep::SearchSpace> space;
    std::optional<SearchHistory> history;

    Search(const Search &) = delete;  // the history refers to the space
    explicit Search(const std::string &dimensions, const std::string &constraints = "")
        : parsed(sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'random'\ntrials = 2\n"
                                   "seed = 7\n[space]\n"
                                   + dimensions + "\n[constraints]\n" + constraints + "\n[run]\ncommand = ['true']\n"))
    {
        space = *sweep::SearchSpace::compile(parsed.spec);
        history.emplace(parsed.spec, *space);
    }

    tl::expected<Suggestion, NoPoint> next(Method method) const
    {
        return suggest(*history, method, history->lastNumber() + 1);
    }

    void add(Suggestion suggestion, Outcome outcome, double value = 0)
    {
        Observation trial;
        trial.number = history->lastNumber() + 1;
        trial.outcome = outcome;
        trial.parameters = std::move(suggestion.parameters);
        if (outcome != Outcome::Pending)
            trial.values = {value};
        history->set(std::move(trial));
    }
};

double number(const Suggestion &suggestion, const std::string &name)
{
    const sweep::ParameterValue *value = sweep::find(suggestion.parameters, name);
    REQUIRE(value != nullptr);
    return std::holds_alternative<double>(*value) ? std::get<double>(*value)
                                                  : static_cast<double>(std::get<std::int64_t>(*value));
}

/// Of `trials` trials, each finished before the next starts.
template <typename Objective>
double bestOf(Search &&search, Method method, int trials, const Objective &objective)
{
    double best = infinity;
    for (int i = 0; i < trials; ++i) {
        auto suggestion = search.next(method);
        REQUIRE(suggestion);
        const double value = objective(*suggestion);
        best = std::min(best, value);
        search.add(*std::move(suggestion), Outcome::Complete, value);
    }
    return best;
}

constexpr Method allMethods[] = {Method::Random, Method::Sobol, Method::Tpe};

}  // namespace

TEST_CASE("quantiles of a truncated normal distribution have the mass that was asked for")
{
    CHECK(logNormalMass(-36, -35) == logNormalMass(35, 36));
    CHECK(logNormalMass(2, 2) == -std::numeric_limits<double>::infinity());
    for (const double unit : {1e-12, 0.1, 0.5, 0.9, 1 - 1e-12}) {
        const double z = truncatedNormalQuantile(unit, -2, 3);
        CHECK(std::exp(logNormalMass(-2, z) - logNormalMass(-2, 3)) == doctest::Approx(unit).epsilon(1e-9));
    }
}

TEST_CASE("every first 2^k points of a scrambled sequence lie in different cells of each parameter")
{
    const SobolSequence sequence(20, 7);
    for (std::size_t dimension = 0; dimension < 20; ++dimension) {
        std::set<int> cells;
        for (std::uint64_t index = 0; index < 64; ++index)
            cells.insert(static_cast<int>(sequence.point(index)[dimension] * 64));
        CHECK(cells.size() == 64);
    }
    CHECK(SobolSequence(3, 8).point(5) != SobolSequence(3, 9).point(5));
}

TEST_CASE("a suggestion depends on the request alone")
{
    for (const Method method : allMethods) {
        Search search("lr = { log = [1e-4, 0.1] }\nunits = [16, 32, 64]\nkind = ['a', 'b']");
        for (int i = 0; i < 30; ++i) {
            const auto first = search.next(method);
            const auto again = search.next(method);
            REQUIRE(first);
            CHECK(first->parameters == again->parameters);
            search.add(*first, Outcome::Complete, std::fabs(std::log(number(*first, "lr") / 0.01)));
        }
    }
}

TEST_CASE("no point comes twice while the space has another, and then it is used up")
{
    for (const Method method : allMethods) {
        Search search("units = [16, 32, 64]\nkind = ['a', 'b']\ndepth = { int = [1, 2], when = \"kind == 'a'\" }");
        std::set<sweep::ParameterSet> points;
        for (int i = 0; i < 9; ++i) {
            auto suggestion = search.next(method);
            REQUIRE(suggestion);
            CHECK(points.insert(suggestion->parameters).second);
            // Every other trial is still running.
            search.add(*std::move(suggestion), i % 2 == 0 ? Outcome::Pending : Outcome::Complete, i);
        }
        const auto none = search.next(method);
        REQUIRE_FALSE(none);
        CHECK(none.error().cause == NoPoint::Cause::Exhausted);
        CHECK(none.error().points == 9);
    }
}

TEST_CASE("constraints hold in every point, and constraints that leave nothing are said to")
{
    for (const Method method : allMethods) {
        Search search("a = { int = [1, 100] }\nb = { int = [1, 100] }", "sum = 'a + b <= 12'");
        for (int i = 0; i < 60; ++i) {
            auto suggestion = search.next(method);
            REQUIRE(suggestion);
            CHECK(number(*suggestion, "a") + number(*suggestion, "b") <= 12);
            const double value = number(*suggestion, "a");
            search.add(*std::move(suggestion), Outcome::Complete, value);
        }
        const auto none = Search("a = { float = [0, 1] }", "never = 'a > 0.9999999'").next(method);
        REQUIRE_FALSE(none);
        CHECK(none.error().cause == NoPoint::Cause::ConstraintsTight);
    }
}

TEST_CASE("tpe finds a better point than chance")
{
    const auto search = [] {
        return Search("lr = { log = [1e-5, 1] }\nmomentum = { float = [0, 0.99] }\nunits = [16, 32, 64, 128, 256]\n"
                      "kind = ['a', 'b', 'c']");
    };
    const auto objective = [](const Suggestion &at) {
        const bool isBest = std::get<std::string>(*sweep::find(at.parameters, "kind")) == "b";
        return std::pow(std::log10(number(at, "lr")) + 3, 2) + std::pow(number(at, "momentum") - 0.9, 2)
               + 0.1 * std::pow(std::log2(number(at, "units")) - 6, 2) + (isBest ? 0 : 1);
    };
    CHECK(bestOf(search(), Method::Tpe, 60, objective) < 0.1);
    CHECK(bestOf(search(), Method::Tpe, 60, objective) < bestOf(search(), Method::Random, 60, objective));
}

TEST_CASE("eight pending trials lie apart")
{
    Search search("x = { float = [0, 1] }");
    for (int i = 0; i < 30; ++i) {
        auto suggestion = search.next(Method::Tpe);
        const double x = number(*suggestion, "x");
        search.add(*std::move(suggestion), Outcome::Complete, std::fabs(x - 0.3));
    }
    std::vector<double> pending;
    for (int i = 0; i < 8; ++i) {
        auto suggestion = search.next(Method::Tpe);
        pending.push_back(number(*suggestion, "x"));
        search.add(*std::move(suggestion), Outcome::Pending);
    }
    std::ranges::sort(pending);
    for (std::size_t i = 1; i < pending.size(); ++i)
        CHECK(pending[i] - pending[i - 1] > 1e-4);
}

TEST_CASE("any history leads to a point of the space")
{
    const double values[] = {infinity, -infinity, std::nan(""), 1e300, 1e-300, 0};
    for (const Outcome outcome : {Outcome::Complete, Outcome::Pruned, Outcome::Infeasible, Outcome::Failed}) {
        Search search("lr = { log = [1e-300, 1e300] }\nseed = { int = [0, 9007199254740992] }");
        for (int i = 0; i < 40; ++i) {
            auto suggestion = search.next(Method::Tpe);
            REQUIRE(suggestion);
            CHECK(number(*suggestion, "lr") >= 1e-300);
            CHECK(number(*suggestion, "lr") <= 1e300);
            search.add(*std::move(suggestion), outcome, values[i % 6]);
        }
    }
}

TEST_CASE("a trial with fewer values than others is no good one")
{
    Search search("x = { float = [0, 1] }");
    for (int i = 0; i < 30; ++i) {
        auto suggestion = search.next(Method::Tpe);
        REQUIRE(suggestion);
        Observation trial;
        trial.number = search.history->lastNumber() + 1;
        trial.outcome = Outcome::Complete;
        trial.parameters = suggestion->parameters;
        trial.values = i % 3 == 0 ? std::vector<double>{-100.0} : std::vector<double>{1.0 * i, -1.0 * i};
        search.history->set(trial);
    }
    CHECK(search.next(Method::Tpe));
}

TEST_CASE("trials that no longer fit the space are no obstacle")
{
    Search wide("lr = { float = [0, 1] }\nkind = ['a', 'b', 'c']");
    for (int i = 0; i < 20; ++i) {
        auto suggestion = wide.next(Method::Tpe);
        const double lr = number(*suggestion, "lr");
        wide.add(*std::move(suggestion), Outcome::Complete, lr);
    }
    Search narrow("lr = { float = [0.4, 0.6] }\nkind = ['a', 'c']");
    for (const Observation &trial : wide.history->trials())
        narrow.history->set(trial);
    const auto suggestion = narrow.next(Method::Tpe);
    REQUIRE(suggestion);
    CHECK(number(*suggestion, "lr") >= 0.4);
    CHECK(number(*suggestion, "lr") <= 0.6);
}

TEST_CASE("a parameter named seed is not modelled")
{
    Search search("x = { float = [0, 1] }\nseed = { int = [1, 1000] }");
    for (int i = 0; i < 40; ++i) {
        auto suggestion = search.next(Method::Tpe);
        // Only small seeds are good: a model of the seed would prefer them.
        const double seed = number(*suggestion, "seed");
        search.add(*std::move(suggestion), Outcome::Complete, seed);
    }
    int small = 0;
    for (int i = 0; i < 40; ++i) {
        auto suggestion = search.next(Method::Tpe);
        small += number(*suggestion, "seed") <= 200 ? 1 : 0;
        search.add(*std::move(suggestion), Outcome::Pending);
    }
    CHECK(small < 20);
}
