#include "search/suggestion.h"

#include "search/auto.h"
#include "search/sobol.h"
#include "search/split.h"
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

/// A search over a space, one trial after another.
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

    tl::expected<Suggestion, facts::Fact> next(Method method) const
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

/// Returns the best value after `trials` trials, each finished before the next one starts.
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

Observation observed(const sweep::TrialRecord &trial, sweep::Goal goal)
{
    sweep::SweepSpec spec;
    spec.goal = goal;
    return TrialObserver(spec)(trial);
}

constexpr Method allMethods[] = {Method::Random, Method::Sobol, Method::Tpe, Method::Gp,
                                 Method::Cmaes,  Method::Nsga2, Method::Auto};

}  // namespace

TEST_CASE("quantiles of a truncated normal distribution have the requested mass")
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

TEST_CASE("a suggestion depends only on the request")
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

TEST_CASE("no point repeats before the space is exhausted")
{
    for (const Method method : allMethods) {
        Search search("units = [16, 32, 64]\nkind = ['a', 'b']\ndepth = { int = [1, 2], when = \"kind == 'a'\" }");
        std::set<sweep::ParameterSet> points;
        for (int i = 0; i < 9; ++i) {
            auto suggestion = search.next(method);
            REQUIRE(suggestion);
            CHECK(points.insert(suggestion->parameters).second);
            // Every second trial is still running.
            search.add(*std::move(suggestion), i % 2 == 0 ? Outcome::Pending : Outcome::Complete, i);
        }
        const auto none = search.next(method);
        REQUIRE_FALSE(none);
        CHECK(none.error() == facts::Fact(facts::Code::PointsExhausted).with(facts::Field::Count, 9));
    }
}

TEST_CASE("steps and integers on a logarithmic line are values of their own, and each is tried")
{
    for (const Method method : allMethods) {
        Search search("a = { float = [0, 0.3], step = 0.1 }\nb = { int = [1, 4], log = true }\n"
                      "c = { int = [2, 32], log = true, points = 3 }");
        std::set<sweep::ParameterSet> points;
        for (int i = 0; i < 48; ++i) {
            auto suggestion = search.next(method);
            REQUIRE(suggestion);
            CHECK(points.insert(suggestion->parameters).second);
            const double value = number(*suggestion, "a") + number(*suggestion, "b");
            search.add(*std::move(suggestion), Outcome::Complete, value);
        }
        const auto none = search.next(method);
        REQUIRE_FALSE(none);
        CHECK(none.error() == facts::Fact(facts::Code::PointsExhausted).with(facts::Field::Count, 48));
    }
}

TEST_CASE("cells lie side by side from one end of a discrete line to the other, each around its value")
{
    for (const char *written : {"{ int = [1, 40], log = true }", "{ int = [2, 32], log = true, points = 5 }",
                                "{ float = [-0.3, 0.5], step = 0.2 }", "{ int = [3, 12], step = 4 }", "[4, 1, 9]"}) {
        const Search search("n = " + std::string(written));
        const Axis axis(search.parsed.spec.space.front());
        const sweep::DimensionValues &values = search.space->values(0);
        REQUIRE(axis.isDiscrete());
        std::set<std::pair<double, std::uint64_t>> byPlace;
        for (std::uint64_t i = 0; i < values.size(); ++i)
            byPlace.emplace(axis.coordinate(values.at(i)).value(), i);
        double end = axis.low();
        for (const auto &[coordinate, index] : byPlace) {
            const Axis::Cell cell = axis.cell(coordinate);
            CHECK(cell.low == doctest::Approx(end));
            end = cell.high;
            for (const double share : {0.01, 0.5, 0.99})
                CHECK(axis.valueIndex(cell.low + share * (cell.high - cell.low)) == index);
        }
        CHECK(end == doctest::Approx(axis.high()));
    }
}

TEST_CASE("every method begins with draws from a normal distribution, and stays within its range")
{
    for (const Method method : allMethods) {
        Search search("a = { normal = [5.0, 1.0] }\nb = { log_normal = [0.0, 2.0] }");
        int within = 0;
        int below = 0;
        for (int i = 0; i < 60; ++i) {
            auto suggestion = search.next(method);
            REQUIRE(suggestion);
            const double a = number(*suggestion, "a");
            const double b = number(*suggestion, "b");
            CHECK(std::fabs(a - 5) <= 4);
            CHECK(std::fabs(std::log(b)) <= 8.0001);
            within += std::fabs(a - 5) < 1 ? 1 : 0;  // two thirds
            below += b < 1 ? 1 : 0;                  // half
            search.add(*std::move(suggestion), Outcome::Complete, i);
        }
        if (method == Method::Random || method == Method::Sobol) {
            CHECK(within >= 30);
            CHECK(within <= 50);
            CHECK(below >= 20);
            CHECK(below <= 40);
        }
    }
}

TEST_CASE("constraints hold for every point, and constraints that leave no point are reported")
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
        CHECK(none.error() == facts::Fact(facts::Code::ConstraintsTight));
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

TEST_CASE("eight pending trials are far apart")
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

TEST_CASE("a trial with fewer values than others is not a good one")
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

TEST_CASE("trials outside of the space do not count as results of a model")
{
    for (const Method method : {Method::Tpe, Method::Gp, Method::Auto}) {
        Search search("x = { float = [5, 6] }");
        for (int i = 1; i <= 20; ++i) {
            Observation outside;
            outside.number = i;
            outside.outcome = Outcome::Complete;
            outside.parameters = {{"x", i / 20.0}};
            outside.values = {1.0 * i};
            search.history->set(std::move(outside));
        }
        const auto suggestion = search.next(method);
        REQUIRE(suggestion);
        CHECK(suggestion->why.code == facts::Code::ChosenToStart);
        CHECK(suggestion->why.integer(facts::Field::Count) == 0);
    }
}

TEST_CASE("trials that no longer fit the space are ignored")
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

TEST_CASE("the outcome of a trial follows from its state, and from the cause of its end")
{
    using facts::Code;
    using sweep::TrialState;
    sweep::TrialRecord trial;
    trial.number = 3;
    const auto outcome = [&](TrialState state, const facts::Fact &reason = {}) {
        trial.state = state;
        trial.reason = reason;
        return observed(trial, sweep::Goal::Maximize).outcome;
    };
    CHECK(outcome(TrialState::Paused) == Outcome::Pending);
    CHECK(outcome(TrialState::Completed, Code::ObjectiveMissing) == Outcome::Failed);
    CHECK(outcome(TrialState::Stopped) == Outcome::Unknown);
    CHECK(outcome(TrialState::Failed, Code::RankExited) == Outcome::Failed);
    CHECK(outcome(TrialState::Failed, Code::AgentNotStarted) == Outcome::Unknown);
    CHECK(outcome(TrialState::Failed, facts::Fact(Code::NotRetried).dueTo(Code::RankNotStarted)) == Outcome::Unknown);
    CHECK(outcome(TrialState::Lost) == Outcome::Unknown);

    trial.objectiveBest = sweep::ObjectiveValue{0.75, 40};
    trial.objectiveLast = sweep::ObjectiveValue{0.5, 60};
    CHECK(outcome(TrialState::Stopped) == Outcome::Pruned);
    CHECK(outcome(TrialState::Completed) == Outcome::Complete);
    CHECK(observed(trial, sweep::Goal::Maximize).values == std::vector<double>{-0.75});
    CHECK(observed(trial, sweep::Goal::Minimize).values == std::vector<double>{0.75});
    CHECK(outcome(TrialState::Pruned) == Outcome::Pruned);
    CHECK(observed(trial, sweep::Goal::Minimize).step == 60);
    trial.objectiveBest->value = std::numeric_limits<double>::quiet_NaN();
    CHECK(outcome(TrialState::Completed) == Outcome::Failed);
}

TEST_CASE("a trial without an outcome keeps its point but is not in the model")
{
    Search search("n = [1, 2, 3]");
    auto first = search.next(Method::Random);
    REQUIRE(first);
    const sweep::ParameterSet point = first->parameters;
    search.add(*std::move(first), Outcome::Unknown);
    CHECK(search.history->contains(point));
    CHECK(search.history->coordinates(0) == nullptr);
}

TEST_CASE("a model of trials in brackets compares values at one rung")
{
    std::vector<Observation> trials(12);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        places.push_back(i);
        trials[i].rungs.push_back({1, 1.0 - 0.01 * static_cast<double>(i)});
        if (i < 5)
            trials[i].rungs.push_back({3, static_cast<double>(i)});
    }
    trials[11].outcome = Outcome::Pending;  // it runs, and its value at a rung counts all the same
    CHECK(modelRung(trials, places, 4) == 3);
    CHECK(modelRung(trials, places, 6) == 1);
    CHECK_FALSE(modelRung(trials, places, 13));
    CHECK(splitAtRung(trials, places, 3).good == std::vector<std::size_t>{0});
    const Split split = splitAtRung(trials, places, 1);
    CHECK(split.good == std::vector<std::size_t>{10, 11});
    CHECK(split.bad.size() == 10);
    trials[11].rungs.front().value = std::nan("");
    CHECK(splitAtRung(trials, places, 1).good == std::vector<std::size_t>{9, 10});
}

TEST_CASE("in brackets the trials that were compared late do not mislead the model, and a third is left to chance")
{
    Search search("x = { float = [0.0, 1.0] }", "[prune]\nmethod = 'hyperband'\nfirst_step = 1\nmax_step = 9\n");
    // Those near 0.2 are good and were pruned early; those near 0.8 are bad, but ran to the end in a late bracket.
    for (int i = 0; i < 40; ++i) {
        Observation trial;
        trial.number = i + 1;
        const bool isLate = i % 2 == 0;
        const double x = (isLate ? 0.8 : 0.2) + 0.002 * i;
        trial.parameters = {{"x", x}};
        trial.outcome = isLate ? Outcome::Complete : Outcome::Pruned;
        trial.step = 1;
        trial.values = {std::fabs(x - 0.2)};
        trial.rungs = {{1, trial.values.front()}};
        search.history->set(std::move(trial));
    }
    int near = 0;
    int byModel = 0;
    for (int i = 0; i < 60; ++i) {
        const auto suggestion = search.next(Method::Tpe);
        REQUIRE(suggestion);
        if (suggestion->why.code == facts::Code::ChosenByModel) {
            ++byModel;
            CHECK(suggestion->why.integer(facts::Field::Step) == 1);
            near += number(*suggestion, "x") < 0.5 ? 1 : 0;
        } else {
            CHECK(suggestion->why.code == facts::Code::ChosenAtRandom);
        }
        search.add(*suggestion, Outcome::Pending);
    }
    CHECK(byModel > 30);
    CHECK(byModel < 50);
    CHECK(near > byModel * 3 / 4);
}

TEST_CASE(
    "in brackets running trials are enough for a model, and no point ignores results of others that there are not")
{
    Search search("x = { float = [0.0, 1.0] }", "[prune]\nmethod = 'hyperband'\nfirst_step = 1\nmax_step = 9\n");
    for (int i = 0; i < 12; ++i) {
        Observation trial;
        trial.number = i + 1;
        trial.parameters = {{"x", 0.05 * i}};
        trial.rungs = {{1, 0.05 * i}};
        search.history->set(std::move(trial));
    }
    for (int i = 0; i < 8; ++i) {
        const auto suggestion = search.next(Method::Tpe);
        REQUIRE(suggestion);
        CHECK(suggestion->why.code != facts::Code::ChosenToStart);
        CHECK(suggestion->why.code != facts::Code::ChosenToExplore);
        search.add(*suggestion, Outcome::Pending);
    }
}

TEST_CASE("gp finds the minimum of smooth functions in few trials, and says what it predicts")
{
    const auto bowl = [](const Suggestion &point) {
        return std::pow(std::log10(number(point, "lr")) + 2.5, 2) + std::pow(number(point, "width") - 77, 2) / 2500
               + (std::get<std::string>(*sweep::find(point.parameters, "kind")) == "b" ? 0 : 0.5);
    };
    const std::string dimensions =
        "lr = { log = [1e-5, 1.0] }\nwidth = { int = [1, 200] }\nkind = ['a', 'b', 'c']\nseed = { int = [1, 9] }";
    CHECK(bestOf(Search(dimensions), Method::Gp, 40, bowl) < 0.01);

    Search search(dimensions);
    int closePredictions = 0;
    for (int i = 0; i < 30; ++i) {
        auto suggestion = search.next(Method::Gp);
        REQUIRE(suggestion);
        const facts::Fact why = suggestion->why;
        const double value = bowl(*suggestion);
        if (i < 8)
            CHECK(why.code == facts::Code::ChosenToStart);
        if (i >= 10) {
            CHECK(why.code == facts::Code::ChosenByPrediction);
            CHECK(why.integer(facts::Field::Count) == i);
            CHECK(why.number(facts::Field::Probability).value_or(2) <= 1);
            CHECK(why.number(facts::Field::Improvement).value_or(-1) >= 0);
            CHECK(why.number(facts::Field::Improvement).value_or(9) < 1);
            closePredictions += std::fabs(*why.number(facts::Field::Value) - value) < 0.3 ? 1 : 0;
        }
        search.add(*std::move(suggestion), Outcome::Complete, value);
    }
    CHECK(closePredictions >= 12);
}

TEST_CASE("gp suggests different points to many workers, and the same ones from a copy of the history")
{
    Search search("x = { float = [0.0, 1.0] }\ny = { float = [0.0, 1.0] }");
    std::vector<Observation> trials;
    for (int i = 0; i < 40; ++i) {
        auto suggestion = search.next(Method::Gp);
        REQUIRE(suggestion);
        const double x = number(*suggestion, "x");
        const double y = number(*suggestion, "y");
        if (i < 20)
            search.add(*std::move(suggestion), Outcome::Complete, (x - 0.3) * (x - 0.3) + y * y);
        else
            search.add(*std::move(suggestion), Outcome::Pending);
        trials.push_back(search.history->trials().back());
        trials.back().parameters = {{"x", x}, {"y", y}};
    }
    for (std::size_t i = 20; i < 40; ++i) {
        for (std::size_t j = 20; j < i; ++j)
            CHECK(
                std::hypot(
                    std::get<double>(trials[i].parameters[0].second) - std::get<double>(trials[j].parameters[0].second),
                    std::get<double>(trials[i].parameters[1].second) - std::get<double>(trials[j].parameters[1].second))
                > 1e-4);
    }
    Search copy("x = { float = [0.0, 1.0] }\ny = { float = [0.0, 1.0] }");
    for (const Observation &trial : trials)
        copy.history->set(trial);
    CHECK(copy.next(Method::Gp)->parameters == search.next(Method::Gp)->parameters);
}

TEST_CASE("gp leaves several objectives to tpe")
{
    Search search("x = { float = [0.0, 1.0] }");
    for (int i = 0; i < 12; ++i) {
        Observation trial;
        trial.number = i + 1;
        trial.outcome = Outcome::Complete;
        const double x = (i + 0.5) / 12;
        trial.parameters = {{"x", x}};
        trial.values = {x, 1 - x};
        search.history->set(std::move(trial));
    }
    const auto suggestion = search.next(Method::Gp);
    REQUIRE(suggestion);
    CHECK(suggestion->why.code == facts::Code::ChosenByModel);
    CHECK((suggestion->method == Method::Tpe));
    REQUIRE_FALSE(suggestion->why.because.empty());
    CHECK(suggestion->why.because.front().code == facts::Code::GpUnsuited);
}

TEST_CASE("cmaes says why it leaves a space with categories to tpe")
{
    const auto suggestion = Search("x = { float = [0.0, 1.0] }\nkind = ['a', 'b']").next(Method::Cmaes);
    REQUIRE(suggestion);
    REQUIRE_FALSE(suggestion->why.because.empty());
    CHECK(suggestion->why.because.front().code == facts::Code::CmaesUnsuited);
}

TEST_CASE("without a usable result every method goes where constraints are exceeded least, until it has one")
{
    for (const Method method : {Method::Tpe, Method::Gp, Method::Cmaes, Method::Nsga2}) {
        Search search("x = { float = [0.0, 1.0] }\ny = { float = [0.0, 1.0] }");
        int usable = 0;
        for (int number = 1; number <= 100; ++number) {
            const auto suggestion = search.next(method);
            REQUIRE(suggestion);
            Observation trial;
            trial.number = number;
            trial.parameters = suggestion->parameters;
            trial.excesses = {::number(*suggestion, "x") - 0.03, ::number(*suggestion, "y") - 0.03};
            for (const double excess : trial.excesses)
                trial.violation += std::max(0.0, excess);
            trial.outcome = trial.violation > 0 ? Outcome::Infeasible : Outcome::Complete;
            trial.values = {0.5};
            usable += trial.violation > 0 ? 0 : 1;
            search.history->set(std::move(trial));
        }
        INFO(toString(method));
        CHECK(usable > 0);  // by chance in one of twelve searches
    }
}

TEST_CASE("a continuous space whose values are all the same after rounding is used up, without constraints to blame")
{
    Search search("x = { float = [1.0, 1.0000000000001] }");
    auto first = search.next(Method::Random);
    REQUIRE(first);
    search.add(*std::move(first), Outcome::Complete, 1);
    for (int n = 0; n < 3; ++n) {
        auto next = search.next(Method::Random);
        if (!next) {
            CHECK(next.error() == facts::Fact(facts::Code::PointsExhausted));
            return;
        }
        search.add(*std::move(next), Outcome::Complete, 1);
    }
    FAIL("more points than numbers");
}

TEST_CASE("auto covers a small space, predicts in a large one, and leaves every fifth point to the runner-up")
{
    using facts::Code;
    Search small("n = [1, 2]");
    CHECK(chooseAutomatically(small.parsed.spec).reason.code == Code::AutoCovers);

    CHECK(chooseAutomatically(Search("n = [1, 2, 3]").parsed.spec).reason.code == Code::AutoPredicts);

    Search search("x = { float = [-5, 5] }\ny = { float = [-5, 5] }");
    CHECK(chooseAutomatically(search.parsed.spec).reason.code == Code::AutoPredicts);
    int byRunnerUp = 0;
    for (int i = 1; i <= 40; ++i) {
        auto suggestion = search.next(Method::Auto);
        REQUIRE(suggestion);
        if (suggestion->why.code == Code::ChosenByRunnerUp) {
            ++byRunnerUp;
            CHECK(i % 5 == 0);
            CHECK((suggestion->method == Method::Tpe));
            CHECK(suggestion->why.because.front().code == Code::ChosenByModel);
        } else {
            CHECK((suggestion->method == Method::Gp));
        }
        const double x = number(*suggestion, "x");
        search.add(*std::move(suggestion), Outcome::Complete, x * x);
    }
    CHECK(byRunnerUp == 6);  // 15, 20 ... 40: at 5 and 10 the runner-up has too few results for a model

    std::string many;
    for (int i = 0; i < 41; ++i)
        many += "x" + std::to_string(i) + " = { float = [0, 1] }\n";
    Search wide(many);
    CHECK((chooseAutomatically(wide.parsed.spec).method == Method::Tpe));

    Observation two;
    two.number = 1;
    two.outcome = Outcome::Complete;
    two.parameters = search.next(Method::Random)->parameters;
    two.values = {1, 2};
    Search objectives("x = { float = [-5, 5] }\ny = { float = [-5, 5] }");
    objectives.history->set(two);
    CHECK((chooseAutomatically(*objectives.history).method == Method::Tpe));
}

TEST_CASE("gp takes thousands of results")
{
    Search search("x = { float = [0.0, 1.0] }\ny = { float = [0.0, 1.0] }\nkind = ['a', 'b']");
    sweep::SplitMix64 random(3);
    for (int i = 0; i < 3000; ++i) {
        Observation trial;
        trial.number = i + 1;
        trial.outcome = i % 7 == 0 ? Outcome::Pruned : i % 11 == 0 ? Outcome::Failed : Outcome::Complete;
        const double x = random.nextUnit();
        trial.parameters = {{"x", x}, {"y", random.nextUnit()}, {"kind", std::string(i % 2 == 0 ? "a" : "b")}};
        trial.values = {std::fabs(x - 0.7)};
        trial.step = 3;
        search.history->set(std::move(trial));
    }
    const auto suggestion = search.next(Method::Gp);
    REQUIRE(suggestion);
    CHECK(suggestion->why.code == facts::Code::ChosenByPrediction);
    CHECK(std::fabs(number(*suggestion, "x") - 0.7) < 0.1);
}
