#include "schedule/allocator.h"
#include "sweep/gpunames.h"
#include "wording/sentence.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::device;
using namespace sweepscope::schedule;
using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

constexpr std::uint64_t gib = 1024ULL * 1024 * 1024;

std::vector<Device> gpus(int count, std::uint64_t memory = 80 * gib)
{
    std::vector<Device> devices;
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        devices.push_back({"GPU-" + number + number + "cafe", Kind::Gpu, i, i % 2 == 0 ? "NVIDIA H200" : "NVIDIA A100",
                           memory, false, "00000000:" + number + "B:00.0"});
    }
    return devices;
}

Request request(int ranks, GpuWishes wishes = {})
{
    Request r;
    r.ranks = ranks;
    r.kind = sweep::DeviceKind::Gpu;
    r.gpus = std::move(wishes);
    return r;
}

std::vector<std::string> assigned(Allocator &allocator, const char *holder, const Request &wanted)
{
    const auto allocation = allocator.allocate(holder, wanted);
    return allocation ? allocation->all() : std::vector<std::string>{wording::clause(allocation.error().reason)};
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("GPUs are selected by index, UUID or its prefix, bus id, or a part of the name")
{
    const sweep::GpuIdentity gpu{1, "GPU-11cafe", "00000000:1B:00.0", "NVIDIA A100"};
    for (const char *name : {"1", "GPU-11cafe", "gpu-11", "00000000:1B:00.0", "1b:00.0", "A100", "nvidia a100"})
        CHECK_MESSAGE(sweep::namesGpu(name, gpu), name);
    for (const char *name : {"0", "11", "GPU-", "GPU-00", "3B:00.0", "H200", ""})
        CHECK_MESSAGE(!sweep::namesGpu(name, gpu), name);
}

TEST_CASE("only pinned GPUs and no excluded ones are used, and both are named if they leave too few")
{
    Allocator allocator(gpus(4));
    GpuWishes wishes;
    wishes.pin = {"3", "H200"};
    wishes.exclude = {"0"};
    CHECK(assigned(allocator, "a", request(2, wishes)) == Ids{"GPU-22cafe", "GPU-33cafe"});
    CHECK(assigned(allocator, "b", request(1, wishes))
          == Ids{"waits for 1 of 2 GPUs: 2 are in use; GPU 0 is excluded; 1 is not pinned"});
    const auto never = allocator.allocate("c", request(3, wishes));
    REQUIRE_FALSE(never.has_value());
    CHECK(never.error().code == ErrorCode::BadInput);
    CHECK(wording::clause(never.error().reason).find("devices.pin and devices.exclude leave 2 of the 4 GPUs")
          != std::string::npos);
}

TEST_CASE("a trial that avoids a foreign process names it, and one that shares uses such a GPU last")
{
    Allocator allocator(gpus(2));
    allocator.setStates({{"GPU-00cafe",
                          {{},
                           {},
                           false,
                           usedBy({1, 61 * gib, device::DeviceProcess{4711, "ben", "python3", 61 * gib, true}}),
                           61 * gib}}});
    CHECK(assigned(allocator, "a", request(2))
          == Ids{"waits for 2 GPUs: GPU 0 is used by python3, pid 4711 of ben, 61 GiB"});
    CHECK(allocator.allocate("a", request(2)).error().obstacles
          == std::map<std::string, Obstacle>{{"GPU-00cafe", Obstacle::Foreign}});
    CHECK_FALSE(allocator.allocate("a", request(2)).error().endsWithOurs);

    GpuWishes share;
    share.foreign = sweep::ForeignPolicy::Share;
    CHECK(assigned(allocator, "a", request(1, share)) == Ids{"GPU-11cafe"});
    share.memoryBytes = 30 * gib;
    CHECK(assigned(allocator, "b", request(1, share))
          == Ids{"waits for 1 of 2 GPUs: 1 is in use; GPU 0 has 19 GiB of memory left, and each rank needs "
                 "30 GiB"});
    share.memoryBytes = 10 * gib;
    CHECK(assigned(allocator, "b", request(1, share)) == Ids{"GPU-00cafe"});
    allocator.release("b");
    GpuWishes ignore;
    ignore.foreign = sweep::ForeignPolicy::Ignore;
    CHECK(assigned(allocator, "c", request(1, ignore)) == Ids{"GPU-00cafe"});
}

TEST_CASE("a lost or undrained GPU is not allocated, with the reason")
{
    Allocator allocator(gpus(2));
    allocator.setStates(
        {{"GPU-00cafe", {Code::GpuLost, {}, false, {}, 0}},
         {"GPU-11cafe",
          {{}, Fact(Code::GpuDraining).with(Field::Bytes, static_cast<std::int64_t>(9 * gib)), true, {}, 0}}});
    const auto waiting = allocator.allocate("a", request(1));
    REQUIRE_FALSE(waiting.has_value());
    const facts::Facts &causes = waiting.error().reason.because;
    REQUIRE(causes.size() == 2);
    CHECK(causes[0].code == Code::GpuLost);
    CHECK(causes[0].integer(Field::Index) == 0);
    CHECK(causes[1].code == Code::GpuDraining);
    CHECK(causes[1].integer(Field::Bytes) == static_cast<std::int64_t>(9 * gib));
    CHECK(waiting.error().endsWithOurs);
    GpuWishes share;
    share.foreign = sweep::ForeignPolicy::Share;
    CHECK(assigned(allocator, "a", request(1, share)) == Ids{"GPU-11cafe"});
    allocator.setStates({});
    CHECK(assigned(allocator, "b", request(1)) == Ids{"GPU-00cafe"});
}

TEST_CASE("a waiting trial names the GPUs that its lists exclude")
{
    Allocator allocator(gpus(8));
    for (int i = 0; i < 8; ++i)
        allocator.adopt("held " + std::to_string(i), {gpus(8)[static_cast<std::size_t>(i)].id});
    GpuWishes wishes;
    wishes.exclude = {"0"};
    CHECK(assigned(allocator, "a", request(1, wishes))
          == Ids{"waits for 1 of 7 GPUs: 7 are in use; GPU 0 is excluded"});
    wishes.exclude = {"0", "1", "5"};
    CHECK(assigned(allocator, "b", request(1, wishes))
          == Ids{"waits for 1 of 5 GPUs: 5 are in use; GPU 0, GPU 1 and GPU 5 are excluded"});
    wishes.pin = {"0", "2", "3"};
    CHECK(assigned(allocator, "c", request(1, wishes))
          == Ids{"waits for 1 of 2 GPUs: 2 are in use; GPU 0, GPU 1 and GPU 5 are excluded; 3 are not pinned"});
    wishes.pin = {"7"};
    wishes.exclude = {};
    CHECK(assigned(allocator, "d", request(1, wishes)) == Ids{"waits for 1 GPU: 1 is in use; 7 are not pinned"});
    wishes.pin = {};
    wishes.exclude = {"H200", "1"};
    CHECK(assigned(allocator, "e", request(1, wishes))
          == Ids{"waits for 1 of 3 GPUs: 3 are in use; 5 others are excluded"});
}

TEST_CASE("trials share a GPU only within every trial's limit, and its memory is never promised twice")
{
    Allocator allocator(gpus(1));
    GpuWishes three;
    three.perGpu = 3;
    three.memoryBytes = 30 * gib;
    CHECK(assigned(allocator, "a", request(1, three)) == Ids{"GPU-00cafe"});
    CHECK(assigned(allocator, "alone", request(1)) == Ids{"waits for 1 GPU: 1 is in use"});
    CHECK(assigned(allocator, "b", request(1, three)) == Ids{"GPU-00cafe"});
    CHECK(assigned(allocator, "c", request(1, three))
          == Ids{"waits for 1 GPU: GPU 0 has 20 GiB of memory left, and each rank needs 30 GiB"});
    allocator.release("a");
    CHECK(assigned(allocator, "c", request(1, three)) == Ids{"GPU-00cafe"});
}

TEST_CASE("without a budget each place on a GPU has an equal share of the memory")
{
    Allocator allocator(gpus(1));
    GpuWishes four;
    four.perGpu = 4;
    GpuWishes greedy;
    greedy.perGpu = 4;
    greedy.memoryBytes = 50 * gib;
    CHECK(assigned(allocator, "a", request(1, four)) == Ids{"GPU-00cafe"});
    CHECK(assigned(allocator, "b", request(1, four)) == Ids{"GPU-00cafe"});
    CHECK(assigned(allocator, "c", request(1, greedy))
          == Ids{"waits for 1 GPU: GPU 0 has 40 GiB of memory left, and each rank needs 50 GiB"});
}

TEST_CASE("trials spread over GPUs before they share one")
{
    Allocator allocator(gpus(2));
    GpuWishes two;
    two.perGpu = 2;
    CHECK(assigned(allocator, "a", request(1, two)) == Ids{"GPU-00cafe"});
    CHECK(assigned(allocator, "b", request(1, two)) == Ids{"GPU-11cafe"});
    CHECK(assigned(allocator, "c", request(1, two)) == Ids{"GPU-00cafe"});
}

TEST_CASE("ranks of one trial share a GPU only if allowed")
{
    Allocator allocator(gpus(1));
    GpuWishes two;
    two.perGpu = 2;
    CHECK(allocator.allocate("a", request(2, two)).error().code == ErrorCode::BadInput);
    two.ranksShare = true;
    CHECK(assigned(allocator, "a", request(2, two)) == Ids{"GPU-00cafe", "GPU-00cafe"});
    CHECK(allocator.holders("GPU-00cafe") == Ids{"a", "a"});
}

TEST_CASE("a GPU that is too small is never allocated, and the budget is named")
{
    Allocator allocator(gpus(2, 16 * gib));
    GpuWishes large;
    large.memoryBytes = 20 * gib;
    const auto never = allocator.allocate("a", request(1, large));
    REQUIRE_FALSE(never.has_value());
    CHECK(never.error().code == ErrorCode::BadInput);
    CHECK(wording::clause(never.error().reason).find("20 GiB of memory (devices.memory)") != std::string::npos);
}

TEST_CASE("devices reserved for an earlier trial are not allocated")
{
    Allocator allocator(gpus(2));
    Request later = request(1);
    const Fact older = Fact(Code::BehindOlderSweep).with(Field::Sweep, std::string("a"));
    const Fact higher = Fact(Code::BehindPriority).with(Field::Sweep, std::string("b"));
    later.reserved = {{"GPU-00cafe", older}, {"GPU-11cafe", higher}};
    CHECK(assigned(allocator, "b", later)
          == Ids{"waits for 1 of 2 GPUs: GPU 0 is kept for the sweep a, which is older and waits for devices; GPU 1 is "
                 "kept for the sweep b, which has a higher priority and waits for devices"});
    later.reserved.erase("GPU-11cafe");
    CHECK(assigned(allocator, "b", later) == Ids{"GPU-11cafe"});
}

TEST_CASE("a GPU that appears later is allocated like the others")
{
    Allocator allocator({});
    CHECK_FALSE(allocator.hasGpus());
    allocator.add(gpus(1)[0]);
    CHECK(assigned(allocator, "a", request(1)) == Ids{"GPU-00cafe"});
}
