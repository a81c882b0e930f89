#include "syntheticrun.h"

#include <doctest/doctest.h>

using namespace sweepscope::diagnosis;

namespace {

/// 100 steps of 0.1 s on each rank; the last rank has `last` more or fewer.
SyntheticRun stoppedRun(int ranks, int last, double secondsSince)
{
    SyntheticRun run(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = 1; step <= 100 + (rank + 1 == ranks ? last : 0); ++step)
            run.add(rank, "loss", step, 0.1 * step, 1);
    }
    run.evidence().now = SyntheticRun::start + static_cast<std::int64_t>((10 + secondsSince) * SyntheticRun::second);
    return run;
}

}  // namespace

TEST_CASE("rank that is behind while no rank reports hangs")
{
    const auto findings = findingsOf(stoppedRun(3, -1, 32).report(), "hang");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 2);
    CHECK(findings[0].value == doctest::Approx(32).epsilon(0.01));
    CHECK(findings[0].threshold == doctest::Approx(30));
    CHECK(resultOf(stoppedRun(3, -1, 25).report(), "hang").verdict == Verdict::Clear);
    CHECK(findings[0].sentence.find("rank 2 is behind at step 99, the others at 100") != std::string::npos);
}

TEST_CASE("rank stopped by a signal is named even if all reached the same step")
{
    SyntheticRun run = stoppedRun(2, 0, 9);
    run.evidence().ranks[1].isStopped = true;
    const auto findings = findingsOf(run.report(), "hang");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 1);
}

TEST_CASE("rank that reports every tenth step is not considered behind immediately")
{
    SyntheticRun run(2);
    for (int step = 1; step <= 297; ++step) {
        run.add(0, "loss", step, 0.1 * step, 1);
        if (step % 10 == 0)
            run.add(1, "loss", step, 0.1 * step, 1);
    }
    run.evidence().now = SyntheticRun::start + 80 * SyntheticRun::second;
    CHECK(resultOf(run.report(), "hang").verdict == Verdict::Clear);
}

TEST_CASE("silence of all ranks may be an evaluation, until it lasts too long")
{
    CHECK(resultOf(stoppedRun(2, 0, 200).report(), "hang").verdict == Verdict::Clear);
    const auto findings = findingsOf(stoppedRun(2, 0, 310).report(), "hang");
    REQUIRE(findings.size() == 1);
    CHECK(!findings[0].rank);
}

TEST_CASE("earlier silence of the same length is normal")
{
    SyntheticRun run(2);
    for (int rank = 0; rank < 2; ++rank) {
        for (int step = 1; step <= 100; ++step)
            run.add(rank, "loss", step, 0.1 * step + (step > 50 ? 100 : 0), 1);
    }
    run.evidence().now = SyntheticRun::start + 440 * SyntheticRun::second;  // 330 s of silence, after 100 s of it
    CHECK(resultOf(run.report(), "hang").verdict == Verdict::Clear);
}

TEST_CASE("attempt that has ended, finished its steps or just started does not hang")
{
    SyntheticRun ended = stoppedRun(2, -1, 100);
    ended.evidence().now.reset();
    CHECK(resultOf(ended.report(), "hang").verdict == Verdict::Clear);

    SyntheticRun through = stoppedRun(2, 0, 100);
    for (int rank = 0; rank < 2; ++rank)
        through.add(rank, "total_steps", 0, 0, 100);
    CHECK(resultOf(through.report(), "hang").verdict == Verdict::Clear);

    SyntheticRun young(2);
    young.add(0, "loss", 1, 1, 1);
    young.evidence().now = SyntheticRun::start + 100 * SyntheticRun::second;
    CHECK(resultOf(young.report(), "hang").verdict == Verdict::NotEnoughData);
}

TEST_CASE("clock that is set back is not a hang")
{
    SyntheticRun run = stoppedRun(2, -1, -3600);
    CHECK(resultOf(run.report(), "hang").verdict == Verdict::Clear);
}

TEST_CASE("attempt ended by its agent for a hang has the agent's reason")
{
    SyntheticRun run = stoppedRun(2, 0, 0);
    run.evidence().now.reset();
    run.evidence().hang = HangEnd{SyntheticRun::start, 1, "hung: rank 1 is stopped by a signal"};
    const auto findings = findingsOf(run.report(), "hang");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 1);
    CHECK(findings[0].sentence == "hung: rank 1 is stopped by a signal");
}

TEST_CASE("collectives in which ranks wait are compared")
{
    const auto sentence = [](const std::vector<std::string> &places) {
        SyntheticRun run = stoppedRun(static_cast<int>(places.size()), 0, 310);
        for (std::size_t rank = 0; rank < places.size(); ++rank) {
            if (!places[rank].empty())
                run.evidence().ranks[rank].events.push_back(
                    {.kind = sweepscope::feed::EventKind::Message, .step = 100, .text = "waiting in " + places[rank]});
        }
        const auto findings = findingsOf(run.report(), "hang");
        REQUIRE(findings.size() == 1);
        return findings[0].sentence;
    };
    CHECK(sentence({"all-reduce 1205", "all-reduce 1205", "all-gather 1204"})
              .ends_with("; rank 2 is waiting in all-gather 1204, ranks 0 and 1 in all-reduce 1205"));
    CHECK(sentence({"all-reduce 1205", "all-reduce 1205", ""})
              .ends_with("; ranks 0 and 1 are waiting in all-reduce 1205, which rank 2 has not reached"));
    CHECK(sentence({"all-reduce 7", "all-reduce 7"}).find("waiting") == std::string::npos);
    CHECK(sentence({"", ""}).find("waiting") == std::string::npos);
}
