#include "search/pbt.h"
#include "sweep/keys.h"
#include "sweep/sweepfile.h"
#include "sweep/validation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::search;
using facts::Code;
using facts::Field;

namespace {

constexpr const char *command = "[run]\ncommand = ['true']\n";
constexpr const char *rule = "[prune]\nmethod = 'percentile'\npercentile = 75\nfirst_step = 10\nmin_trials = 2\n";

std::string populationFile(const std::string &space, int size = 4)
{
    return "[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = 'pbt'\ntrials = 100\n[space]\n" + space
           + command + rule + "[devices]\nconcurrent = " + std::to_string(size) + "\n";
}

/// A population and its trials.
class TestPopulation {
public:
    explicit TestPopulation(const std::string &file) : m_parsed(sweep::parseSweep(file))
    {
        for (const sweep::Problem &problem : m_parsed.problems)
            FAIL(problem.field, ": ", problem.message);
        m_space = sweep::SearchSpace::compile(m_parsed.spec).value();
        m_history.emplace(m_parsed.spec, *m_space);
    }

    tl::expected<Suggestion, facts::Fact> next() const
    {
        return suggest(*m_history, Method::Pbt, m_history->lastNumber() + 1);
    }
    /// The next trial begins.
    sweep::ParameterSet begin()
    {
        auto suggestion = next();
        REQUIRE(suggestion);
        Observation trial;
        trial.number = m_history->lastNumber() + 1;
        trial.parameters = suggestion->parameters;
        m_trials.push_back(trial);
        m_history->set(trial);
        return suggestion->parameters;
    }
    void report(int number, std::int64_t step, double value)
    {
        m_trials[static_cast<std::size_t>(number - 1)].rungs.push_back({step, value});
        m_history->set(m_trials[static_cast<std::size_t>(number - 1)]);
    }
    void end(int number, Outcome outcome)
    {
        m_trials[static_cast<std::size_t>(number - 1)].outcome = outcome;
        m_history->set(m_trials[static_cast<std::size_t>(number - 1)]);
    }
    const sweep::ParameterSet &parametersOf(int number) const
    {
        return m_trials[static_cast<std::size_t>(number - 1)].parameters;
    }

private:
    sweep::ParsedSweep m_parsed;
    std::optional<sweep::SearchSpace> m_space;
    std::optional<SearchHistory> m_history;
    std::vector<Observation> m_trials;
};

double number(const sweep::ParameterSet &parameters, const char *name)
{
    const sweep::ParameterValue *const found = sweep::find(parameters, name);
    REQUIRE(found != nullptr);
    return sweep::numberOf(*found).value();
}

std::string firstProblem(const std::string &file)
{
    const std::vector<sweep::Problem> problems = sweep::parseSweep(file).problems;
    return problems.empty() ? std::string() : problems.front().field + " " + problems.front().message;
}

}  // namespace

TEST_CASE("a trial that pbt adds in place of another continues the best one that trains, and says so")
{
    TestPopulation population(populationFile("lr = { log = [1e-5, 1] }\n"));
    for (int i = 1; i <= 4; ++i) {
        const auto first = population.next();
        REQUIRE(first);
        CHECK(first->why.code == Code::ChosenInSequence);
        population.begin();
    }
    CHECK(population.next().error().code == Code::ResultsAwaited);
    for (int i = 1; i <= 4; ++i)
        population.report(i, 10, i == 3 ? 0.5 : i);
    population.report(1, 20, 0.1);  // alone at this rung
    population.end(4, Outcome::Pruned);
    const auto successor = population.next();
    REQUIRE(successor);
    CHECK((successor->method == Method::Pbt));
    CHECK(successor->why.code == Code::ChosenToContinue);
    CHECK(successor->why.integer(Field::Trial) == 3);
    CHECK(successor->why.integer(Field::Count) == 3);
    CHECK(successor->why.integer(Field::Step) == 10);
    CHECK(successor->why.number(Field::Value) == 0.5);
    CHECK(population.next()->parameters == successor->parameters);
}

TEST_CASE("pbt continues none that has ended, and ends with its population")
{
    TestPopulation population(populationFile("lr = { log = [1e-5, 1] }\n"));
    for (int i = 1; i <= 4; ++i)
        population.begin();
    for (int i = 1; i <= 4; ++i)
        population.report(i, 10, i);
    population.end(1, Outcome::Complete);
    CHECK(population.next().error().code == Code::ResultsAwaited);
    population.end(2, Outcome::Failed);
    CHECK(population.next()->why.integer(Field::Trial) == 3);
    population.begin();
    population.end(3, Outcome::Infeasible);
    population.end(4, Outcome::Complete);
    CHECK(population.next().error().code == Code::ResultsAwaited);
    population.end(5, Outcome::Pruned);
    CHECK(population.next().error().code == Code::PopulationDone);
    CHECK(population.next().error().integer(Field::Count) == 3);
}

TEST_CASE("where no trial has a value yet, pbt starts another from scratch")
{
    TestPopulation population(populationFile("lr = { log = [1e-5, 1] }\n"));
    for (int i = 1; i <= 8; ++i) {
        population.begin();
        population.end(i, Outcome::Failed);
    }
    CHECK(population.next()->why.code == Code::ChosenInSequence);
    population.begin();
    population.report(9, 10, std::nan(""));
    CHECK(population.next()->why.code == Code::ChosenInSequence);
    population.report(9, 20, 1.0);
    CHECK(population.next()->why.integer(Field::Trial) == 9);
}

TEST_CASE("of a large population pbt continues each of the best quarter")
{
    TestPopulation population(populationFile("lr = { log = [1e-5, 1] }\n", 17));
    for (int i = 1; i <= 17; ++i) {
        population.begin();
        population.report(i, 10, -i);
    }
    population.end(1, Outcome::Pruned);
    std::set<std::int64_t> parents;
    for (int i = 18; i < 60; ++i) {
        const auto successor = population.next();
        REQUIRE(successor);
        CHECK(successor->why.integer(Field::Good) == 4);
        parents.insert(successor->why.integer(Field::Trial).value());
        population.begin();
        population.end(i, Outcome::Failed);
    }
    CHECK(parents == std::set<std::int64_t>{14, 15, 16, 17});
}

TEST_CASE("pbt multiplies a number by a factor near 1, takes the neighbour in a list, or draws anew")
{
    TestPopulation population(
        populationFile("lr = { log = [1e-6, 1e6] }\nx = { float = [0, 1000] }\nn = { int = [1, 9] }\n"
                       "size = [16, 8, 32, 64]\nkind = ['a', 'b', 'c']\n"
                       "zero = { normal = [0, 1] }\n"));
    for (int i = 1; i <= 4; ++i)
        population.begin();
    population.report(2, 10, 1);
    population.end(1, Outcome::Failed);
    const sweep::ParameterSet parent = population.parametersOf(2);
    int multiplied = 0;
    int factors = 0;
    int neighbours = 0;
    int steps = 0;
    int kept = 0;
    int normal = 0;
    const std::vector<double> sizes{8, 16, 32, 64};
    const auto place = [&](double size) { return std::ranges::find(sizes, size) - sizes.begin(); };
    constexpr int draws = 400;
    for (int i = 5; i < 5 + draws; ++i) {
        const sweep::ParameterSet successor = population.begin();
        population.end(i, Outcome::Failed);
        const double ratio = number(successor, "lr") / number(parent, "lr");
        multiplied += ratio > 1 / 1.45 && ratio < 1.45 ? 1 : 0;
        factors += ratio > 1.2 && ratio < 1.45 ? 1 : 0;
        neighbours += std::abs(place(number(successor, "size")) - place(number(parent, "size"))) == 1 ? 1 : 0;
        const double step = std::fabs(number(successor, "n") - number(parent, "n"));
        steps += step >= 1 && step <= 2 ? 1 : 0;
        kept += *sweep::find(successor, "kind") == *sweep::find(parent, "kind") ? 1 : 0;
        normal += number(successor, "zero") != number(parent, "zero") ? 1 : 0;
    }
    CHECK(multiplied > draws * 0.68);
    CHECK(multiplied < draws * 0.85);
    CHECK(factors > draws * 0.12);
    CHECK(neighbours > draws * 0.35);
    CHECK(steps > draws * 0.5);
    CHECK(kept > draws * 0.75);
    CHECK(kept < draws * 0.92);
    CHECK(normal == draws);
}

TEST_CASE("pbt leaves what a built-in model consists of as its parent has it")
{
    const std::string file = "[sweep]\nname = 'x'\nobjective = 'val_loss'\n[search]\nmethod = 'pbt'\ntrials = 100\n"
                             "[space]\nlr = { log = [1e-5, 1] }\nhidden = [16, 32, 64]\noptimizer = ['sgd', 'adam']\n"
                             "[run]\nworker = 'builtin'\n"
                             + std::string(rule) + "[devices]\nconcurrent = 4\n";
    TestPopulation population(file);
    for (int i = 1; i <= 4; ++i) {
        population.begin();
        population.report(i, 10, i);
    }
    population.end(4, Outcome::Pruned);
    for (int i = 5; i < 60; ++i) {
        const sweep::ParameterSet successor = population.begin();
        population.end(i, Outcome::Failed);
        CHECK(*sweep::find(successor, "hidden") == *sweep::find(population.parametersOf(1), "hidden"));
        CHECK(*sweep::find(successor, "optimizer") == *sweep::find(population.parametersOf(1), "optimizer"));
        CHECK(number(successor, "lr") != number(population.parametersOf(1), "lr"));
    }
}

TEST_CASE("in a space whose points have all been tried, pbt repeats one and keeps to the constraints")
{
    TestPopulation population(populationFile("a = [1, 2]\nb = [1, 2]\n[constraints]\nsum = 'a + b < 4'\n", 3));
    for (int i = 1; i <= 3; ++i)
        population.begin();
    population.report(3, 10, 1);
    population.end(1, Outcome::Failed);
    for (int i = 4; i < 20; ++i) {
        const sweep::ParameterSet point = population.begin();
        CHECK(number(point, "a") + number(point, "b") < 4);
        CHECK(point != population.parametersOf(3));
        population.end(i, Outcome::Failed);
    }
}

TEST_CASE("what pbt needs is checked before a launch")
{
    CHECK(firstProblem(populationFile("lr = [1, 2]\n", 2)).empty());
    CHECK(firstProblem(populationFile("lr = [1, 2]\n"))
              .starts_with("devices.concurrent asks for 4 trials, but the space has only 2 different combinations"));
    const auto without = [](std::string file, const std::string &part, const std::string &instead = "") {
        const std::size_t place = file.find(part);
        REQUIRE(place != std::string::npos);
        return file.replace(place, part.size(), instead);
    };
    const std::string file = populationFile("lr = [1, 2, 3, 4]\n");
    CHECK(firstProblem(without(file, rule)).starts_with("prune is required by the method pbt"));
    CHECK(firstProblem(without(file, "concurrent = 4", "concurrent = 1"))
              .starts_with("devices.concurrent is the population size"));
    CHECK(firstProblem(without(file, "min_trials = 2", "min_trials = 5"))
              .starts_with("prune.min_trials is 5 and must not exceed the population size, 4"));
    CHECK(firstProblem(without(file, "lr = [1, 2, 3, 4]", "lr = [1, 2, 3, 4]\nseed = [1, 2]"))
              .find("cannot be a parameter")
          != std::string::npos);
    CHECK(firstProblem(without(file, "trials = 100", "trials = 100\nrepeats = 2")).starts_with("search.repeats"));
    const std::string builtin = without(without(file, command, "[run]\nworker = 'builtin'\n"), "'loss'", "'val_loss'");
    CHECK(firstProblem(builtin).empty());
    CHECK(firstProblem(without(builtin, "lr = [1, 2, 3, 4]", "hidden = [16, 32, 64, 128]"))
              .starts_with("space has no parameter that can change"));
    CHECK(firstProblem(without(builtin, "'builtin'\n", "'builtin'\nresume = false\n"))
          == "run.resume must be true with the search method pbt");
}
