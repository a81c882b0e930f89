// The built-in worker under the real agent: a rank that hangs.
#include "agentattempt.h"

#include <csignal>
#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

TEST_CASE("a stopped rank of the built-in worker hangs the others, and the cause names it")
{
    AgentAttempt attempt({SWEEPSCOPE_BIN_DIR "/sweepscope-worker", "--seed", "1", "--backend", "gloo", "--set",
                          "epochs=100000", "--set", "peer_timeout=0"},
                         2);
    attempt.spec.hangFactor = 5;
    attempt.spec.hangAfter = std::chrono::seconds(3);
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 1));
    // This much telemetry means that it is in the middle of its training.
    REQUIRE(waitUntil([&] {
        std::error_code error;
        return std::filesystem::file_size(attempt.layout.rankFeed(1), error) > 100'000 && !error;
    }));
    REQUIRE(signalProcess({attempt.find(AttemptEventKind::RankStarted, 1)->pid,
                           attempt.find(AttemptEventKind::RankStarted, 1)->startTime},
                          SIGSTOP)
                .has_value());
    REQUIRE(attempt.waitFor(AttemptEventKind::FirstError));
    const auto ended = attempt.waitForEnd();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason.code == facts::Code::Hung);
    const facts::Fact stopped = facts::Fact(facts::Code::RanksStopped).with(facts::Field::Ranks, "1");
    CHECK(std::count(ended.reason.because.begin(), ended.reason.because.end(), stopped) == 1);
    CHECK((attempt.find(AttemptEventKind::FirstError)->failure == FailureKind::Hang));
}
