#include "sweep/records.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

constexpr WallNs second = 1'000'000'000;

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

TEST_CASE("states are written and read back by their words")
{
    for (const TrialState state : {TrialState::Waiting, TrialState::Starting, TrialState::Running,
                                   TrialState::Completed, TrialState::Failed, TrialState::Stopped, TrialState::Lost})
        CHECK((trialStateFromString(toString(state)) == state));
    CHECK(toString(TrialState::Lost) == "lost");
    CHECK_FALSE(trialStateFromString("Lost").has_value());
    for (const SweepState state :
         {SweepState::Running, SweepState::Stopping, SweepState::Completed, SweepState::Stopped})
        CHECK((sweepStateFromString(toString(state)) == state));
    CHECK_FALSE(sweepStateFromString("").has_value());
    CHECK(isFinal(TrialState::Lost));
    CHECK_FALSE(isFinal(TrialState::Starting));
}

TEST_CASE("nothing is estimated before a trial has completed")
{
    CHECK_FALSE(estimateSecondsLeft({}, 1, 0).has_value());
    CHECK_FALSE(estimateSecondsLeft({trial(TrialState::Running, second), trial(TrialState::Failed, second, 2 * second)},
                                    1, 5 * second)
                    .has_value());
}

TEST_CASE("a finished sweep has no time left")
{
    CHECK(estimateSecondsLeft({completed(10), trial(TrialState::Failed, second, 2 * second)}, 2, 100 * second) == 0.0);
}

TEST_CASE("waiting trials take the mean duration each, as many at once as may run")
{
    const std::vector<TrialRecord> trials{completed(8), completed(12), trial(TrialState::Waiting),
                                          trial(TrialState::Waiting), trial(TrialState::Waiting)};
    CHECK(estimateSecondsLeft(trials, 1, 0) == 30.0);
    CHECK(estimateSecondsLeft(trials, 2, 0) == 20.0);
    CHECK(estimateSecondsLeft(trials, 8, 0) == 10.0);
    CHECK(estimateSecondsLeft(trials, 0, 0) == 30.0);
}

TEST_CASE("what running trials have used is taken off, and an overdue one takes no negative time")
{
    std::vector<TrialRecord> trials{completed(10), trial(TrialState::Running, 100 * second)};
    CHECK(estimateSecondsLeft(trials, 1, 104 * second) == doctest::Approx(6.0));
    CHECK(estimateSecondsLeft(trials, 1, 150 * second) == doctest::Approx(0.0));
    trials.push_back(trial(TrialState::Waiting));
    CHECK(estimateSecondsLeft(trials, 1, 104 * second) == doctest::Approx(16.0));
    CHECK(estimateSecondsLeft(trials, 2, 104 * second) == doctest::Approx(10.0));
    trials.push_back(trial(TrialState::Starting));
    CHECK(estimateSecondsLeft(trials, 2, 104 * second) == doctest::Approx(16.0));
}

TEST_CASE("a hundred thousand waiting trials are estimated")
{
    std::vector<TrialRecord> trials(100'000, trial(TrialState::Waiting));
    trials.push_back(completed(2));
    CHECK(estimateSecondsLeft(trials, 10, 0) == doctest::Approx(20'000.0));
}
