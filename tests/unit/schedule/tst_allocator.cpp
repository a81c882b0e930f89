#include "schedule/allocator.h"

#include "schedule/leasefolder.h"
#include "wording/sentence.h"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::device;
using namespace sweepscope::schedule;

namespace {

std::string words(const Refusal &refusal)
{
    return wording::clause(refusal.reason);
}

std::vector<Device> machine(int gpus, int cores)
{
    std::vector<Device> devices;
    for (int i = 0; i < gpus; ++i)
        devices.push_back({"GPU-" + std::to_string(i), Kind::Gpu, i, "test", 0, false});
    for (int i = 0; i < cores; ++i)
        devices.push_back({"cpu:" + std::to_string(i), Kind::Cpu, i, "test", 0, false});
    return devices;
}

Request request(int ranks, int perRank, sweep::DeviceKind kind, int cpuSlots = 0)
{
    Request r;
    r.ranks = ranks;
    r.perRank = perRank;
    r.kind = kind;
    r.cpuSlots = cpuSlots;
    return r;
}

/// Two workspaces on one machine.
struct TwoEngines {
    TwoEngines() = default;
    ~TwoEngines() { std::filesystem::remove_all(folder); }
    TwoEngines(const TwoEngines &) = delete;
    TwoEngines &operator=(const TwoEngines &) = delete;

    Request slots(int ranks, int cpuSlots, TrialName trial) const
    {
        Request wanted = request(ranks, 1, sweep::DeviceKind::Cpu, cpuSlots);
        wanted.trial = std::move(trial);
        return wanted;
    }

    static std::filesystem::path newFolder()
    {
        std::string name = "/tmp/sweepscope-slots-XXXXXX";
        return ::mkdtemp(name.data());
    }

    std::filesystem::path folder = newFolder();
    LeaseFolder annas{folder / "leases", "/anna"};
    LeaseFolder bens{folder / "leases", "/ben"};
};

}  // namespace

TEST_CASE("auto uses GPUs if there are any, otherwise CPU slots")
{
    Allocator withGpus(machine(2, 4));
    CHECK(withGpus.allocate("a", request(2, 1, sweep::DeviceKind::Auto))->perRank
          == std::vector<std::vector<std::string>>{{"GPU-0"}, {"GPU-1"}});
    Allocator without(machine(0, 4));
    CHECK(without.allocate("a", request(2, 1, sweep::DeviceKind::Auto))->perRank
          == std::vector<std::vector<std::string>>{{"cpu:0"}, {"cpu:1"}});
}

TEST_CASE("each rank gets separate devices")
{
    Allocator allocator(machine(4, 1));
    const auto allocation = allocator.allocate("a", request(2, 2, sweep::DeviceKind::Gpu));
    REQUIRE(allocation.has_value());
    CHECK(allocation->perRank == std::vector<std::vector<std::string>>{{"GPU-0", "GPU-1"}, {"GPU-2", "GPU-3"}});
    CHECK(allocation->all() == std::vector<std::string>{"GPU-0", "GPU-1", "GPU-2", "GPU-3"});
}

TEST_CASE("a GPU belongs to one holder until it is released")
{
    Allocator allocator(machine(2, 1));
    REQUIRE(allocator.allocate("a", request(1, 1, sweep::DeviceKind::Gpu)).has_value());
    REQUIRE(allocator.allocate("b", request(1, 1, sweep::DeviceKind::Gpu))->all() == std::vector<std::string>{"GPU-1"});
    const auto waiting = allocator.allocate("c", request(2, 1, sweep::DeviceKind::Gpu));
    REQUIRE_FALSE(waiting.has_value());
    CHECK(waiting.error().code == ErrorCode::Unavailable);
    CHECK(words(waiting.error()) == "waits for 2 GPUs: 2 are in use");

    allocator.release("a");
    CHECK(allocator.allocate("d", request(1, 1, sweep::DeviceKind::Gpu))->all() == std::vector<std::string>{"GPU-0"});
}

TEST_CASE("a refused request allocates nothing")
{
    Allocator allocator(machine(0, 4));
    REQUIRE(allocator.allocate("a", request(3, 1, sweep::DeviceKind::Cpu)).has_value());
    const auto waiting = allocator.allocate("b", request(2, 1, sweep::DeviceKind::Cpu));
    REQUIRE_FALSE(waiting.has_value());
    CHECK(waiting.error().reason
          == facts::Fact(facts::Code::WaitingForDevices)
                 .with(facts::Field::Kind, std::string("cpu"))
                 .with(facts::Field::Needed, 2)
                 .with(facts::Field::Limit, 4)
                 .with(facts::Field::Free, 1)
                 .dueTo(facts::Fact(facts::Code::DevicesInUse).with(facts::Field::Count, 3)));
    CHECK(words(waiting.error()) == "waits for 2 of 4 CPU slots: 3 are in use");
    CHECK(allocator.allocate("c", request(1, 1, sweep::DeviceKind::Cpu)).has_value());

    // Another sweep may use more slots than this one may.
    const auto fewer = allocator.allocate("d", request(1, 1, sweep::DeviceKind::Cpu, 2));
    REQUIRE_FALSE(fewer.has_value());
    CHECK(words(fewer.error()) == "waits for 1 of 2 CPU slots: 2 are in use");
}

TEST_CASE("CPU slots of other workspaces influence which cores a trial gets, but it does not wait for them")
{
    TwoEngines both;
    Allocator anna(machine(0, 4), &both.annas);
    Allocator ben(machine(0, 4), &both.bens);
    REQUIRE(anna.allocate("1/1", both.slots(3, 0, {"digits", 1})).has_value());
    CHECK(ben.allocate("1/1", both.slots(1, 1, {"lm", 1}))->all() == std::vector<std::string>{"cpu:3"});
    CHECK_MESSAGE(ben.allocate("1/2", both.slots(2, 0, {"lm", 2})).has_value(), "as many as there are cores");
    const auto waiting = ben.allocate("1/3", both.slots(2, 0, {"lm", 3}));
    REQUIRE_FALSE(waiting.has_value());
    CHECK(waiting.error().code == ErrorCode::Unavailable);
    CHECK(words(waiting.error()) == "waits for 2 of 4 CPU slots: 3 are in use");
    ben.release("1/2");
    anna.release("1/1");
    CHECK(ben.allocate("1/3", both.slots(2, 0, {"lm", 3}))->all() == std::vector<std::string>{"cpu:0", "cpu:1"});
}

TEST_CASE("a GPU with space for only some ranks names what the others wait for, also with leases")
{
    constexpr std::uint64_t gib = 1024ULL * 1024 * 1024;
    TwoEngines both;
    std::vector<Device> devices = machine(1, 1);
    devices.front().memoryBytes = 80 * gib;
    Allocator allocator(devices, &both.annas);
    GpuState state;
    state.foreign = facts::Fact(facts::Code::GpuUsed).with(facts::Field::Pid, 4711);
    state.foreignBytes = 50 * gib;
    allocator.setStates({{"GPU-0", state}});
    Request two = request(2, 1, sweep::DeviceKind::Gpu);
    two.gpus.perGpu = 4;
    two.gpus.ranksShare = true;
    two.gpus.memoryBytes = 20 * gib;
    two.gpus.foreign = sweep::ForeignPolicy::Share;
    const auto waiting = allocator.allocate("a", two);
    REQUIRE_FALSE(waiting.has_value());
    CHECK(words(waiting.error())
          == "waits for 2 of 4 places on 1 GPU: GPU 0 has 30 GiB of memory left, and each rank needs 20 GiB");
}

TEST_CASE("a trial that waits for CPU slots does not block another workspace's trials")
{
    TwoEngines both;
    LeaseFolder cleos{both.folder / "leases", "/cleo"};
    Allocator anna(machine(0, 2), &both.annas);
    Allocator ben(machine(0, 2), &both.bens);
    Allocator cleo(machine(0, 2), &cleos);
    REQUIRE(anna.allocate("1/1", both.slots(1, 0, {"digits", 1})).has_value());
    REQUIRE(ben.allocate("1/1", both.slots(1, 1, {"lm", 1})).has_value());
    const Request atItsLimit = both.slots(1, 1, {"lm", 2});
    REQUIRE_FALSE(ben.allocate("1/2", atItsLimit).has_value());
    CHECK(cleo.allocate("1/1", both.slots(2, 0, {"shell", 1})).has_value());
    CHECK(anna.allocate("1/2", both.slots(1, 0, {"digits", 2})).has_value());
}

TEST_CASE("a trial on CPUs starts as soon as no other engine is allocating")
{
    TwoEngines both;
    Allocator anna(machine(0, 2), &both.annas);
    auto taking = both.bens.begin();
    REQUIRE(taking.has_value());
    const auto waiting = anna.allocate("1/1", both.slots(1, 0, {"digits", 1}));
    REQUIRE_FALSE(waiting.has_value());
    CHECK(waiting.error().code == ErrorCode::Unavailable);
    taking->reset();
    CHECK(anna.allocate("1/1", both.slots(1, 0, {"digits", 1})).has_value());
}

TEST_CASE("if engines cannot coordinate, trials on CPUs start anyway")
{
    LeaseFolder nowhere("/proc/sweepscope/leases", "/anna");
    Allocator allocator(machine(0, 2), &nowhere);
    CHECK(allocator.allocate("1/1", request(2, 1, sweep::DeviceKind::Cpu)).has_value());
}

TEST_CASE("a request that this machine can never satisfy is bad input, and names the change")
{
    Allocator allocator(machine(2, 2));
    const auto gpus = allocator.allocate("a", request(3, 1, sweep::DeviceKind::Gpu));
    REQUIRE_FALSE(gpus.has_value());
    CHECK(gpus.error().code == ErrorCode::BadInput);
    CHECK(words(gpus.error()).find("needs 3 GPUs (3 ranks with 1 each), but this machine has 2") == 0);
    CHECK(words(gpus.error()).find("run.ranks") != std::string::npos);

    const auto slots = allocator.allocate("a", request(3, 1, sweep::DeviceKind::Cpu));
    REQUIRE_FALSE(slots.has_value());
    CHECK(slots.error().code == ErrorCode::BadInput);
    CHECK(words(slots.error()).find("there are 2 (one per core)") != std::string::npos);
    CHECK(words(slots.error()).find("devices.cpu_slots") != std::string::npos);

    Allocator none(machine(0, 1));
    const auto noGpu = none.allocate("a", request(1, 1, sweep::DeviceKind::Gpu));
    REQUIRE_FALSE(noGpu.has_value());
    CHECK(words(noGpu.error()).find("this machine has none") != std::string::npos);
    CHECK(allocator.allocate("a", request(0, 1, sweep::DeviceKind::Cpu)).error().code == ErrorCode::BadInput);
}

TEST_CASE("more slots than cores are assigned round-robin")
{
    Allocator allocator(machine(0, 2));
    CHECK(allocator.allocate("a", request(3, 1, sweep::DeviceKind::Cpu, 4))->all()
          == std::vector<std::string>{"cpu:0", "cpu:1", "cpu:0"});
    CHECK(allocator.allocate("b", request(1, 1, sweep::DeviceKind::Cpu, 4))->all()
          == std::vector<std::string>{"cpu:1"});
    CHECK(words(allocator.allocate("c", request(1, 1, sweep::DeviceKind::Cpu, 4)).error())
          == "waits for 1 of 4 CPU slots: 4 are in use");
    CHECK(allocator.holders("cpu:0") == std::vector<std::string>{"a", "a"});
    CHECK(allocator.holders("cpu:1") == std::vector<std::string>{"a", "b"});
}

TEST_CASE("devices of an adopted attempt are not reallocated, and its holders are sorted")
{
    Allocator allocator(machine(1, 2));
    allocator.adopt("zebra", {"GPU-0", "cpu:1"});
    allocator.adopt("ant", {"cpu:1"});
    CHECK_FALSE(allocator.allocate("a", request(1, 1, sweep::DeviceKind::Gpu)).has_value());
    CHECK(allocator.holders("cpu:1") == std::vector<std::string>{"zebra", "ant"});
    allocator.release("zebra");
    CHECK(allocator.allocate("a", request(1, 1, sweep::DeviceKind::Gpu)).has_value());
}

TEST_CASE("a holder gets devices once")
{
    Allocator allocator(machine(2, 2));
    REQUIRE(allocator.allocate("a", request(1, 1, sweep::DeviceKind::Gpu)).has_value());
    CHECK(allocator.allocate("a", request(1, 1, sweep::DeviceKind::Gpu)).error().code == ErrorCode::AlreadyExists);
}

TEST_CASE("over many arrivals and departures limits hold, allocations are all or nothing, and reasons are true")
{
    std::mt19937 random(20261120);
    const auto upTo = [&](int n) { return std::uniform_int_distribution<int>(1, n)(random); };
    for (int round = 0; round < 50; ++round) {
        const int gpus = upTo(9) - 1;
        const int cores = upTo(8);
        const int slots = upTo(16);
        Allocator allocator(machine(gpus, cores));
        std::map<std::string, Allocation> running;
        for (int step = 0; step < 400; ++step) {
            if (upTo(3) == 1 && !running.empty()) {
                auto leaving = running.begin();
                std::advance(leaving, upTo(static_cast<int>(running.size())) - 1);
                allocator.release(leaving->first);
                running.erase(leaving);
                continue;
            }
            const auto kind = upTo(2) == 1 ? sweep::DeviceKind::Gpu : sweep::DeviceKind::Cpu;
            const Request wanted = request(upTo(5), upTo(3), kind, slots);
            int gpusInUse = 0;
            int slotsInUse = 0;
            for (const auto &[holder, allocation] : running) {
                for (const auto &id : allocation.all())
                    ++(id.rfind("GPU-", 0) == 0 ? gpusInUse : slotsInUse);
            }
            const bool gpu = kind == sweep::DeviceKind::Gpu;
            const int needed = wanted.ranks * wanted.perRank;
            const int limit = gpu ? gpus : slots;
            const int inUse = gpu ? gpusInUse : slotsInUse;

            const std::string holder = "attempt-" + std::to_string(step);
            const auto allocation = allocator.allocate(holder, wanted);
            REQUIRE(allocation.has_value() == (needed <= limit - inUse));
            if (!allocation) {
                REQUIRE(allocation.error().code == (needed > limit ? ErrorCode::BadInput : ErrorCode::Unavailable));
                if (needed <= limit)
                    REQUIRE(allocation.error().reason.because
                            == facts::Facts{facts::Fact(facts::Code::DevicesInUse).with(facts::Field::Count, inUse)});
                continue;
            }
            REQUIRE(allocation->perRank.size() == static_cast<std::size_t>(wanted.ranks));
            for (const auto &rank : allocation->perRank)
                REQUIRE(rank.size() == static_cast<std::size_t>(wanted.perRank));
            running[holder] = *allocation;

            std::set<std::string> taken;
            for (const auto &[other, held] : running) {
                for (const auto &id : held.all()) {
                    if (id.rfind("GPU-", 0) == 0)
                        REQUIRE(taken.insert(id).second);
                }
            }
        }
        // The load stays even: after all have been released, a full allocation gets the same number on each core, plus
        // or minus one.
        for (const auto &[holder, allocation] : running)
            allocator.release(holder);
        REQUIRE(allocator.allocate("full", request(slots, 1, sweep::DeviceKind::Cpu, slots)).has_value());
        std::size_t least = 1000, most = 0;
        for (int core = 0; core < cores; ++core) {
            const std::size_t users = allocator.holders("cpu:" + std::to_string(core)).size();
            least = std::min(least, users);
            most = std::max(most, users);
        }
        REQUIRE(most - least <= 1);
    }
}
