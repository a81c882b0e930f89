#include "importing/joinedsweeps.h"

#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <deque>

using namespace sweepscope;
using importing::JoinedPart;
using sweep::ParameterSet;
using sweep::ParameterValue;
using sweep::TrialState;

namespace {

/// Sweeps with their trials, at places that stay.
struct Stored {
    std::deque<sweep::SweepRecord> sweeps;
    std::deque<std::vector<sweep::TrialRecord>> trials;

    void add(const std::string &name, const std::vector<ParameterSet> &points, const std::string &objective = "loss",
             sweep::Goal goal = sweep::Goal::Minimize)
    {
        sweep::SweepRecord &record = sweeps.emplace_back();
        record.id = static_cast<std::int64_t>(sweeps.size());
        record.name = name;
        record.folder = "000" + std::to_string(record.id) + "-" + name;
        record.objective = objective;
        record.goal = goal;
        sweep::SweepSpec spec;
        spec.name = name;
        spec.objective = objective;
        spec.goal = goal;
        record.toml = sweep::toToml(spec);
        for (const auto &[parameter, value] : points.front())
            record.parameterNames.push_back(parameter);
        std::vector<sweep::TrialRecord> &rows = trials.emplace_back();
        for (const ParameterSet &point : points) {
            sweep::TrialRecord &trial = rows.emplace_back();
            trial.sweepId = record.id;
            trial.number = static_cast<int>(rows.size());
            trial.state = TrialState::Completed;
            trial.parameters = point;
            trial.seed = 7;
            trial.metrics.push_back({.name = "accuracy", .last = 0.5});
        }
    }
    std::vector<JoinedPart> parts() const
    {
        std::vector<JoinedPart> views;
        for (std::size_t i = 0; i < sweeps.size(); ++i)
            views.push_back({sweeps[i], trials[i]});
        return views;
    }
};

std::string messageOf(const std::vector<JoinedPart> &parts, const importing::JoinChoice &choice = {})
{
    const auto joined = importing::joinSweeps(parts, choice);
    return joined ? std::string() : joined.error().message;
}

}  // namespace

TEST_CASE("joined trials keep what they are and say where they come from")
{
    Stored stored;
    stored.add("mlp", {{{"lr", 0.1}, {"width", std::int64_t{8}}}, {{"lr", 0.2}, {"width", std::int64_t{16}}}});
    stored.add("cnn", {{{"lr", 0.1}, {"filters", std::int64_t{4}}}});
    stored.trials[0][1].mark = {true, {"good"}, "keep this"};
    stored.trials[0][1].state = TrialState::Failed;
    stored.trials[0][1].reason = facts::Code::StoppedOnRequest;
    auto joined = importing::joinSweeps(stored.parts(), {});
    REQUIRE(joined);
    CHECK(joined->imported.spec.name == "mlp + cnn");
    CHECK(joined->note == "Joined from mlp (2 trials) and cnn (1 trial).");
    REQUIRE(joined->trials.size() == 3);
    const sweep::TrialRecord &second = joined->trials[1].record;
    CHECK(second.number == 2);
    CHECK((second.state == TrialState::Failed));
    CHECK((second.reason.code == facts::Code::StoppedOnRequest));
    CHECK(second.seed == 7);
    CHECK(second.mark == sweep::Mark{true, {"good"}, "mlp, trial 2\nkeep this"});
    CHECK(second.parameters == ParameterSet{{"sweep", std::string("mlp")}, {"lr", 0.2}, {"width", std::int64_t{16}}});
    const importing::JoinedTrial &third = joined->trials[2];
    CHECK(third.part == 1);
    CHECK(third.numberBefore == 1);
    CHECK(third.record.number == 3);
    CHECK(third.record.mark.note == "cnn, trial 1");
    CHECK(third.record.parameters
          == ParameterSet{{"sweep", std::string("cnn")}, {"lr", 0.1}, {"filters", std::int64_t{4}}});

    const std::string toml = importing::sweepFileOf(joined->imported);
    CHECK(joined->imported.problems.empty());
    const sweep::SweepSpec spec = sweep::parseSweep(toml).spec;
    std::vector<std::string> names;
    for (const sweep::Dimension &dimension : spec.space)
        names.push_back(dimension.name);
    CHECK(names == std::vector<std::string>{"sweep", "lr", "width", "filters"});
    CHECK(spec.objective == "loss");
}

TEST_CASE("the file of a joined sweep says why it has no program")
{
    Stored stored;
    stored.add("a", {{{"lr", 0.1}}});
    stored.add("b", {{{"lr", 0.2}}});
    auto joined = importing::joinSweeps(stored.parts(), {});
    REQUIRE(joined);
    const std::string file = importing::sweepFileOf(joined->imported);
    CHECK(file.find("# A joined sweep has trials of other sweeps and starts none.") != std::string::npos);
    CHECK(file.find("do not name their program") == std::string::npos);
}

TEST_CASE("folders distinguish sweeps with the same name")
{
    Stored stored;
    stored.add("mlp", {{{"sweep", 0.1}}});
    stored.add("mlp", {{{"sweep", 0.2}}});
    const auto joined = importing::joinSweeps(stored.parts(), {"both", {}});
    REQUIRE(joined);
    CHECK(joined->imported.spec.name == "both");
    // A parameter of the sweeps keeps its name.
    CHECK(joined->trials[1].record.parameters == ParameterSet{{"sweep_2", std::string("0002-mlp")}, {"sweep", 0.2}});
}

TEST_CASE("values of several types become strings")
{
    Stored stored;
    stored.add("a", {{{"width", std::int64_t{8}}}});
    stored.add("b", {{{"width", std::string("wide")}}});
    auto joined = importing::joinSweeps(stored.parts(), {});
    REQUIRE(joined);
    CHECK(*sweep::find(joined->trials[0].record.parameters, "width") == ParameterValue(std::string("8")));
    CHECK(joined->note.ends_with("The values of width are strings."));
    CHECK(!importing::sweepFileOf(joined->imported).empty());
}

TEST_CASE("trials that have not ended are left out and counted")
{
    Stored stored;
    stored.add("a", {{{"n", std::int64_t{1}}}, {{"n", std::int64_t{2}}}});
    stored.add("b", {{{"n", std::int64_t{1}}}, {{"n", std::int64_t{2}}}});
    stored.trials[0][0].state = TrialState::Running;
    const auto joined = importing::joinSweeps(stored.parts(), {});
    REQUIRE(joined);
    CHECK(joined->note == "Joined from a (1 trial) and b (2 trials). 1 trial that has not ended was left out.");
    CHECK(joined->trials.front().numberBefore == 2);
    for (auto &trials : stored.trials) {
        for (sweep::TrialRecord &trial : trials)
            trial.state = TrialState::Queued;
    }
    CHECK(messageOf(stored.parts()) == "no trial of these sweeps has ended");
}

TEST_CASE("objectives must agree, or a common metric is chosen")
{
    Stored stored;
    stored.add("a", {{{"n", std::int64_t{1}}}});
    stored.add("b", {{{"n", std::int64_t{1}}}}, "accuracy", sweep::Goal::Maximize);
    CHECK(messageOf(stored.parts())
          == "a minimizes loss, but b maximizes accuracy. Choose a metric of all of them as the objective: accuracy");
    CHECK(importing::commonMetrics(stored.parts()) == std::vector<std::string>{"accuracy"});
    const auto joined = importing::joinSweeps(stored.parts(), {{}, "accuracy"});
    REQUIRE(joined);
    CHECK(joined->imported.spec.objective == "accuracy");
    CHECK((joined->imported.spec.goal == sweep::Goal::Maximize));
    CHECK(messageOf(stored.parts(), {{}, "loss"}).starts_with("b has no metric loss. Choose a metric"));

    stored.trials[0][0].metrics.clear();
    CHECK(messageOf(stored.parts())
          == "a minimizes loss, but b maximizes accuracy. No metric is common to all sweeps.");
}

TEST_CASE("opposite goals of one metric are refused")
{
    Stored stored;
    stored.add("a", {{{"n", std::int64_t{1}}}}, "loss", sweep::Goal::Minimize);
    stored.add("b", {{{"n", std::int64_t{1}}}}, "loss", sweep::Goal::Maximize);
    CHECK(messageOf(stored.parts(), {{}, "loss"}) == "a minimizes loss, but b maximizes loss.");
}

TEST_CASE("a join has limits")
{
    Stored stored;
    stored.add("a", {{{"n", std::int64_t{1}}}});
    CHECK(messageOf(stored.parts()) == "a join needs at least two sweeps");
    for (std::size_t i = 0; i < importing::mostJoinedSweeps; ++i)
        stored.add("a", {{{"n", std::int64_t{1}}}});
    CHECK(messageOf(stored.parts()) == "a join can have at most 50 sweeps");
    stored.sweeps.resize(2);
    stored.trials[1].resize(importing::mostJoinedTrials, stored.trials[1].front());
    CHECK(messageOf(stored.parts()).starts_with("these sweeps have 20001 trials that have ended"));
}

TEST_CASE("a name counts the sweeps that it leaves out")
{
    Stored stored;
    for (const char *name : {"a", "b", "c", "d", "e"})
        stored.add(name, {{{"n", std::int64_t{1}}}});
    CHECK(importing::joinedName(stored.parts()) == "a + b + c + 2 more");
}
