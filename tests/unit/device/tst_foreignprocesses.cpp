#include "device/foreignprocesses.h"
#include "procfolder.h"

#include <doctest/doctest.h>

using namespace sweepscope::device;

namespace {

DeviceProcess process(int pid, std::optional<std::uint64_t> bytes = 1'000'000'000)
{
    return {pid, "anna", "python3", bytes};
}

/// An agent (10), its rank (11), a loader of that (12), and another user's program (20).
struct Machine {
    Machine()
    {
        proc.writeStat({10, 1});
        proc.writeStat({11, 10});
        proc.writeStat({12, 11});
        proc.writeStat({20, 1});
    }
    std::optional<double> count(const std::vector<DeviceProcess> &processes, bool isHeld = true) const
    {
        return foreignCount(processes, {10, 77}, isHeld, proc.path.string());
    }
    ProcFolder proc;
};

}  // namespace

TEST_CASE("processes that do not descend from one of our agents are foreign, however little memory they use")
{
    const Machine machine;
    CHECK(machine.count({}) == 0.0);
    CHECK(machine.count({process(11), process(12)}) == 0.0);
    CHECK(machine.count({process(11), process(20, 1), process(20, std::nullopt)}) == 2.0);
    CHECK_MESSAGE(machine.count({process(4711)}) == 0.0, "it has ended since the driver told of it");
    DeviceProcess desktop = process(20);
    desktop.computes = false;
    CHECK(machine.count({desktop}) == 0.0);
}

TEST_CASE("foreign use of a GPU is unknown if an invisible process may be ours")
{
    const Machine machine;
    DeviceProcess stranger = process(4711);
    stranger.user.reset();
    CHECK_FALSE(machine.count({stranger, process(11)}).has_value());
    CHECK_MESSAGE(machine.count({stranger, process(20)}) == 1.0, "one is certain");
    CHECK_MESSAGE(machine.count({stranger}, false) == 1.0, "none of ours is there");
}

TEST_CASE("the user of a GPU is the one with the most memory")
{
    const auto nobody = [](const DeviceProcess &one) { return one.pid == 11; };
    CHECK_FALSE(foreignUse({process(11)}, nobody).largest.has_value());
    const ForeignUse use = foreignUse({process(11), process(20, 5ULL << 30), process(21, 1ULL << 30)}, nobody);
    REQUIRE(use.largest.has_value());
    CHECK(use.largest->pid == 20);
    CHECK(use.count == 2);
    CHECK(use.bytes == 6ULL << 30);
}
