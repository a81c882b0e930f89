#include "search/asktell.h"
#include "search/warmstart.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <optional>
#include <string>

using namespace sweepscope;
using namespace sweepscope::search;

namespace {

sweep::SweepSpec specOf(const std::string &space, const std::string &searchKeys = "method = 'tpe'\ntrials = 100")
{
    const sweep::ParsedSweep parsed =
        sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\n" + searchKeys + "\n[space]\n" + space
                          + "\n[run]\ncommand = ['x']\n");
    for (const sweep::Problem &problem : parsed.problems)
        INFO(problem.field, problem.message);
    REQUIRE(parsed.problems.empty());
    return parsed.spec;
}

const std::string plainSpace = "lr = { float = [0, 1] }";

double learningRate(const sweep::ParameterSet &point)
{
    const sweep::ParameterValue *value = sweep::find(point, "lr");
    return value != nullptr ? sweep::numberOf(*value).value_or(std::nan("")) : std::nan("");
}

/// Results of a sweep whose best learning rate is 0.8.
std::string earlierResults(int count)
{
    std::string csv = "lr,loss\n";
    for (int i = 0; i < count; ++i) {
        const double lr = (i * 37 % count + 0.5) / count;
        csv += std::to_string(lr) + ',' + std::to_string((lr - 0.8) * (lr - 0.8)) + '\n';
    }
    return csv;
}

}  // namespace

TEST_CASE("results are read from an export, and from any table with a column for the objective")
{
    const sweep::SweepSpec spec = specOf("lr = { float = [0, 1] }\nlayers = [1, 2, 3]\nstate = ['a', 'b']");
    const auto read =
        readResults({{"own.csv", "sweep,trial,state,objective,objective_last_step,objective_best,objective_mean,lr,"
                                 "layers,parameter.state\n"
                                 "x,1,completed,loss,9,0.5,0.6,0.1,2,a\n"
                                 "x,2,pruned,loss,4,0.9,,0.2,1,b\n"
                                 "x,3,failed,loss,,,,0.3,3,\"a\"\n"
                                 "x,4,running,loss,4,0.1,,0.4,3,a\n"
                                 "x,5,completed,loss,9,nan,,0.5,3,a\n"},
                     {"other.csv", "run,layers,loss\n7,2.0,0.25\n8,4.0,0.75\n9,1,\n"}},
                    spec);
    REQUIRE(read);
    const std::vector<Observation> &results = read->results;
    REQUIRE(results.size() == 6);
    CHECK(read->unfit == 1);  // four layers
    CHECK(results.front().number == -5);
    CHECK(results.back().number == 0);
    CHECK((results[0].outcome == Outcome::Complete));
    CHECK(results[0].values == std::vector{0.6});
    CHECK(results[0].parameters
          == sweep::ParameterSet{{"lr", 0.1}, {"layers", std::int64_t{2}}, {"state", std::string("a")}});
    CHECK((results[1].outcome == Outcome::Pruned));
    CHECK(results[1].step == 4);
    CHECK((results[2].outcome == Outcome::Failed));
    CHECK((results[3].outcome == Outcome::Failed));  // it completed without a value
    CHECK(results[4].parameters == sweep::ParameterSet{{"layers", std::int64_t{2}}});
    CHECK(results[4].source == 2);
    CHECK((results[5].outcome == Outcome::Failed));
}

TEST_CASE("rows with the same point are one result, with their mean")
{
    const auto read = readResults({{"x.csv", "lr,loss,state\n0.1,1,\n0.1,2,complete\n0.10,6,finished\n0.1,,failed\n"}},
                                  specOf(plainSpace));
    REQUIRE(read);
    REQUIRE(read->results.size() == 1);
    CHECK(read->results[0].values == std::vector{3.0});
}

TEST_CASE("a file that cannot be used says why")
{
    const sweep::SweepSpec spec = specOf(plainSpace);
    const auto problemOf = [&](const std::string &csv) {
        const auto read = readResults({{"x.csv", csv}}, spec);
        return read ? std::string() : read.error().message;
    };
    CHECK(problemOf("") == "x.csv is not a CSV file with a line of column names");
    CHECK(problemOf("lr,\"lo") == "x.csv is not a CSV file with a line of column names");
    CHECK(problemOf("lr,accuracy\n0.1,2\n") == "x.csv has no column for the objective, loss");
    CHECK(problemOf("beta,loss\n0.1,2\n") == "x.csv has no column for any of the parameters");
    CHECK(problemOf("lr,objective,objective_best\n0.1,accuracy,2\n")
          == "x.csv has results by accuracy, but the objective is loss");
    CHECK(problemOf("lr,loss\n2,2\n").empty());                    // outside the space: counted
    CHECK(problemOf("\xef\xbb\xbflr,loss\r\n0.1,2\r\n").empty());  // as spreadsheets write it
    CHECK_FALSE(loadResults({"/nowhere/x.csv"}));
}

TEST_CASE("a search starts near the good results of others, and tries their points all the same")
{
    for (const std::string method : {"tpe", "gp", "cmaes", "auto"}) {
        INFO(method);
        const sweep::SweepSpec spec = specOf(plainSpace, "method = '" + method + "'\ntrials = 100");
        const auto space = sweep::SearchSpace::compile(spec);
        const std::atomic<bool> cancelled = false;
        AskTell search(spec, *space, methodOf(spec), {}, cancelled);
        auto start = readResults({{"x.csv", earlierResults(100)}}, spec);
        REQUIRE(start);
        search.warmStart(std::move(start->results));
        CHECK_FALSE(search.history().contains({{"lr", 0.805}}));
        int near = 0;
        for (int number = 1; number <= 8; ++number) {
            const auto suggestion = search.ask(number);
            REQUIRE(suggestion);
            near += std::fabs(learningRate(suggestion->parameters) - 0.8) < 0.25 ? 1 : 0;
            CHECK(suggestion->why.code != facts::Code::ChosenToStart);
            const std::string trials = suggestion->why.text(facts::Field::Trials);
            CHECK(trials.find('-') == std::string::npos);  // no number of a result of others
            Observation pending;
            pending.number = number;
            pending.parameters = suggestion->parameters;
            search.tell(std::move(pending));
        }
        CHECK(near >= 6);
    }
}

TEST_CASE("results of others lose their weight as own ones arrive")
{
    for (const std::string method : {"tpe", "gp"}) {
        INFO(method);
        // Here the best learning rate is 0.2, and the others' is among the worst.
        const sweep::SweepSpec spec = specOf(plainSpace, "method = '" + method + "'\ntrials = 100");
        const auto space = sweep::SearchSpace::compile(spec);
        const std::atomic<bool> cancelled = false;
        AskTell search(spec, *space, methodOf(spec), {}, cancelled);
        auto start = readResults({{"x.csv", earlierResults(40)}}, spec);
        search.warmStart(std::move(start->results));
        double best = 1;
        for (int number = 1; number <= 60; ++number) {
            const auto suggestion = search.ask(number);
            REQUIRE(suggestion);
            const double lr = learningRate(suggestion->parameters);
            best = std::fmin(best, std::fabs(lr - 0.2));
            Observation trial;
            trial.number = number;
            trial.outcome = Outcome::Complete;
            trial.parameters = suggestion->parameters;
            trial.values = {(lr - 0.2) * (lr - 0.2)};
            search.tell(std::move(trial));
        }
        CHECK(best < 0.02);
    }
}

TEST_CASE("gp compares results of others with each other only: their scale and their level tell nothing")
{
    // Losses of thousands, where this sweep's are below 1.
    std::string csv = "lr,loss\n";
    for (int i = 0; i < 40; ++i) {
        const double lr = (i + 0.5) / 40;
        csv += std::to_string(lr) + ',' + std::to_string(3000 + 5000 * (lr - 0.8) * (lr - 0.8)) + '\n';
    }
    for (const double optimum : {0.8, 0.2}) {
        INFO(optimum);
        const sweep::SweepSpec spec = specOf(plainSpace, "method = 'gp'\ntrials = 100");
        const auto space = sweep::SearchSpace::compile(spec);
        const std::atomic<bool> cancelled = false;
        AskTell search(spec, *space, methodOf(spec), {}, cancelled);
        auto start = readResults({{"x.csv", csv}}, spec);
        REQUIRE(start);
        search.warmStart(std::move(start->results));
        double best = 1;
        for (int number = 1; number <= 12; ++number) {
            const auto suggestion = search.ask(number);
            REQUIRE(suggestion);
            const double lr = learningRate(suggestion->parameters);
            const double distance = std::fabs(lr - optimum);
            if (number == 1)
                CHECK(std::fabs(lr - 0.8) < 0.1);
            best = std::fmin(best, distance);
            Observation trial;
            trial.number = number;
            trial.outcome = Outcome::Complete;
            trial.parameters = suggestion->parameters;
            trial.values = {0.3 + distance * distance};
            search.tell(std::move(trial));
        }
        CHECK(best < 0.03);
    }
}
