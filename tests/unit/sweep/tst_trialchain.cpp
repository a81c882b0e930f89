#include "specs.h"
#include "sweep/records.h"
#include "sweep/trialchain.h"
#include "sweep/trialtime.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;
using sweep::testing::second;

namespace {

TrialRecord trialWith(int attempts, int firstAttempt)
{
    TrialRecord trial;
    trial.attempts = attempts;
    trial.firstAttempt = firstAttempt;
    return trial;
}

/// Its second attempt, which continues the first one (3 s), began at 100 s and ended at 104 s.
TrialRecord resumed()
{
    TrialRecord trial = trialWith(2, 1);
    trial.state = TrialState::Completed;
    trial.started = second;
    trial.ran = 3 * second;
    trial.attemptStarted = 100 * second;
    trial.attemptEnded = 104 * second;
    trial.ended = 104 * second;
    return trial;
}

}  // namespace

TEST_CASE("an attempt continues the chain if it starts after the chain's first step")
{
    CHECK(continuesChain(51, 1));
    CHECK(continuesChain(2, 1));
    CHECK_FALSE(continuesChain(1, 1));
    CHECK_FALSE(continuesChain(0, 1));
    CHECK(continuesChain(-4, -5));
    CHECK_FALSE(continuesChain(51, std::nullopt));
}

TEST_CASE("the chain ends with the last attempt")
{
    CHECK(chainOf(trialWith(0, 0)) == AttemptRange{1, 0});
    CHECK(chainOf(trialWith(1, 0)) == AttemptRange{1, 1});
    CHECK(chainOf(trialWith(4, 2)) == AttemptRange{2, 4});
    CHECK(chainOf(trialWith(4, 4)) == AttemptRange{4, 4});
    CHECK(chainOf(trialWith(4, 2)).contains(3));
    CHECK_FALSE(chainOf(trialWith(4, 2)).contains(1));
    CHECK(chainOf(trialWith(2, 9)) == AttemptRange{2, 2});  // from a database of another version
}

TEST_CASE("a trial is running while its attempts run, and not between them")
{
    const TrialRecord trial = resumed();
    CHECK(runningTime(trial, 500 * second) == 7 * second);
    CHECK(timeWithPauses(trial, 500 * second) == 103 * second);

    TrialRecord again = trial;
    again.state = TrialState::Running;
    again.attemptEnded.reset();
    again.ended.reset();
    CHECK(runningTime(again, 110 * second) == 13 * second);
    again.paused = 4 * second;
    CHECK(runningTime(again, 110 * second) == 9 * second);
}

TEST_CASE("the running time of a paused trial does not increase")
{
    TrialRecord saved = resumed();
    saved.state = TrialState::Paused;
    saved.ended.reset();
    CHECK(runningTime(saved, 500 * second) == 7 * second);
    saved.ended = 300 * second;  // stopped while paused
    CHECK(runningTime(saved, 500 * second) == 7 * second);

    TrialRecord frozen = resumed();
    frozen.state = TrialState::Paused;
    frozen.attemptEnded.reset();
    frozen.ended.reset();
    frozen.pausedSince = 102 * second;
    CHECK(runningTime(frozen, 500 * second) == 5 * second);
}

TEST_CASE("a trial that has not started has no duration")
{
    CHECK_FALSE(runningTime(trialWith(0, 0), second).has_value());
    CHECK_FALSE(timeWithPauses(trialWith(0, 0), second).has_value());
}
