#include "specs.h"
#include "sweep/budgetuse.h"
#include "sweep/duration.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;
using sweep::testing::second;
using namespace std::chrono_literals;
using facts::Code;
using facts::Field;

namespace {

Code codeOf(const std::optional<facts::Fact> &fact)
{
    return fact ? fact->code : Code::None;
}

}  // namespace

TEST_CASE("the time budget counts from the launch")
{
    const BudgetSection budget{2h, std::nullopt};
    CHECK(codeOf(spentBudget(budget, {7199 * second, 1'000'000 * second})) == Code::None);
    const auto spent = spentBudget(budget, {7200 * second, 0});
    REQUIRE(codeOf(spent) == Code::TimeBudgetSpent);
    CHECK(spent->number(Field::Seconds) == 7200);
}

TEST_CASE("the device budget counts the use of all attempts")
{
    const BudgetSection budget{std::nullopt, 1h};
    CHECK(codeOf(spentBudget(budget, {999'999 * second, 3599 * second})) == Code::None);
    CHECK(codeOf(spentBudget(budget, {0, 3600 * second})) == Code::DeviceBudgetSpent);
}

TEST_CASE("the energy budget counts what is known")
{
    const BudgetSection budget{std::nullopt, std::nullopt, 2.5};
    CHECK(codeOf(spentBudget(budget, {0, 0, std::nullopt})) == Code::None);
    CHECK(codeOf(spentBudget(budget, {999'999 * second, 999'999 * second, 2.4999})) == Code::None);
    const auto spent = spentBudget(budget, {0, 0, 2.5});
    REQUIRE(codeOf(spent) == Code::EnergyBudgetSpent);
    CHECK(spent->number(Field::KilowattHours) == 2.5);
    CHECK(codeOf(spentBudget(BudgetSection{1h, 1h}, {0, 0, 1e9})) == Code::None);
}

TEST_CASE("either budget ends a sweep, no budget never does, and the longest durations work")
{
    CHECK(codeOf(spentBudget(BudgetSection{1h, 1h}, {0, 3600 * second})) == Code::DeviceBudgetSpent);
    CHECK(codeOf(spentBudget(BudgetSection{1h, 1h}, {3600 * second, 0})) == Code::TimeBudgetSpent);
    CHECK(codeOf(spentBudget(BudgetSection{1h, 1h}, {3599 * second, 3599 * second})) == Code::None);
    CHECK(codeOf(spentBudget(std::nullopt, {999'999 * second, 999'999 * second})) == Code::None);
    CHECK(codeOf(spentBudget(BudgetSection{longestDuration, std::chrono::seconds::max()},
                             {999'999 * second, 999'999 * second}))
          == Code::None);
}

TEST_CASE("records give a sweep's use: ended attempts, and those that hold devices")
{
    SweepRecord sweep;
    sweep.created = 100 * second;
    sweep.deviceTime = 50 * second;
    SweepSpec spec;
    spec.run.worker = WorkerKind::Command;
    std::vector<TrialRecord> trials(4);
    for (TrialRecord &trial : trials) {
        trial.attempts = 1;
        trial.attemptStarted = 190 * second;
        trial.devices = {"GPU-0", "GPU-1"};
    }
    trials[0].state = TrialState::Running;
    trials[1].state = TrialState::Completed;
    trials[2].state = TrialState::Paused;
    trials[3].state = TrialState::Queued;
    CHECK(budgetUse(sweep, spec, trials, 200 * second) == BudgetUse{100 * second, 90 * second});
    spec.run.worker = WorkerKind::Builtin;  // its paused trial has saved a checkpoint and released its devices
    CHECK(budgetUse(sweep, spec, trials, 200 * second).deviceTime == 70 * second);
    spec.run.settings["resume"] = false;
    CHECK(budgetUse(sweep, spec, trials, 200 * second).deviceTime == 90 * second);
}
