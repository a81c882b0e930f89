#include "specs.h"

#include "sweep/budgetuse.h"
#include "sweep/command.h"
#include "sweep/editplan.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;
using namespace sweepscope::sweep::testing;
using facts::Code;
using facts::Field;

namespace {

SweepSpec gridOf(std::initializer_list<double> values)
{
    SweepSpec spec = commandSweep({numbers("n", values)});
    spec.seed = 7;
    return spec;
}

std::vector<TrialRecord> trialsOf(const SweepSpec &spec)
{
    std::vector<TrialRecord> trials;
    const std::vector<TrialPlan> plans = planTrials(spec).value();
    for (const TrialPlan &plan : plans) {
        TrialRecord &trial = trials.emplace_back();
        trial.number = plan.number;
        trial.parameters = plan.parameters;
    }
    return trials;
}

void complete(TrialRecord &trial)
{
    trial.state = TrialState::Completed;
    trial.attempts = 1;
    trial.started = 1;
}

void enqueue(std::vector<TrialRecord> &trials, ParameterSet point)
{
    TrialRecord &trial = trials.emplace_back();
    trial.number = static_cast<int>(trials.size());
    trial.parameters = std::move(point);
    trial.enqueued = true;
}

EditPlan planned(const SweepSpec &before, const SweepSpec &after, const std::vector<TrialRecord> &trials,
                 EditKind kind = EditKind::Edit, const BudgetUse &used = {})
{
    std::vector<const TrialRecord *> records;
    for (const TrialRecord &trial : trials)
        records.push_back(&trial);
    auto plan = planEdit(before, after, records, spentBudget(after.budget, used), kind);
    REQUIRE(plan.has_value());
    return std::move(*plan);
}

using Numbers = std::vector<int>;

}  // namespace

TEST_CASE("started trials stay, whatever the space")
{
    const SweepSpec before = gridOf({1, 2, 3, 4});
    std::vector<TrialRecord> trials = trialsOf(before);
    complete(trials[0]);
    trials[1].state = TrialState::Running;
    trials[2].state = TrialState::Paused;
    const EditPlan plan = planned(before, gridOf({5, 6}), trials);
    CHECK(plan.removed == Numbers{4});
    CHECK(plan.unchanged == Numbers{1, 2, 3});
    CHECK(plan.restored.empty());
    REQUIRE(plan.added.size() == 2);
    CHECK(plan.added.front().number == 5);
    CHECK(plan.added.front().parameters == ParameterSet{{"n", 5.0}});
    CHECK(plan.added.front().seed != plan.added.back().seed);
}

TEST_CASE("trials removed by an edit are restored, those stopped by the user are not")
{
    const SweepSpec before = gridOf({1, 2});
    std::vector<TrialRecord> trials = trialsOf(before);
    trials[0].state = trials[1].state = TrialState::Stopped;
    trials[0].reason = Code::RemovedByEdit;
    trials[1].reason = Code::StoppedOnRequest;
    const EditPlan plan = planned(before, before, trials);
    CHECK(plan.restored == Numbers{1});
    CHECK(plan.unchanged == Numbers{2});
    CHECK(plan.added.empty());
    CHECK(plan.removed.empty());
}

TEST_CASE("0 and 0.0 are the same point")
{
    SweepSpec before = gridOf({});
    before.space[0].values = {std::int64_t{0}, std::int64_t{1}};
    std::vector<TrialRecord> trials = trialsOf(before);
    complete(trials[0]);
    SweepSpec after = before;
    after.space[0].values = {0.0, 0.9, 1.0};
    const EditPlan plan = planned(before, after, trials);
    CHECK(plan.unchanged == Numbers{1, 2});
    REQUIRE(plan.added.size() == 1);
    CHECK(plan.added[0].parameters == ParameterSet{{"n", 0.9}});
}

TEST_CASE("an enqueued point stays, even if its sweep's space never contained it")
{
    const SweepSpec before = gridOf({1, 2});
    std::vector<TrialRecord> trials = trialsOf(before);
    enqueue(trials, {{"n", 99.0}});
    CHECK(planned(before, gridOf({1}), trials).unchanged == Numbers{1, 3});
    CHECK(planned(before, gridOf({1}), trials).removed == Numbers{2});
}

TEST_CASE("the trials of a random search include those that have run, but not enqueued ones")
{
    const SweepSpec before = randomSweep(4, 7, {range(DimensionKind::Linear, "lr", 0, 1, 0)});
    std::vector<TrialRecord> trials = trialsOf(before);
    complete(trials[0]);
    complete(trials[1]);
    enqueue(trials, {{"lr", 99.0}});
    SweepSpec more = before;
    more.trials = 6;
    EditPlan plan = planned(before, more, trials);
    CHECK(plan.added.size() == 2);
    CHECK(plan.added[0].number == 6);
    CHECK(plan.removed.empty());  // a seed always draws the same first trials

    SweepSpec other = more;
    other.space[0].low = 2;
    other.space[0].high = 3;
    plan = planned(before, other, trials);
    CHECK(plan.removed == Numbers{3, 4});
    CHECK(plan.added.size() == 4);
    for (const TrialPlan &added : plan.added)
        CHECK(std::get<double>(added.parameters.front().second) >= 2);
}

TEST_CASE("a larger budget restores trials that the smaller one stopped, an exhausted one does not")
{
    SweepSpec before = gridOf({1, 2});
    before.budget = BudgetSection{std::nullopt, std::chrono::seconds(10)};
    std::vector<TrialRecord> trials = trialsOf(before);
    complete(trials[0]);
    trials[1].state = TrialState::Stopped;
    trials[1].reason = Code::DeviceBudgetSpent;
    const BudgetUse used{0, 20'000'000'000};
    SweepSpec after = before;
    after.budget->deviceTime = std::chrono::seconds(15);
    EditPlan plan = planned(before, after, trials, EditKind::Edit, used);
    CHECK(plan.restored.empty());
    REQUIRE(plan.spent.has_value());
    CHECK(plan.spent->code == Code::DeviceBudgetSpent);
    after.budget->deviceTime = std::chrono::seconds(30);
    plan = planned(before, after, trials, EditKind::Edit, used);
    CHECK(plan.restored == Numbers{2});
    CHECK_FALSE(plan.spent.has_value());

    before.budget = BudgetSection{std::nullopt, std::nullopt, 1.0};
    trials[1].reason = Code::EnergyBudgetSpent;
    after = before;
    after.budget->kilowattHours = 1.5;
    CHECK(planned(before, after, trials, EditKind::Edit, {0, 0, 1.5}).restored.empty());
    CHECK(planned(before, after, trials, EditKind::Edit, {0, 0, 1.4}).restored == Numbers{2});
}

TEST_CASE("an undo discards trials that never started, from the end up to the first that stays")
{
    const SweepSpec before = gridOf({1, 2});
    const SweepSpec edited = gridOf({1, 2, 3, 4, 5});
    std::vector<TrialRecord> trials = trialsOf(edited);
    EditPlan plan = planned(edited, before, trials, EditKind::Undo);
    CHECK(plan.removed == Numbers{3, 4, 5});
    CHECK(plan.discarded == Numbers{3, 4, 5});
    CHECK(plan.kept == 2);
    CHECK(planned(edited, before, trials).discarded.empty());  // an edit keeps them, so that they can be restored

    complete(trials[3]);
    plan = planned(edited, before, trials, EditKind::Undo);
    CHECK(plan.removed == Numbers{3, 5});
    CHECK(plan.discarded == Numbers{5});
    CHECK(plan.unchanged == Numbers{1, 2, 4});

    SUBCASE("nor one that the user has marked")
    {
        trials[4].mark.note = "keep an eye on it";
        CHECK(planned(edited, before, trials, EditKind::Undo).discarded.empty());
    }
    SUBCASE("nor one that is queued for another attempt")
    {
        trials[4].attempts = 1;
        CHECK(planned(edited, before, trials, EditKind::Undo).discarded.empty());
    }
    SUBCASE("and the trials that it adds reuse their numbers")
    {
        plan = planned(edited, gridOf({1, 2, 7}), trials, EditKind::Undo);
        CHECK(plan.kept == 4);
        REQUIRE(plan.added.size() == 1);
        CHECK(plan.added[0].number == 5);
    }
}

TEST_CASE("edits that would mix incomparable results are refused")
{
    const SweepSpec before = gridOf({1, 2});
    SweepSpec after = before;
    after.name = "other";  // a sweep may be renamed
    after.run.ranks = 4;
    after.space[0].name = "m";
    const auto plan = planEdit(before, after, {});
    REQUIRE_FALSE(plan.has_value());
    CHECK(plan.error().size() == 2);
    CHECK(plan.error().front().field == "space");
}

TEST_CASE("an edit is described by facts")
{
    const SweepSpec before = gridOf({1, 2, 3});
    std::vector<TrialRecord> trials = trialsOf(before);
    const EditPlan plan = planned(before, gridOf({1, 4, 5}), trials);
    facts::Facts facts = changeFacts(plan);
    REQUIRE(facts.size() == 3);
    CHECK(facts[0] == facts::Fact(Code::TrialsAdded).with(Field::Count, 2).with(Field::Trials, "4,5"));
    CHECK(facts[1] == facts::Fact(Code::TrialsRemoved).with(Field::Count, 2).with(Field::Trials, "2,3"));
    CHECK(facts[2].code == Code::KeyChanged);
    CHECK(facts[2].text(Field::Key) == "space.n");
    CHECK(facts[2].text(Field::Before) == "[1.0, 2.0, 3.0]");

    CHECK(changeFacts(planned(before, gridOf({1, 2, 3, 4, 5, 6}), trials))[0].text(Field::Trials) == "4-6");

    facts = answerFacts(plan, true);
    CHECK(facts[3].code == Code::SweepRunsAgain);
    CHECK(facts.back().code == Code::DefinitionApplied);
    facts = answerFacts(planned(before, before, trials), true);
    CHECK(facts == facts::Facts{Code::TrialsUnchanged, Code::DefinitionApplied});
    SweepSpec renamed = before;
    renamed.name = "other";
    facts = answerFacts(planned(before, renamed, trials), true);
    REQUIRE(facts.size() == 1);
    CHECK(facts[0].text(Field::Key) == "sweep.name");
}

TEST_CASE("an edit of a search keeps matching trials and counts the remaining ones")
{
    SweepSpec before = commandSweep({numbers("n", {1, 2, 3, 4, 5, 6})});
    before.method = SearchMethod::Tpe;
    before.trials = 4;
    CHECK(planTrials(before)->empty());
    CHECK(trialsToSearch(before) == 4);
    std::vector<TrialRecord> trials = trialsOf(gridOf({1, 2, 3}));
    complete(trials[0]);
    complete(trials[2]);

    SweepSpec after = before;
    after.trials = 6;
    EditPlan edit = planned(before, after, trials);
    CHECK(edit.added.empty());
    CHECK(edit.toCome == 3);
    CHECK(edit.runsAgain());
    CHECK(trialFacts(edit) == facts::Facts{facts::Fact(Code::TrialsToChoose).with(Field::Count, 3)});

    // Trial 2, which is queued, is no longer valid; the completed ones stay.
    after.space = {numbers("n", {1, 4, 5, 6})};
    edit = planned(before, after, trials);
    CHECK(edit.removed == std::vector<int>{2});
    CHECK(edit.unchanged == std::vector<int>{1, 3});
    CHECK(edit.toCome == 4);

    // Changes unrelated to the search do not restart it.
    after = before;
    after.devices.concurrent = 3;
    edit = planned(before, after, trials);
    CHECK_FALSE(edit.runsAgain());
    CHECK(trialFacts(edit) == facts::Facts{Code::TrialsUnchanged});

    after = before;
    after.trials = 0;
    after.budget = BudgetSection{std::chrono::hours(1), {}};
    edit = planned(before, after, trials);
    CHECK_FALSE(edit.toCome.has_value());
    CHECK(trialFacts(edit) == facts::Facts{Code::TrialsToChoose});
}

TEST_CASE("a grid that is to be repeated chooses its trials as it runs, and keeps those that it had")
{
    const SweepSpec before = gridOf({1, 2, 3});
    SweepSpec after = before;
    after.repeats = 2;
    std::vector<TrialRecord> trials = trialsOf(before);
    complete(trials[0]);
    const EditPlan plan = planned(before, after, trials);
    CHECK(plan.added.empty());
    CHECK(plan.removed.empty());
    CHECK(plan.toCome == 3);  // of six
    CHECK(plan.isSearch);

    enqueue(trials, trials[0].parameters);  // the second run of a point
    trials.back().enqueued = false;
    const EditPlan back = planned(after, before, trials);
    CHECK(back.removed == std::vector<int>{4});
    CHECK(back.added.empty());
    CHECK(back.toCome == 0);
}

TEST_CASE("an edit adds no trials to a sweep of results without a program, and may change everything else")
{
    SweepSpec before = gridOf({1, 2});
    before.run.command = commandOfResults();
    std::vector<TrialRecord> trials = trialsOf(before);
    std::vector<const TrialRecord *> records;
    for (TrialRecord &trial : trials) {
        complete(trial);
        records.push_back(&trial);
    }
    SweepSpec after = gridOf({1, 2, 3});
    after.run.command = commandOfResults();
    const auto refused = planEdit(before, after, records);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().front().field == "run.command");
    after.space = before.space;
    after.objective = "accuracy";
    CHECK(planEdit(before, after, records).has_value());
    after = gridOf({1, 2, 3});
    CHECK(planEdit(before, after, records).has_value());
}
