#include "schedule/allocator.h"
#include "schedule/packing.h"
#include "schedule/scheduler.h"
#include "wording/sentence.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::schedule;

namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;
constexpr WallNs second = 1'000'000'000;

device::Device gpuOf(int index, std::uint64_t memory)
{
    return {"GPU-" + std::to_string(index), device::Kind::Gpu, index, "NVIDIA H100", memory};
}

Request requestOf(GpuWishes wishes)
{
    Request request;
    request.kind = sweep::DeviceKind::Gpu;
    request.gpus = std::move(wishes);
    request.gpus.isPacked = true;
    request.concurrent = 64;
    return request;
}

/// Returns how many trials of one rank with this peak share an empty GPU.
int trialsOn(std::uint64_t memory, std::uint64_t peak, GpuWishes wishes = {})
{
    Allocator allocator({gpuOf(0, memory)});
    int started = 0;
    while (started < 40 && allocator.allocate(std::to_string(started), requestOf(packedWishes(wishes, peak))))
        ++started;
    return started;
}

PackingSample measured(std::optional<double> alone, std::optional<double> shared = {}, double trials = 2)
{
    return {gibibyte, alone, shared, trials};
}

}  // namespace

TEST_CASE("as many trials share a GPU as fit in 90% of its memory by the measured peak")
{
    CHECK(trialsOn(100 * gibibyte, 10 * gibibyte) == 9);
    CHECK(trialsOn(100 * gibibyte, 45 * gibibyte) == 2);
    CHECK(trialsOn(100 * gibibyte, 46 * gibibyte) == 1);
    CHECK(trialsOn(100 * gibibyte, 99 * gibibyte) == 1);
    CHECK(trialsOn(100 * gibibyte, 101 * gibibyte) == 1);  // it ran there
    CHECK(trialsOn(10 * gibibyte, 1) == 18);               // no process needs less than its context
    CHECK(trialsOn(0, gibibyte) == 1);                     // of unknown memory
    GpuWishes wishes;
    wishes.memoryBytes = 50 * gibibyte;
    CHECK(trialsOn(100 * gibibyte, 10 * gibibyte, wishes) == 2);
}

TEST_CASE("a trial of unknown memory has its GPU alone until it is measured, and others may join it then")
{
    Allocator allocator({gpuOf(0, 80 * gibibyte)});
    REQUIRE(allocator.allocate("1", requestOf(unpackedWishes({}))));
    const Request next = requestOf(packedWishes({}, 20 * gibibyte));
    CHECK(wording::clause(allocator.allocate("2", next).error().reason) == "waits for 1 GPU: 1 is in use");
    allocator.setWishes("1", packedWishes({}, 20 * gibibyte));
    CHECK(allocator.allocate("2", next));
    CHECK(allocator.trialsOn("GPU-0") == 2);
    CHECK(!allocator.allocate("3", requestOf(unpackedWishes({}))));
    // A larger peak counts for those that run, too.
    for (const char *holder : {"1", "2"})
        allocator.setWishes(holder, packedWishes({}, 30 * gibibyte));
    CHECK(wording::clause(allocator.allocate("3", requestOf(packedWishes({}, 30 * gibibyte))).error().reason)
          == "waits for 1 GPU: GPU 0 has 13 GiB of memory left, and each rank needs 33 GiB");
}

TEST_CASE("what is measured changes no trial's number of cores")
{
    device::CpuTopology cpus;
    for (int cpu = 0; cpu < 16; ++cpu)
        cpus.cores.push_back({{cpu}, 0});
    const auto coresOf = [&](const GpuWishes &wishes) {
        Allocator allocator({gpuOf(0, 80 * gibibyte), gpuOf(1, 80 * gibibyte)}, nullptr, cpus);
        Request request = requestOf(wishes);
        request.concurrent = 8;
        return allocator.allocate("1", request)->cpu.threads;
    };
    CHECK(coresOf(unpackedWishes({})) == 2);
    CHECK(coresOf(packedWishes({}, gibibyte)) == 2);
}

TEST_CASE("a sweep with per_gpu = \"auto\" begins with a trial on each GPU, and never puts ranks of one trial together")
{
    sweep::SweepSpec spec;
    spec.devices.perGpu = 0;
    spec.run.backend = "gloo";
    const GpuWishes wishes = wishesOf(spec);
    CHECK(wishes.isPacked);
    CHECK(wishes.perGpu == 1);
    CHECK(wishes.measuredBytes == 0);
    CHECK(!wishes.ranksShare);
    Allocator allocator({gpuOf(0, 80 * gibibyte)});
    Request pair = requestOf(packedWishes(wishes, gibibyte));
    pair.ranks = 2;
    CHECK(allocator.allocate("1", pair).error().code == ErrorCode::BadInput);
}

TEST_CASE("steps count from one report to the next while the number of trials on the GPU stays the same")
{
    PackingMeter meter;
    meter.noteStep(std::nullopt, 0, 1);
    meter.noteStep(10, 100 * second, 1);
    for (int i = 1; i <= 40; ++i)
        meter.noteStep(10 + i / 10 * 20, (100 + i) * second, 1);
    CHECK(meter.sample().alone == 2.0);  // 80 steps in 40 s
    CHECK(!meter.sample().shared);
    CHECK(!meter.hasShared());

    meter.noteStep(90, 145 * second, 3);
    meter.noteStep(500, 150 * second, 3);  // partly alone
    meter.noteStep(530, 180 * second, 3);
    CHECK(meter.hasShared());
    CHECK(meter.sample().alone == 2.0);
    CHECK(meter.sample().shared == 1.0);
    CHECK(meter.sample().trials == 3.0);

    meter.interrupt();  // a pause
    meter.noteStep(530, 1000 * second, 3);
    meter.noteStep(560, 1030 * second, 3);
    CHECK(meter.sample().shared == 1.0);
    CHECK(!meter.isSettled());
    meter.noteStep(1060, 1530 * second, 3);
    CHECK(meter.isSettled());
}

TEST_CASE("a short time gives no throughput, and a restarted count of steps none at all")
{
    PackingMeter meter;
    meter.noteStep(100, 0, 1);
    CHECK(!meter.hasTrained());
    meter.noteStep(1, 20 * second, 1);
    CHECK(!meter.hasTrained());
    meter.noteStep(20, 40 * second, 1);
    CHECK(meter.hasTrained());
    CHECK(!meter.sample().alone);
    meter.noteMemory(5);
    meter.noteMemory(3);
    CHECK(meter.sample().peakBytes == 5);
}

TEST_CASE("sharing pays if the trials of a GPU together are a tenth faster than one alone")
{
    CHECK(!sharingGain({}));
    CHECK(!sharingGain({measured(10), measured({}, 6), measured({}, 6)}));
    CHECK(!sharingGain({measured({}, 6), measured({}, 6), measured({}, 6)}));
    // Medians: one trial with a large batch decides nothing.
    const auto gain = sharingGain({measured(10), measured(11), measured(2), measured({}, 6), measured({}, 8, 3),
                                   measured({}, 0.1), measured({}, 6)});
    REQUIRE(gain);
    CHECK(gain->factor == doctest::Approx(1.2));
    CHECK(gain->trials == 2);
}

TEST_CASE("sharing that does not pay ends, and more measurements of single trials may correct that at first")
{
    PackingRecord record;
    record.add(measured(10));
    for (int i = 0; i < 3; ++i)
        record.add(measured({}, 5.25));
    CHECK(wording::sentence(record.verdict())
          == "Sharing does not pay: 2 trials on one GPU made 105% of the steps per second of one alone");
    record.add(measured(8));  // the first had a small batch
    CHECK(!record.verdict());
    record.add(measured(12));
    record.add(measured(10));
    CHECK(record.verdict());
    for (int i = 0; i < 9; ++i)
        record.add(measured(1));
    CHECK(record.verdict());
    CHECK(record.peakBytes() == gibibyte);
}

TEST_CASE("a sample is stored as a fact")
{
    const PackingSample sample{3 * gibibyte, 12.5, 8.25, 2.5};
    const facts::Fact fact = factOf(sample);
    CHECK(wording::clause(fact)
          == "each rank used up to 3 GiB of GPU memory; 12.5 steps/s alone on its GPUs; 8.25 steps/s with 2.5 trials "
             "on its GPU");
    const PackingSample again = sampleOf(*facts::fromJson(facts::toJson(fact)));
    CHECK(again.peakBytes == sample.peakBytes);
    CHECK(again.alone == sample.alone);
    CHECK(again.shared == sample.shared);
    CHECK(again.trials == sample.trials);
    CHECK(!sampleOf(factOf({gibibyte, {}, {}, 1})).alone);
    CHECK(sampleOf(facts::Fact(facts::Code::SharingMeasured)).peakBytes == 0);
}
