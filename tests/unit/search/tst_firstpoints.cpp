#include "search/asktell.h"
#include "search/firstpoints.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::search;

namespace {

const std::atomic<bool> neverCancelled = false;

/// A sweep with its compiled space.
struct Sweep {
    sweep::SweepSpec spec;
    std::optional<sweep::SearchSpace> space;

    Sweep(const Sweep &) = delete;  // the space refers to the spec
    Sweep(const std::string &search, const std::string &dimensions, const std::string &rest = "")
        : spec(sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nseed = 7\n" + search
                                 + "\n[space]\n" + dimensions + "\n[run]\ncommand = ['true']\n[budget]\ntime = '1h'\n"
                                 + rest)
                   .spec)
    {
        space = *sweep::SearchSpace::compile(spec);
    }

    FirstPoints first(int most = 20) const { return firstPoints(spec, *space, most, neverCancelled); }
};

const std::string numericSpace =
    "lr = { log = [1e-4, 0.1] }\nunits = { int = [16, 512], log = true }\nmomentum = { float = [0, 1] }";
const std::string mixedSpace =
    numericSpace + "\nkind = ['a', 'b']\nnoise = { normal = [0.5, 0.1], when = \"kind = b\" }";

using Result = std::function<Observation(int number)>;

Observation completed(double value)
{
    Observation trial;
    trial.outcome = Outcome::Complete;
    trial.values = {value};
    return trial;
}

/// Returns the points of the first trials of a sweep, each chosen once the one before has this result.
std::vector<sweep::ParameterSet> tried(const Sweep &sweep, int trials, const Result &resultOf)
{
    AskTell search(sweep.spec, *sweep.space, methodOf(sweep.spec), {}, neverCancelled);
    std::vector<sweep::ParameterSet> points;
    for (int number = 1; number <= trials; ++number) {
        const auto suggestion = search.ask(number);
        REQUIRE(suggestion);
        points.push_back(suggestion->parameters);
        Observation trial = resultOf(number);
        trial.number = number;
        trial.parameters = suggestion->parameters;
        search.tell(std::move(trial));
    }
    return points;
}

/// Results that draw a search to different places: good first ones or good last ones, nothing but failures, none yet.
const std::vector<Result> courses = {
    [](int number) { return completed(number); },
    [](int number) { return completed(-number); },
    [](int) {
        Observation failed;
        failed.outcome = Outcome::Failed;
        return failed;
    },
    [](int) { return Observation(); },
};

}  // namespace

TEST_CASE("the first points are those that the sweep tries, whatever its trials report")
{
    for (const std::string method : {"random", "sobol", "tpe", "gp", "cmaes", "nsga2", "auto"}) {
        for (const std::string &space : {numericSpace, mixedSpace}) {
            CAPTURE(method);
            CAPTURE(space);
            const Sweep sweep("method = '" + method + "'", space);
            const FirstPoints first = sweep.first();
            REQUIRE(first.points.size() > 1);
            for (const Result &course : courses)
                CHECK(tried(sweep, static_cast<int>(first.points.size()), course) == first.points);
        }
    }
}

TEST_CASE("the point after the first ones depends on results")
{
    for (const std::string method : {"tpe", "gp", "cmaes", "nsga2", "auto"}) {
        CAPTURE(method);
        const Sweep sweep("method = '" + method + "'", numericSpace);
        const FirstPoints first = sweep.first(100);
        REQUIRE(first.certain);
        CHECK(first.points.size() == static_cast<std::size_t>(*first.certain));
        CHECK(tried(sweep, *first.certain + 1, courses[0]) != tried(sweep, *first.certain + 1, courses[1]));
    }
}

TEST_CASE("the runner-up of auto may depend on results before the other method does")
{
    std::string space;
    for (int i = 0; i < 10; ++i)
        space += "x" + std::to_string(i) + " = { float = [0, 1] }\n";
    const Sweep sweep("trials = 200", space);  // GP waits for 20 results, TPE for 10
    const FirstPoints first = sweep.first(100);
    CHECK(first.certain == 14);
    for (const Result &course : courses)
        CHECK(tried(sweep, 14, course) == first.points);
    CHECK(tried(sweep, 15, courses[0]) != tried(sweep, 15, courses[1]));
}

TEST_CASE("no point of a random or Sobol search depends on results")
{
    for (const std::string search : {"method = 'random'", "method = 'random'\ntrials = 50", "method = 'sobol'"}) {
        const FirstPoints first = Sweep(search, mixedSpace).first();
        CHECK(!first.certain);
        CHECK(first.points.size() == 20);
    }
}

TEST_CASE("random points that are planned at the launch are the first ones of the plan")
{
    for (const std::string &space : {mixedSpace, std::string("a = [1, 2, 3, 4, 5]\nb = [1, 2, 3, 4, 5]")}) {
        const Sweep sweep("method = 'random'\ntrials = 25", space);
        const auto plan = sweep::planTrials(sweep.spec);
        REQUIRE(plan);
        const FirstPoints first = sweep.first(24);
        REQUIRE(first.points.size() == 24);
        for (std::size_t i = 0; i < first.points.size(); ++i)
            CHECK(first.points[i] == (*plan)[i].parameters);
    }
}

TEST_CASE("there are no more first points than trials, or points in the space")
{
    CHECK(Sweep("method = 'sobol'\ntrials = 3", mixedSpace).first().points.size() == 3);
    CHECK(Sweep("method = 'random'\ntrials = 3", mixedSpace).first().points.size() == 3);
    CHECK(Sweep("method = 'sobol'", "kind = ['a', 'b', 'c']").first().points.size() == 3);
    CHECK(Sweep("method = 'sobol'", "").first().points.size() == 1);
}

TEST_CASE("with repeats only the first point is certain")
{
    const FirstPoints first = Sweep("method = 'sobol'\nrepeats = 3", mixedSpace).first();
    CHECK(first.certain == 1);
    CHECK(first.points.size() == 1);
}

TEST_CASE("a grid and another program have no first points")
{
    CHECK(Sweep("method = 'grid'", "kind = ['a', 'b']").first().points.empty());
    const FirstPoints first = Sweep("method = 'command'\ncommand = ['false']", mixedSpace).first();
    CHECK(first.points.empty());
    CHECK(first.certain == 0);
}

TEST_CASE("a cancelled preview stops")
{
    const Sweep sweep("method = 'sobol'", mixedSpace);
    const std::atomic<bool> cancelled = true;
    CHECK(firstPoints(sweep.spec, *sweep.space, 20, cancelled).points.empty());
}
