#include "sweep/besttrials.h"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

using namespace sweepscope::sweep;

namespace {

TrialRecord rankedTrial(int number, std::optional<double> value, TrialState state = TrialState::Completed)
{
    TrialRecord trial;
    trial.number = number;
    trial.state = state;
    if (value)
        trial.objectiveBest = ObjectiveValue{*value, 1};
    return trial;
}

}  // namespace

TEST_CASE("the best trials come first, and those that cannot be the best are left out")
{
    std::vector<TrialRecord> trials{rankedTrial(1, 3.0),          rankedTrial(2, 1.0),
                                    rankedTrial(3, std::nullopt), rankedTrial(4, 0.5, TrialState::Failed),
                                    rankedTrial(5, 2.0),          rankedTrial(6, 1.0)};
    CHECK(bestTrials(trials, Goal::Minimize, 3) == std::vector{2, 6, 5});
    CHECK(bestTrials(trials, Goal::Maximize, 1) == std::vector{1});
    CHECK(bestTrials(trials, Goal::Minimize, 99).size() == 4);
    CHECK(bestTrials(trials, Goal::Minimize, 0).empty());
    trials[1].violation = 1;
    CHECK(bestTrials(trials, Goal::Minimize, 1) == std::vector{6});
}

TEST_CASE("only the checkpoints of ended trials that are not needed may be removed")
{
    std::vector<TrialRecord> trials{rankedTrial(1, 3.0),
                                    rankedTrial(2, 1.0),
                                    rankedTrial(3, 5.0, TrialState::Running),
                                    rankedTrial(4, std::nullopt, TrialState::Failed),
                                    rankedTrial(5, 4.0),
                                    rankedTrial(6, 2.0)};
    CHECK(trialsWithRemovableCheckpoint(trials, Goal::Minimize, 1) == std::vector{1, 4, 5, 6});
    CHECK(trialsWithRemovableCheckpoint(trials, Goal::Minimize, 0) == std::vector{1, 2, 4, 5, 6});
    trials[4].mark.starred = true;
    trials[2].chosen =
        sweepscope::facts::Fact(sweepscope::facts::Code::ChosenToContinue).with(sweepscope::facts::Field::Trial, 1);
    CHECK(trialsWithRemovableCheckpoint(trials, Goal::Minimize, 1) == std::vector{4, 6});
}
