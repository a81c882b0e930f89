#include "analysis/objectiveresults.h"

#include <doctest/doctest.h>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::analysis;

namespace {

/// A sweep that minimizes loss and maximizes speed.
struct TwoObjectives {
    sweep::SweepSpec spec;
    std::vector<sweep::TrialRecord> trials;

    TwoObjectives()
    {
        spec.objective = "loss";
        spec.objectives = {{"speed", sweep::Goal::Maximize}};
    }

    sweep::TrialRecord &add(double loss, double speed, WallNs ended)
    {
        sweep::TrialRecord &trial = trials.emplace_back();
        trial.number = static_cast<int>(trials.size());
        trial.state = sweep::TrialState::Completed;
        trial.objectiveBest = trial.objectiveLast = sweep::ObjectiveValue{loss, 10};
        trial.metrics = {{"speed", speed, 10, speed, speed}};
        trial.ended = ended;
        return trial;
    }
};

}  // namespace

TEST_CASE("usable results are those with all objectives, by their end")
{
    TwoObjectives sweep;
    sweep.add(0.5, 10, 30);
    sweep.add(0.4, 20, 20);
    sweep.add(0.3, 30, 10).state = sweep::TrialState::Failed;
    sweep.add(0.2, 5, 40).metrics.clear();
    sweep.add(0.1, 50, 50);
    sweep.spec.outcomeConstraints = {{"slow", "speed < 40"}};
    const ObjectiveResults results = collectObjectives(sweep.spec, sweep.trials);
    CHECK(results.names == std::vector<std::string>{"loss", "speed"});
    CHECK(results.signs == std::vector<double>{1, -1});
    CHECK(results.trials == std::vector<int>{2, 1});
    CHECK(results.values == std::vector<std::vector<double>>{{0.4, 20}, {0.5, 10}});
    sweep.spec.objectives.clear();
    CHECK(collectObjectives(sweep.spec, sweep.trials).names.empty());
}

TEST_CASE("the front ascends along its first objective, whichever directions are good")
{
    TwoObjectives sweep;
    for (const auto &[loss, speed] : std::vector<std::pair<double, double>>{
             {0.3, 30}, {0.1, 10}, {0.2, 20}, {0.2, 15}, {0.4, 30}, {0.5, 40}, {0.3, 30}, {0.35, 25}})
        sweep.add(loss, speed, static_cast<WallNs>(sweep.trials.size()));
    const ObjectiveResults results = collectObjectives(sweep.spec, sweep.trials);
    CHECK(frontOf(results, 0, 1) == std::vector<std::size_t>{1, 2, 0, 5});
    CHECK(frontOf(results, 1, 0) == std::vector<std::size_t>{1, 2, 0, 5});
    CHECK(frontOf(ObjectiveResults{{"a", "b"}, {1, 1}, {}, {}}, 0, 1).empty());
}

TEST_CASE("the hypervolume grows with each trial on the front, and is a share of the box")
{
    TwoObjectives sweep;
    sweep.add(1, 0, 1);      // the worst in both
    sweep.add(0.5, 50, 2);   // a quarter
    sweep.add(0.6, 40, 3);   // dominated
    sweep.add(0, 0, 4);      // adds nothing: the worst speed
    sweep.add(1, 100, 5);    // likewise the worst loss
    sweep.add(0.25, 25, 6);  // a further 0.25 x 0.25
    const std::vector<double> volumes = hypervolumes(collectObjectives(sweep.spec, sweep.trials));
    const std::vector<double> expected{0, 0.25, 0.25, 0.25, 0.25, 0.3125};
    REQUIRE(volumes.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(volumes[i] == doctest::Approx(expected[i]));
    CHECK(hypervolumes({}).empty());
    sweep.trials.resize(1);
    CHECK(hypervolumes(collectObjectives(sweep.spec, sweep.trials)) == std::vector<double>{1});
}
