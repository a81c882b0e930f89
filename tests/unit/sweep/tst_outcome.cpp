#include "specs.h"
#include "sweep/outcome.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

SweepSpec specOf(const std::string &more)
{
    const ParsedSweep parsed = parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[space]\nn = [1, 2]\n" + more
                                          + "\n[run]\ncommand = ['x', '{n}']\n");
    for (const Problem &problem : parsed.problems)
        INFO(problem.field, " ", problem.message);
    REQUIRE(parsed.problems.empty());
    return parsed.spec;
}

TrialRecord reported(int number, double loss, const std::map<std::string, double> &metrics)
{
    TrialRecord trial;
    trial.number = number;
    trial.state = TrialState::Completed;
    trial.objectiveBest = ObjectiveValue{loss - 1, 1};
    trial.objectiveLast = ObjectiveValue{loss, 2};
    for (const auto &[name, last] : metrics) {
        MetricValue &metric = trial.metrics.emplace_back();
        metric.name = name;
        metric.last = last;
    }
    return trial;
}

double violation(const std::string &constraint, const TrialRecord &trial)
{
    return OutcomeConstraints::compile(specOf("[outcome_constraints]\nc = \"" + constraint + "\""))
        .value()
        .violation(trial);
}

}  // namespace

TEST_CASE("the last value of every objective counts, smaller is better")
{
    const SweepSpec spec = specOf("[objectives]\naccuracy = 'maximize'\nlatency = 'minimize'");
    CHECK(outcomeMetrics(spec) == std::vector<std::string>{"loss", "accuracy", "latency"});
    CHECK(objectiveValues(spec, reported(1, 0.5, {{"accuracy", 0.9}, {"latency", 7}}))
          == std::vector<double>{0.5, -0.9, 7});
    CHECK(std::isnan(objectiveValues(spec, reported(1, 0.5, {{"accuracy", 0.9}})).back()));
    CHECK(parseSweep(toToml(spec)).spec == spec);
}

TEST_CASE("a violated constraint counts by how much, one that cannot be decided does not")
{
    const TrialRecord trial = reported(1, 0.5, {{"memory", 45}, {"speed", 3}});
    CHECK(violation("memory < 40", trial) == 5);
    CHECK(violation("memory <= 45", trial) == 0);
    CHECK(violation("speed >= 10", trial) == 7);
    CHECK(violation("speed > -1", trial) == 0);
    CHECK(violation("loss < 0.25", trial) == 0.25);
    CHECK(violation("memory < 45", trial) > 0);
    CHECK(violation("memory < 40 or speed > 5", trial) == 1);
    CHECK(violation("memory / speed < 10", trial) == 1);
    CHECK(violation("unknown < 1", trial) == 0);
    CHECK(violation("memory < 40", reported(1, 0.5, {{"memory", std::nan("")}})) == 1);
    CHECK(std::isfinite(violation("memory < 40", reported(1, 0.5, {{"memory", HUGE_VAL}}))));
    const SweepSpec two = specOf("[outcome_constraints]\na = \"memory < 40\"\nb = \"speed > 5\"");
    CHECK(OutcomeConstraints::compile(two).value().violation(trial) == 7);
    CHECK(outcomeMetrics(two) == std::vector<std::string>{"memory", "speed"});
    CHECK(parseSweep(toToml(two)).spec == two);
    const SweepSpec several =
        specOf("[outcome_constraints]\na = \"memory < 50\"\nb = \"speed > 5\"\nc = \"memory < 50 or speed > 5\"\n"
               "d = \"unknown < 1\"\ne = \"memory <= 45\"");
    const std::vector<double> excesses = OutcomeConstraints::compile(several).value().excesses(trial);
    REQUIRE(excesses.size() == 5);
    CHECK(excesses[0] == -5);
    CHECK(excesses[1] == 2);
    CHECK(excesses[2] == -1);
    CHECK(std::isnan(excesses[3]));
    CHECK(excesses[4] == 0);
}

TEST_CASE("the front has the completed trials that no other one beats and that violate nothing")
{
    const SweepSpec spec = specOf("[objectives]\nlatency = 'minimize'\n[outcome_constraints]\nfits = \"memory < 40\"");
    std::vector<TrialRecord> trials{reported(1, 1, {{"latency", 9}}), reported(2, 2, {{"latency", 5}}),
                                    reported(3, 2, {{"latency", 6}}), reported(4, 3, {{"latency", 1}}),
                                    reported(5, 4, {{"latency", 2}}), reported(6, 0, {{"latency", 0}, {"memory", 50}}),
                                    reported(7, 2, {{"latency", 5}}), reported(8, 0.5, {}),
                                    reported(9, 0, {{"latency", 0}})};
    trials.back().state = TrialState::Running;
    std::vector<const TrialRecord *> pointers;
    for (const TrialRecord &trial : trials)
        pointers.push_back(&trial);
    CHECK(paretoFront(spec, pointers) == std::set<int>{1, 2, 4, 7});
    CHECK(paretoFront(specOf(""), pointers).empty());
}

TEST_CASE("mistakes in objectives and outcome constraints are reported at their keys")
{
    const auto problem = [](const std::string &more) {
        const ParsedSweep parsed = parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[space]\nn = [1, 2]\n" + more
                                              + "\n[run]\ncommand = ['x', '{n}']\n");
        return parsed.problems.empty() ? std::string()
                                       : parsed.problems.front().field + ": " + parsed.problems.front().message;
    };
    CHECK(problem("[objectives]\nloss = 'minimize'") == "objectives.loss: is an objective already");
    CHECK(problem("[objectives]\na = 'smaller'") == "objectives.a: must be \"minimize\" or \"maximize\"");
    CHECK(problem("[objectives]\na = 'minimize'\n[search]\nmethod = 'gp'\ntrials = 9")
              .starts_with("search.method: supports one"));
    CHECK(problem("[outcome_constraints]\na = \"memory <\"").starts_with("outcome_constraints.a: "));
    CHECK(problem("[objectives]\n\"\" = 'minimize'").starts_with("objectives.1: this objective has no name"));
    CHECK(problem("[outcome_constraints]\n\"\" = 'memory < 4'")
              .starts_with("outcome_constraints.1: this constraint has no name"));
    const std::string metrics = "\n[run.metrics]\nseries = { loss = 'loss=(.*)', latency = 'took (.*)' }";
    CHECK(problem("[objectives]\nlatency = 'minimize'\n[outcome_constraints]\na = 'loss < latency'" + metrics).empty());
    CHECK(
        problem("[objectives]\nlatncy = 'minimize'" + metrics)
        == "objectives.latncy: 'latncy' is not a series of run.metrics (did you mean 'latency'?): it can be latency or "
           "loss");
    CHECK(problem("[outcome_constraints]\na = 'loss < 1 and memory < 4'" + metrics)
              .starts_with("outcome_constraints.a: 'memory' is not a series of run.metrics"));
    CHECK(problem("[outcome_constraints]\na = 3").starts_with("outcome_constraints.a: must be an expression"));
}
