// Attempts without progress: ranks that no longer report steps, and ranks that wait for one that has left.
#include "agentattempt.h"
#include "base/clock.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

namespace {

/// Ranks that report with the Python module. `script` can use run and time.
AgentAttempt pythonAttempt(const std::string &script, int ranks)
{
    return AgentAttempt({"python3", "-c", "import sweepscope, time, os\nrun = sweepscope.init()\n" + script}, ranks);
}

void watchForHangs(AgentAttempt &attempt, std::chrono::milliseconds after)
{
    attempt.spec.pythonPath = SWEEPSCOPE_SOURCE_DIR "/packaging/python";
    attempt.spec.hangFactor = 5;
    attempt.spec.hangAfter = after;
}

void passTime(std::int64_t milliseconds)
{
    const WallNs begin = wallNow();
    REQUIRE(waitUntil([&] { return wallNow() - begin > milliseconds * 1'000'000; }));
}

}  // namespace

TEST_CASE("ranks that no longer report steps are ended, and the rank that is behind is named")
{
    AgentAttempt attempt = pythonAttempt("for step in range(1, 31 if run.rank == 0 else 16):\n"
                                         "    run.log(step, loss=1.0)\n"
                                         "    time.sleep(0.05)\n"
                                         "time.sleep(1000)\n",
                                         2);
    watchForHangs(attempt, std::chrono::milliseconds(2000));
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::FirstError));
    const auto ended = attempt.waitForEnd();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason.code == facts::Code::Hung);
    REQUIRE(ended.reason.because.size() == 1);
    CHECK(ended.reason.because[0]
          == facts::Fact(facts::Code::RanksBehind)
                 .with(facts::Field::Step, 15)
                 .with(facts::Field::Bound, 30.0)
                 .with(facts::Field::Ranks, "1"));
    const auto first = attempt.find(AttemptEventKind::FirstError);
    REQUIRE(first.has_value());
    CHECK((first->failure == FailureKind::Hang));
    CHECK(first->rank == 1);
}

TEST_CASE("a rank that is slow, or evaluates for a long time, is not ended")
{
    AgentAttempt attempt = pythonAttempt("for step in range(40):\n"
                                         "    run.log(step, loss=1.0)\n"
                                         "    time.sleep(0.02)\n"
                                         "time.sleep(3)\n"
                                         "run.log(41, loss=1.0)\n",
                                         1);
    watchForHangs(attempt, std::chrono::seconds(25));
    CHECK(attempt.run().outcome == AttemptOutcome::Completed);
}

TEST_CASE("a frozen attempt does not hang")
{
    AgentAttempt attempt = pythonAttempt("step = 0\n"
                                         "while not os.path.exists('go'):\n"
                                         "    step += 1\n"
                                         "    run.log(step, loss=1.0)\n"
                                         "    if step == 20: print('enough', flush=True)\n"
                                         "    time.sleep(0.02)\n",
                                         1);
    watchForHangs(attempt, std::chrono::milliseconds(4000));
    attempt.start();
    REQUIRE(waitUntil([&] { return contentOf(attempt.layout.rankLog(0)) == "enough\n"; }));
    attempt.signal(SIGTSTP);
    passTime(6000);
    CHECK(attempt.agentIsAlive());
    attempt.signal(SIGCONT);
    std::ofstream(attempt.layout.folder / "go") << "now";
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Completed);
}

TEST_CASE("ranks that do nothing after another exited with 0 end the attempt, and are named")
{
    AgentAttempt attempt({client("exits"), "0", "1"}, 3);
    attempt.spec.exitGrace = std::chrono::milliseconds(1000);
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason
          == facts::Fact(facts::Code::ExitedEarly)
                 .with(facts::Field::Rank, 1)
                 .with(facts::Field::Seconds, 1.0)
                 .with(facts::Field::Ranks, "0,2"));
    const auto first = attempt.find(AttemptEventKind::FirstError);
    REQUIRE(first.has_value());
    CHECK((first->failure == FailureKind::EarlyExit));
    CHECK_MESSAGE(first->rank == -1, "nothing shows which of them stopped first");
}

TEST_CASE("a rank that hangs while another one completes is named, with its last output")
{
    AgentAttempt attempt({"sh", "-c", "echo \"epoch 8 $TOKEN\"; [ $RANK = 0 ] || exec sleep 1000"}, 2);
    attempt.spec.environment["TOKEN"] = "hunter2hunter2";
    attempt.spec.exitGrace = std::chrono::milliseconds(1000);
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason
          == facts::Fact(facts::Code::ExitedEarly)
                 .with(facts::Field::Rank, 0)
                 .with(facts::Field::Seconds, 1.0)
                 .with(facts::Field::Ranks, "1")
                 .with(facts::Field::Detail, "epoch 8 ***"));
    const auto first = attempt.find(AttemptEventKind::FirstError);
    REQUIRE(first.has_value());
    CHECK(first->rank == 1);
}

TEST_CASE("a rank that computes or prints after another has exited is not ended")
{
    SUBCASE("it computes")
    {
        AgentAttempt attempt({"sh", "-c",
                              "if [ $RANK = 0 ]; then exit 0; fi; "
                              "end=$(($(date +%s) + 4)); while [ $(date +%s) -lt $end ]; do :; done"},
                             2);
        attempt.spec.exitGrace = std::chrono::milliseconds(1500);
        CHECK(attempt.run().outcome == AttemptOutcome::Completed);
    }
    SUBCASE("it prints")
    {
        AgentAttempt attempt({"sh", "-c",
                              "if [ $RANK = 0 ]; then exit 0; fi; "
                              "for i in 1 2 3 4 5 6 7 8; do echo saving; sleep 1; done"},
                             2);
        attempt.spec.exitGrace = std::chrono::milliseconds(5000);
        CHECK(attempt.run().outcome == AttemptOutcome::Completed);
    }
}
