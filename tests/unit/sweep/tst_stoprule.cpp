#include "sweep/stoprule.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;
using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

/// Returns trials that ended one after another with these values.
std::vector<TrialRecord> endedWith(std::initializer_list<double> values, TrialState state = TrialState::Completed)
{
    std::vector<TrialRecord> trials;
    for (const double value : values) {
        TrialRecord &trial = trials.emplace_back();
        trial.number = static_cast<int>(trials.size());
        trial.state = state;
        trial.ended = 100 * trial.number;
        trial.objectiveBest = ObjectiveValue{value, 1};
    }
    return trials;
}

std::optional<Fact> applied(const StopSection &stop, const std::vector<TrialRecord> &trials, Goal goal = Goal::Minimize,
                            int repeats = 1)
{
    std::vector<const TrialRecord *> pointers;
    for (const TrialRecord &trial : trials)
        pointers.push_back(&trial);
    SweepSpec spec;
    spec.stop = stop;
    spec.goal = goal;
    spec.repeats = repeats;
    return appliedStopRule(spec, pointers);
}

}  // namespace

TEST_CASE("a running trial can reach a target, in the direction of the goal")
{
    std::vector<TrialRecord> trials = endedWith({0.5, 0.3});
    const StopSection stop{0.2, 0, {}};
    CHECK_FALSE(applied(stop, trials));
    trials[1].state = TrialState::Running;
    trials[1].ended.reset();
    trials[1].objectiveBest->value = 0.2;
    CHECK(applied(stop, trials)
          == Fact(Code::TargetReached).with(Field::Trial, 2).with(Field::Value, 0.2).with(Field::Bound, 0.2));
    CHECK_FALSE(applied({0.9, 0, {}}, trials, Goal::Maximize));
    trials[1].state = TrialState::Failed;
    CHECK_FALSE(applied(stop, trials));
}

TEST_CASE("patience counts trials that ended after the best one")
{
    std::vector<TrialRecord> trials = endedWith({0.5, 0.1, 0.3, 0.1, 0.4});
    const StopSection stop{std::nullopt, 3, {}};
    CHECK(applied(stop, trials) == Fact(Code::NoImprovement).with(Field::Count, 3).with(Field::Trial, 2));
    trials[3].state = TrialState::Pruned;
    trials[4].state = TrialState::Failed;
    CHECK(applied(stop, trials).has_value());
    for (const TrialState state : {TrialState::Stopped, TrialState::Lost}) {
        trials[4].state = state;
        CHECK_FALSE(applied(stop, trials));
    }
}

TEST_CASE("without any result, patience counts all ended trials")
{
    std::vector<TrialRecord> trials = endedWith({0, 0}, TrialState::Failed);
    CHECK(applied({std::nullopt, 2, {}}, trials) == Fact(Code::NoImprovement).with(Field::Count, 2));
    CHECK_FALSE(applied({std::nullopt, 3, {}}, trials));
}

TEST_CASE(
    "a point that is repeated reaches a target by the mean of all its runs, and patience begins after the last one")
{
    std::vector<TrialRecord> trials = endedWith({0.1, 0.2, 0.6, 0.7});
    for (const int i : {0, 1})
        trials[static_cast<std::size_t>(i)].pointMean = PointMean{0.15, 0.05, 2};
    for (const int i : {2, 3})
        trials[static_cast<std::size_t>(i)].pointMean =
            PointMean{trials[static_cast<std::size_t>(i)].objectiveBest->value, 0, 1};
    CHECK_FALSE(applied({0.16, 0, {}}, trials, Goal::Minimize, 3));
    CHECK(applied({0.16, 0, {}}, trials, Goal::Minimize, 2)->number(Field::Value) == 0.15);
    CHECK_FALSE(applied({0.14, 0, {}}, trials, Goal::Minimize, 2));
    CHECK(applied({std::nullopt, 2, {}}, trials, Goal::Minimize, 2)
          == Fact(Code::NoImprovement).with(Field::Count, 2).with(Field::Trial, 2));
    CHECK_FALSE(applied({std::nullopt, 3, {}}, trials, Goal::Minimize, 2));
}
