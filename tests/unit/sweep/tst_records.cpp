#include "specs.h"
#include "sweep/records.h"
#include "sweep/trialtime.h"

#include <doctest/doctest.h>

#include <limits>
#include <map>

using namespace sweepscope;
using namespace sweepscope::sweep;
using sweep::testing::second;

namespace {

TrialRecord trial(TrialState state, WallNs started = 0, WallNs ended = 0)
{
    TrialRecord record;
    record.state = state;
    if (started > 0)
        record.started = started;
    if (ended > 0)
        record.ended = ended;
    return record;
}

TrialRecord completed(double seconds)
{
    return trial(TrialState::Completed, second, second + static_cast<WallNs>(seconds * 1e9));
}

}  // namespace

TEST_CASE("the best trial has a value and did not diverge")
{
    const auto reached = [](TrialState state, double value) {
        TrialRecord record = trial(state);
        record.objectiveBest = ObjectiveValue{value, 1};
        return record;
    };
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (const TrialState state :
         {TrialState::Completed, TrialState::Pruned, TrialState::Running, TrialState::Paused, TrialState::Stopped})
        CHECK(mayBeBest(reached(state, 1)));
    for (const TrialState state : {TrialState::Failed, TrialState::Lost})
        CHECK_FALSE(mayBeBest(reached(state, 1)));
    CHECK_FALSE(mayBeBest(reached(TrialState::Completed, none)));
    CHECK_FALSE(mayBeBest(trial(TrialState::Completed)));
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (const double diverged : {infinite, -infinite}) {
        CHECK_FALSE(mayBeBest(reached(TrialState::Completed, diverged)));
        for (const Goal goal : {Goal::Minimize, Goal::Maximize}) {
            CHECK(isBetter(reached(TrialState::Failed, 1), reached(TrialState::Completed, diverged), goal));
            CHECK_FALSE(isBetter(reached(TrialState::Completed, diverged), reached(TrialState::Completed, none), goal));
        }
    }
    // The order is the same for both goals.
    const std::vector<TrialRecord> order{reached(TrialState::Completed, 2), reached(TrialState::Running, 1),
                                         reached(TrialState::Failed, 9), reached(TrialState::Lost, 3),
                                         reached(TrialState::Completed, none)};
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = 0; j < order.size(); ++j)
            CHECK(isBetter(order[i], order[j], Goal::Maximize) == (i < j));
    }
    CHECK(isBetter(order[1], order[0], Goal::Minimize));
    CHECK(isBetter(order[0], order[3], Goal::Minimize));
    CHECK_FALSE(isBetter(trial(TrialState::Completed), order[4], Goal::Minimize));
}

TEST_CASE("a point that ran more than once is better than one that ran once, then the one with the better mean")
{
    const auto ofPoint = [](double best, double mean, int runs) {
        TrialRecord record = trial(TrialState::Completed);
        record.objectiveBest = ObjectiveValue{best, 1};
        record.pointMean = PointMean{mean, 0, runs};
        return record;
    };
    CHECK(isBetter(ofPoint(5, 4, 3), ofPoint(1, 1, 1), Goal::Minimize));
    CHECK(isBetter(ofPoint(5, 2, 3), ofPoint(1, 3, 3), Goal::Minimize));
    CHECK(isBetter(ofPoint(5, 2, 2), ofPoint(1, 3, 3), Goal::Minimize));  // its third run failed
    CHECK_FALSE(isBetter(ofPoint(5, 2, 3), ofPoint(1, 3, 3), Goal::Maximize));
    CHECK_FALSE(isBetter(ofPoint(1, 2, 3), ofPoint(5, 2, 3), Goal::Minimize));  // two runs of one point
    CHECK(rankedValue(ofPoint(5, 2, 3)) == 2);
    TrialRecord running = trial(TrialState::Running);
    running.objectiveBest = ObjectiveValue{0, 1};
    CHECK(isBetter(ofPoint(5, 4, 1), running, Goal::Minimize));
    CHECK(rankedValue(running) == 0);
    CHECK_FALSE(rankedValue(trial(TrialState::Running)));
}

TEST_CASE("states are written and read by name")
{
    for (const TrialState state : {TrialState::Queued, TrialState::Starting, TrialState::Running, TrialState::Completed,
                                   TrialState::Failed, TrialState::Stopped, TrialState::Lost})
        CHECK((trialStateFromString(toString(state)) == state));
    CHECK(toString(TrialState::Lost) == "lost");
    CHECK_FALSE(trialStateFromString("Lost").has_value());
    for (const SweepState state :
         {SweepState::Running, SweepState::Stopping, SweepState::Completed, SweepState::Stopped, SweepState::Failed})
        CHECK((sweepStateFromString(toString(state)) == state));
    CHECK_FALSE(sweepStateFromString("").has_value());
    CHECK(isFinal(TrialState::Lost));
    CHECK_FALSE(isFinal(TrialState::Starting));
}

TEST_CASE("a sweep without any result has failed, and one with any result has completed")
{
    using Counts = std::map<TrialState, int>;
    CHECK((endOf(Counts{{TrialState::Failed, 3}, {TrialState::Stopped, 1}}) == SweepState::Failed));
    CHECK((endOf(Counts{{TrialState::Lost, 1}}) == SweepState::Failed));
    CHECK((endOf(Counts{{TrialState::Failed, 3}, {TrialState::Completed, 1}}) == SweepState::Completed));
    CHECK((endOf(Counts{{TrialState::Failed, 3}, {TrialState::Pruned, 1}}) == SweepState::Completed));
    CHECK((endOf(Counts{{TrialState::Completed, 0}, {TrialState::Failed, 1}}) == SweepState::Failed));
    CHECK((endOf(Counts{{TrialState::Stopped, 2}}) == SweepState::Stopped));
}

TEST_CASE("metrics are equal if all of them are, including NaN")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<MetricValue> metrics{{"loss", nan, 3, 1, 2}, {"accuracy", 1, 3, 1, 1}};
    CHECK(isSame(metrics, metrics));
    CHECK_FALSE(isSame(metrics, {metrics[0]}));
    for (const MetricValue &other : {MetricValue{"loss", 5, 3, 1, 2}, MetricValue{"loss", nan, 4, 1, 2},
                                     MetricValue{"loss", nan, 3, nan, 2}, MetricValue{"Loss", nan, 3, 1, 2}})
        CHECK_FALSE(isSame(metrics[0], other));
    CHECK(find(metrics, "accuracy") == &metrics[1]);
    CHECK(find(metrics, "acc") == nullptr);
}

TEST_CASE("there is no estimate before a trial has completed or reported its progress")
{
    CHECK_FALSE(estimateSecondsLeft({}, {}, 1, 0).has_value());
    CHECK_FALSE(estimateSecondsLeft({},
                                    {trial(TrialState::Running, second), trial(TrialState::Failed, second, 2 * second)},
                                    1, 5 * second)
                    .has_value());
}

TEST_CASE("a finished sweep has no time left")
{
    CHECK(estimateSecondsLeft({}, {completed(10), trial(TrialState::Failed, second, 2 * second)}, 2, 100 * second)
          == 0.0);
}

TEST_CASE("queued trials take the mean duration each, with the maximum concurrency")
{
    const std::vector<TrialRecord> trials{completed(8), completed(12), trial(TrialState::Queued),
                                          trial(TrialState::Queued), trial(TrialState::Queued)};
    CHECK(estimateSecondsLeft({}, trials, 1, 0) == 30.0);
    CHECK(estimateSecondsLeft({}, trials, 2, 0) == 20.0);
    CHECK(estimateSecondsLeft({}, trials, 8, 0) == 10.0);
    CHECK(estimateSecondsLeft({}, trials, 0, 0) == 30.0);
}

TEST_CASE("the elapsed time of running trials is subtracted, and an overdue one takes no negative time")
{
    std::vector<TrialRecord> trials{completed(10), trial(TrialState::Running, 100 * second)};
    CHECK(estimateSecondsLeft({}, trials, 1, 104 * second) == doctest::Approx(6.0));
    CHECK(estimateSecondsLeft({}, trials, 1, 150 * second) == doctest::Approx(0.0));
    trials.push_back(trial(TrialState::Queued));
    CHECK(estimateSecondsLeft({}, trials, 1, 104 * second) == doctest::Approx(16.0));
    CHECK(estimateSecondsLeft({}, trials, 2, 104 * second) == doctest::Approx(10.0));
    trials.push_back(trial(TrialState::Starting));
    CHECK(estimateSecondsLeft({}, trials, 2, 104 * second) == doctest::Approx(16.0));
}

TEST_CASE("the progress of a running trial gives its duration, and that of the queued ones")
{
    std::vector<TrialRecord> trials{trial(TrialState::Running, 100 * second)};
    trials[0].progress = 0.01;
    CHECK_FALSE(estimateSecondsLeft({}, trials, 1, 110 * second).has_value());
    trials[0].progress = 0.25;
    CHECK(estimateSecondsLeft({}, trials, 1, 110 * second) == doctest::Approx(30.0));
    trials.push_back(trial(TrialState::Queued));
    CHECK(estimateSecondsLeft({}, trials, 1, 110 * second) == doctest::Approx(70.0));
    CHECK(estimateSecondsLeft({}, trials, 2, 110 * second) == doctest::Approx(40.0));
    // The time of completed trials is the estimate for queued ones.
    trials.push_back(completed(10));
    CHECK(estimateSecondsLeft({}, trials, 1, 110 * second) == doctest::Approx(40.0));
}

TEST_CASE("a pause does not count in a trial's duration")
{
    std::vector<TrialRecord> trials{trial(TrialState::Running, 100 * second)};
    trials[0].progress = 0.25;
    trials[0].paused = 30 * second;
    CHECK(runningSeconds(trials[0], 140 * second) == doctest::Approx(10.0));
    CHECK(estimateSecondsLeft({}, trials, 1, 140 * second) == doctest::Approx(30.0));
    trials.push_back(completed(50));
    trials[1].paused = 30 * second;
    trials.push_back(trial(TrialState::Queued));
    CHECK(estimateSecondsLeft({}, trials, 1, 140 * second) == doctest::Approx(50.0));
}

TEST_CASE("the time of failed attempts does not count in a trial's duration")
{
    TrialRecord retried = trial(TrialState::Running, second);
    retried.attempts = 3;
    retried.progress = 0.5;
    CHECK_FALSE(estimateSecondsLeft({}, {retried}, 1, 1000 * second).has_value());
    TrialRecord finished = completed(90);
    finished.attempts = 3;
    CHECK(estimateSecondsLeft({}, {retried, finished}, 1, 1000 * second) == doctest::Approx(15.0));
    CHECK(estimateSecondsLeft({}, {retried, finished, completed(10)}, 1, 1000 * second) == doctest::Approx(5.0));
    retried.progress = 0;
    CHECK(estimateSecondsLeft({}, {retried, completed(10)}, 1, 1000 * second) == doctest::Approx(10.0));
}

TEST_CASE("for a retried trial the last attempt counts, if its start is known")
{
    TrialRecord retried = trial(TrialState::Running, second);
    retried.attempts = 3;
    retried.attemptStarted = 900 * second;
    retried.progress = 0.5;
    CHECK(estimateSecondsLeft({}, {retried}, 1, 1000 * second) == doctest::Approx(100.0));
    TrialRecord finished = trial(TrialState::Completed, second, 1000 * second);
    finished.attempts = 2;
    finished.attemptStarted = 980 * second;
    CHECK(estimateSecondsLeft({}, {finished, trial(TrialState::Queued)}, 1, 1000 * second) == doctest::Approx(20.0));
}

TEST_CASE("estimates work with a hundred thousand queued trials")
{
    std::vector<TrialRecord> trials(100'000, trial(TrialState::Queued));
    trials.push_back(completed(2));
    CHECK(estimateSecondsLeft({}, trials, 10, 0) == doctest::Approx(20'000.0));
}
