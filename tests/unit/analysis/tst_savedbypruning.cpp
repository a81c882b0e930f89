#include "analysis/savedbypruning.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::analysis;

namespace {

sweep::TrialRecord trial(sweep::TrialState state, std::int64_t step, std::int64_t rung = 0)
{
    sweep::TrialRecord trial;
    trial.state = state;
    trial.step = step;
    if (rung != 0)
        trial.reason = facts::Fact(facts::Code::PrunedByMedian).with(facts::Field::Step, rung);
    return trial;
}

}  // namespace

TEST_CASE("what pruning saved is the steps that pruned trials did not make")
{
    using sweep::TrialState;
    std::vector<sweep::TrialRecord> trials{trial(TrialState::Pruned, 26, 25)};
    CHECK_FALSE(savedByPruning(trials));  // the length of a full trial is unknown
    trials.push_back(trial(TrialState::Completed, 100));
    trials.push_back(trial(TrialState::Completed, 100));
    trials.push_back(trial(TrialState::Pruned, 50, 50));
    trials.push_back(trial(TrialState::Failed, 10));
    trials.push_back(trial(TrialState::Running, 30));
    trials.push_back(trial(TrialState::Queued, 0));
    const auto saved = savedByPruning(trials);
    REQUIRE(saved);
    CHECK(saved->pruned == 2);
    CHECK(saved->share == doctest::Approx((0.74 + 0.5) / 4));
    REQUIRE(saved->rungs.size() == 2);
    CHECK(saved->rungs[0].step == 25);
    CHECK(saved->rungs[0].reached == 5);
    CHECK(saved->rungs[0].pruned == 1);
    CHECK(saved->rungs[1].step == 50);
    CHECK(saved->rungs[1].reached == 3);
    trials.resize(1);
    trials.push_back(trial(TrialState::Completed, 20));  // shorter than the pruned one
    CHECK(savedByPruning(trials)->share == 0);
}
