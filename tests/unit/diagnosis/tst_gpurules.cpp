#include "syntheticrun.h"

#include <doctest/doctest.h>

using namespace sweepscope::diagnosis;

namespace {

/// A healthy GPU.
void healthy(int, int, GpuRow &row)
{
    row.utilization = 97;
    row.memory = 60e9;
    row.memoryTotal = 140e9;
    row.smClock = 1900;
    row.smClockMax = 1980;
    row.throttleReasons = 0x4;  // its power limit: usual under load
    row.pcieGeneration = row.pcieGenerationMax = 5;
    row.pcieWidth = row.pcieWidthMax = 16;
    row.smActivity = 80;
    row.dramActivity = 50;
    row.foreignProcesses = 0;
}

template <typename Change>
SyntheticRun gpuRun(Change change)
{
    SyntheticRun run(2);
    run.train(4000, [](int, int) { return 0.02; });
    for (int step = 1; step <= 88; ++step) {
        for (int rank = 0; rank < 2; ++rank)
            run.add(rank, "loss", step, step, 1.0 / step + 0.001 * rank);
    }
    run.addGpus(90, [&change](int rank, int second, GpuRow &row) {
        healthy(rank, second, row);
        change(rank, second, row);
    });
    return run;
}

}  // namespace

TEST_CASE("healthy GPUs have no finding, and each rule had data")
{
    const SyntheticRun run = gpuRun([](int, int, GpuRow &) {});
    const Report report = run.report();
    CHECK(foundIn(report).empty());
    for (const char *rule : {"thermal-throttle", "power-brake", "clock-mismatch", "low-utilization", "hollow-gpu",
                             "memory-limit", "pcie-link", "foreign-process"})
        CHECK_MESSAGE(resultOf(report, rule).verdict == Verdict::Clear, rule);
}

TEST_CASE("GPU rules name rank and device")
{
    struct Case {
        const char *rule;
        void (*change)(GpuRow &);
        double value;
    };
    const std::vector<Case> cases{
        {"thermal-throttle", [](GpuRow &row) { row.throttleReasons = 0x20; }, 100},
        {"thermal-throttle", [](GpuRow &row) { row.throttleReasons = 0x44; }, 100},
        {"power-brake", [](GpuRow &row) { row.throttleReasons = 0x80; }, 100},
        {"power-brake", [](GpuRow &row) { row.throttleReasons = 0x8; }, 100},
        {"clock-mismatch", [](GpuRow &row) { row.smClock = 1500; }, 1500.0 / 1900},
        {"hollow-gpu",
         [](GpuRow &row) {
             row.smActivity = 12;
             row.dramActivity = 9;
         },
         12},
        {"low-utilization",
         [](GpuRow &row) {
             row.utilization = 31;
             row.memory = 9e9;
         },
         31},
        {"memory-limit", [](GpuRow &row) { row.memory = 137e9; }, 100 * 137.0 / 140},
        {"pcie-link", [](GpuRow &row) { row.pcieWidth = 4; }, 4},
        {"pcie-link", [](GpuRow &row) { row.pcieGeneration = 1; }, 1},
        {"foreign-process", [](GpuRow &row) { row.foreignProcesses = 2; }, 2},
    };
    for (const Case &one : cases) {
        CAPTURE(one.rule);
        const SyntheticRun run = gpuRun([&one](int rank, int, GpuRow &row) {
            if (rank == 1)
                one.change(row);
        });
        const Report report = run.report();
        CHECK(foundIn(report) == one.rule);
        const auto findings = findingsOf(report, one.rule);
        REQUIRE(findings.size() == 1);
        CHECK(findings[0].rank == 1);
        CHECK(findings[0].device == "GPU-1");
        CHECK(findings[0].value == doctest::Approx(one.value));
        CHECK(!findings[0].simulated);
    }
}

TEST_CASE("readings of an idle GPU are not a finding")
{
    const SyntheticRun run = gpuRun([](int rank, int second, GpuRow &row) {
        if (rank == 1 && second % 3 == 0) {  // between epochs
            row.utilization = 0;
            row.smClock = 210;
            row.pcieGeneration = 1;
            row.throttleReasons = 0x21;
            row.smActivity = 0;
            row.dramActivity = 0;
        }
    });
    CHECK(foundIn(run.report()).empty());
}

TEST_CASE("few readings and unknown fields are insufficient, and nothing is found in them")
{
    SyntheticRun none(2);
    none.addGpus(0, {});
    SyntheticRun one(2);
    one.addGpus(1, [](int, int, GpuRow &row) { row.utilization = 99; });
    SyntheticRun unknown(2);
    unknown.addGpus(90, [](int, int, GpuRow &row) { row.utilization = 99; });
    for (const SyntheticRun *run : {&none, &one, &unknown}) {
        const Report report = run->report();
        CHECK(foundIn(report).empty());
        for (const char *rule : {"thermal-throttle", "power-brake", "clock-mismatch", "low-utilization", "hollow-gpu",
                                 "memory-limit", "pcie-link", "foreign-process", "monitor-cost"}) {
            CHECK_MESSAGE(resultOf(report, rule).verdict == Verdict::NotEnoughData, rule);
            CHECK_MESSAGE(!resultOf(report, rule).missing.empty(), rule);
        }
    }
}

TEST_CASE("GPUs of different kinds are not compared")
{
    const SyntheticRun run = gpuRun([](int rank, int, GpuRow &row) {
        if (rank == 1) {
            row.smClock = 1300;
            row.smClockMax = 1400;
        }
    });
    CHECK(resultOf(run.report(), "clock-mismatch").verdict == Verdict::NotEnoughData);
}

TEST_CASE("idle GPU that waits for data gets no advice to use larger batches")
{
    SyntheticRun run(1);
    run.train(
        2000, [](int, int) { return 0.01; }, [](int, int) { return 0.03; });
    for (int step = 1; step <= 80; ++step)
        run.add(0, "loss", step, step, 1);
    run.addGpus(80, [](int rank, int second, GpuRow &row) {
        healthy(rank, second, row);
        row.utilization = 25;
        row.memory = 9e9;
    });
    CHECK(foundIn(run.report()) == "data-wait");
}

TEST_CASE("asynchronous hosts do not reveal the slow rank")
{
    SyntheticRun run(2);
    for (int step = 1; step <= 1000; ++step) {
        for (int rank = 0; rank < 2; ++rank) {
            run.add(rank, "compute_time", step, step * 0.03, 0.0299);
            run.add(rank, "comm_wait", step, step * 0.03, 0.0001);
            run.add(rank, "step_time", step, step * 0.03, 0.03);
        }
    }
    CHECK(resultOf(run.report(), "straggler").verdict == Verdict::Clear);
    run.addGpus(30, healthy);
    CHECK(resultOf(run.report(), "straggler").verdict == Verdict::NotEnoughData);
}

TEST_CASE("findings from a fake driver are marked")
{
    SyntheticRun run = gpuRun([](int, int, GpuRow &row) { row.memory = 139e9; });
    for (GpuEvidence &gpu : run.evidence().gpus)
        gpu.simulated = true;
    for (const Finding &finding : run.report().findings)
        CHECK(finding.simulated);
    CHECK(findingsOf(run.report(), "memory-limit").size() == 2);
}

TEST_CASE("monitoring that takes more than 5 percent of a core is reported")
{
    SyntheticRun run(1);
    for (int i = 0; i < 40; ++i)
        run.evidence().monitor.push_back({SyntheticRun::start + i * SyntheticRun::second, i == 3 ? 90 : 0.6});
    CHECK(resultOf(run.report(), "monitor-cost").verdict == Verdict::Clear);
    for (MonitorRow &row : run.evidence().monitor)
        row.cpuPercent = 8;
    CHECK(findingsOf(run.report(), "monitor-cost").size() == 1);
}

TEST_CASE("links that were tested before the trial are judged")
{
    SyntheticRun run = gpuRun([](int, int, GpuRow &) {});
    CHECK(resultOf(run.report(), "slow-link").verdict == Verdict::NotEnoughData);
    sweepscope::sweep::LinkTest test;
    test.gpus = {{"GPU-0", "GPU 0"}, {"GPU-1", "GPU 1"}};
    test.pairs = {{0, 1, "NVLink (18 links)", 450e9, std::nullopt}};
    run.evidence().links = test;
    CHECK(resultOf(run.report(), "slow-link").missing == "the test of the links has no result yet");
    test.reason = "rank 0: this LibTorch has no NCCL";
    run.evidence().links = test;
    CHECK(resultOf(run.report(), "slow-link").missing == test.reason);
    test.reason.clear();
    test.backend = "nccl";
    test.pairs[0].seconds = static_cast<double>(test.bytes) / 200e9;
    run.evidence().links = test;
    CHECK(resultOf(run.report(), "slow-link").verdict == Verdict::Clear);
    test.pairs[0].seconds = static_cast<double>(test.bytes) / 3e9;
    run.evidence().links = test;
    const std::vector<Finding> slow = findingsOf(run.report(), "slow-link");
    REQUIRE(slow.size() == 1);
    CHECK(slow[0].severity == Severity::Warning);
    CHECK(slow[0].sentence
          == "the link between GPU 0 and GPU 1 is slow: 3 GB/s, and NVLink (18 links) promises 450 GB/s");
    CHECK(slow[0].threshold == doctest::Approx(90));
    test.pairs[0].seconds.reset();
    test.broken = {0, 1};
    test.reason = "no answer within 30 s";
    run.evidence().links = test;
    const std::vector<Finding> broken = findingsOf(run.report(), "slow-link");
    REQUIRE(broken.size() == 1);
    CHECK(broken[0].severity == Severity::Problem);
}
