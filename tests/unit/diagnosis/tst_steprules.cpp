#include "syntheticrun.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace sweepscope::diagnosis;

namespace {

/// 25 ms of compute, give or take 8%.
double evenly(int rank, int step)
{
    return 0.025 * (1 + 0.08 * noise(rank, step));
}

}  // namespace

TEST_CASE("rank that computes 20 percent longer is named with window, value and threshold")
{
    SyntheticRun run(4);
    run.train(800, [](int rank, int step) { return evenly(rank, step) * (rank == 2 ? 1.2 : 1.0); });
    const Report report = run.report();
    CHECK(foundIn(report) == "straggler");
    const auto findings = findingsOf(report, "straggler");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 2);
    CHECK(findings[0].trial == 7);
    CHECK(findings[0].attempt == 2);
    CHECK(findings[0].value == doctest::Approx(1.2).epsilon(0.03));
    CHECK(findings[0].threshold == doctest::Approx(1.15));
    CHECK(findings[0].window.fromStep.value() <= 10);
    CHECK(findings[0].window.toStep.value() == 800);
    CHECK(findings[0].window.to > findings[0].window.from);
    CHECK(!findings[0].hint.empty());
    CHECK(!findings[0].thresholdSource.empty());
}

TEST_CASE("slowdown of the last ten seconds is found after minutes without one")
{
    constexpr int well = 4000;  // of 25 ms: 100 s
    SyntheticRun slow(2);
    slow.train(well + 334,
               [](int rank, int step) { return evenly(rank, step) * (rank == 1 && step >= well ? 1.2 : 1); });
    slow.evidence().now = slow.evidence().ranks[0].lastTime();
    CHECK(foundIn(slow.report()) == "straggler");
    CHECK(findingsOf(slow.report(), "straggler").front().rank == 1);

    SyntheticRun starved(2);
    starved.train(well + 182, evenly, [](int rank, int step) { return rank == 1 && step >= well ? 0.030 : 0.0; });
    starved.evidence().now = starved.evidence().ranks[0].lastTime();
    CHECK(foundIn(starved.report()) == "data-wait");
    CHECK(findingsOf(starved.report(), "data-wait").front().rank == 1);
}

TEST_CASE("rank that becomes slow and recovers is found with these steps")
{
    SyntheticRun run(2);
    run.train(3000, [](int rank, int step) { return evenly(rank, step) * (rank == 1 && step / 1000 == 1 ? 1.5 : 1); });
    const auto findings = findingsOf(run.report(), "straggler");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 1);
    CHECK(std::abs(*findings[0].window.fromStep - 1000) < 80);
    CHECK(std::abs(*findings[0].window.toStep - 2000) < 80);
}

TEST_CASE("equally fast ranks are not stragglers, whatever single steps take")
{
    SyntheticRun run(4);
    run.train(1000, [](int rank, int step) { return evenly(rank, step) + (rank == step % 97 ? 0.2 : 0); });
    CHECK(foundIn(run.report()).empty());
    CHECK(resultOf(run.report(), "straggler").verdict == Verdict::Clear);
}

TEST_CASE("rank whose longer compute delays no other rank is not a straggler")
{
    SyntheticRun run(2);
    run.train(
        1000, [](int rank, int) { return rank == 1 ? 0.0015 : 0.001; },
        [](int, int) { return 0.040; });  // all wait for data
    CHECK(resultOf(run.report(), "straggler").verdict == Verdict::Clear);
}

TEST_CASE("clocks that are an hour apart do not hide the straggler")
{
    SyntheticRun run(2);
    for (int step = 1; step <= 1000; ++step) {
        for (int rank = 0; rank < 2; ++rank) {
            const double time = step * 0.03 + rank * 3600;
            run.add(rank, "compute_time", step, time, rank == 1 ? 0.028 : 0.020);
            run.add(rank, "comm_wait", step, time, rank == 1 ? 0.001 : 0.009);
            run.add(rank, "step_time", step, time, 0.03);
        }
    }
    const auto findings = findingsOf(run.report(), "straggler");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 1);
}

TEST_CASE("without enough data the step rules name what is missing")
{
    SyntheticRun one(1);
    one.train(1000, evenly);
    CHECK(resultOf(one.report(), "straggler").verdict == Verdict::NotApplicable);
    CHECK(resultOf(one.report(), "data-wait").verdict == Verdict::Clear);

    SyntheticRun none(2);
    CHECK(resultOf(none.report(), "straggler").missing == "rank 0 reports no compute_time");

    SyntheticRun sample(2);
    sample.train(1, evenly);
    CHECK(resultOf(sample.report(), "straggler").missing == "rank 0 reports only its first steps");

    SyntheticRun brief(2);
    brief.train(100, evenly);
    CHECK(resultOf(brief.report(), "straggler").missing == "less than 8 s of steps was reported");

    SyntheticRun apart(2);  // a rank that ended before the other one started
    for (int step = 1; step <= 100; ++step) {
        apart.add(0, "compute_time", step, step, 1);
        apart.add(1, "compute_time", step + 1000, step, 1);
    }
    CHECK(resultOf(apart.report(), "straggler").missing == "no step was reported by all ranks");
}

TEST_CASE("values that are not numbers are ignored")
{
    SyntheticRun run(2);
    run.train(1000, [](int rank, int step) {
        return rank == 1 && step % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : evenly(rank, step);
    });
    CHECK(resultOf(run.report(), "straggler").verdict == Verdict::Clear);

    SyntheticRun all(2);
    all.train(1000, [](int, int) { return std::numeric_limits<double>::quiet_NaN(); });
    CHECK(resultOf(all.report(), "straggler").verdict != Verdict::Found);
}

TEST_CASE("slow loader on one rank names it, on all ranks it is one finding")
{
    SyntheticRun one(4);
    one.train(400, evenly, [](int rank, int) { return rank == 3 ? 0.030 : 0.0002; });
    CHECK(foundIn(one.report()) == "data-wait");
    auto findings = findingsOf(one.report(), "data-wait");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 3);
    CHECK(findings[0].value == doctest::Approx(100 * 0.030 / 0.057).epsilon(0.05));

    SyntheticRun all(4);
    all.train(400, evenly, [](int rank, int) { return rank == 2 ? 0.031 : 0.030; });
    findings = findingsOf(all.report(), "data-wait");
    REQUIRE(findings.size() == 1);
    CHECK(!findings[0].rank);
    CHECK(findings[0].sentence.find("all ranks wait up to 5") == 0);
    CHECK(findings[0].sentence.ends_with(", rank 2 the longest"));
}

TEST_CASE("loader that is slow once per epoch is not a finding")
{
    SyntheticRun run(2);
    run.train(2000, evenly, [](int, int step) { return step % 100 == 0 ? 0.1 : 0.0002; });
    CHECK(resultOf(run.report(), "data-wait").verdict == Verdict::Clear);
}

TEST_CASE("steps repeated by a resumed rank do not confuse the windows")
{
    SyntheticRun run(2);
    for (int from : {0, 300}) {
        for (int step = from + 1; step <= from + 600; ++step) {
            for (int rank = 0; rank < 2; ++rank) {
                const double time = (step + from) * 0.03;
                run.add(rank, "compute_time", step, time, rank == 1 ? 0.028 : 0.020);
                run.add(rank, "comm_wait", step, time, rank == 1 ? 0.001 : 0.009);
                run.add(rank, "step_time", step, time, 0.03);
            }
        }
    }
    const auto findings = findingsOf(run.report(), "straggler");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 1);
}
