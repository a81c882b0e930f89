#include "device/gputopology.h"
#include "device/sources.h"
#include "schedule/allocator.h"

#include "clients/fakenvml/fakedriver.h"
#include "procfolder.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>
#include <set>

using namespace sweepscope;
using namespace sweepscope::device;
using namespace sweepscope::schedule;

namespace {

std::string gpu(int index)
{
    return "GPU-" + std::to_string(index);
}

std::vector<std::string> gpus(int count)
{
    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i)
        ids.push_back(gpu(i));
    return ids;
}

/// Pairs behind one switch each, four GPUs in a node: 0 1 | 2 3 || 4 5 | 6 7.
GpuTopology eightByPcie()
{
    GpuTopology topology;
    for (int a = 0; a < 8; ++a) {
        for (int b = a + 1; b < 8; ++b)
            topology.set(gpu(a), gpu(b),
                         {a / 2 == b / 2   ? GpuPath::Switch
                          : a / 4 == b / 4 ? GpuPath::Node
                                           : GpuPath::System,
                          0});
    }
    return topology;
}

/// Counts the pairs of each kind of path, from the worst on: a lexicographic minimum is best.
std::vector<int> pairsByPath(const GpuTopology &topology, const std::vector<std::string> &group)
{
    std::vector<int> counts(static_cast<std::size_t>(GpuPath::Unknown) + 1, 0);
    for (std::size_t a = 0; a < group.size(); ++a) {
        for (std::size_t b = a + 1; b < group.size(); ++b)
            ++counts[counts.size() - 1 - static_cast<std::size_t>(topology.between(group[a], group[b]).path)];
    }
    return counts;
}

}  // namespace

TEST_CASE("the best connected group is chosen, the first of equals")
{
    const GpuTopology topology = eightByPcie();
    CHECK(bestGroup(topology, {}, gpus(8), 2) == std::vector{gpu(0), gpu(1)});
    CHECK(bestGroup(topology, {}, {gpu(1), gpu(2), gpu(3), gpu(4)}, 2) == std::vector{gpu(2), gpu(3)});
    CHECK(bestGroup(topology, {}, {gpu(0), gpu(2), gpu(4), gpu(5), gpu(6), gpu(7)}, 4)
          == std::vector{gpu(4), gpu(5), gpu(6), gpu(7)});
    CHECK(bestGroup(topology, {gpu(5)}, {gpu(0), gpu(1), gpu(4)}, 1) == std::vector{gpu(4)});
    CHECK(bestGroup(topology, {}, {gpu(3)}, 4) == std::vector{gpu(3)});
    CHECK(bestGroup({}, {}, gpus(4), 2) == std::vector{gpu(0), gpu(1)});
    CHECK(bestGroup(topology, {}, gpus(8), 0).empty());
}

TEST_CASE("more NVLinks are better, and any NVLink is better than PCIe")
{
    GpuTopology topology = eightByPcie();
    topology.set(gpu(0), gpu(7), {GpuPath::NvLink, 2});
    CHECK(bestGroup(topology, {}, gpus(8), 2) == std::vector{gpu(0), gpu(7)});
    topology.set(gpu(3), gpu(4), {GpuPath::NvLink, 4});
    CHECK(bestGroup(topology, {}, gpus(8), 2) == std::vector{gpu(3), gpu(4)});
    CHECK(shortName(topology.between(gpu(4), gpu(3))) == "NV4");
    CHECK(shortName(topology.between(gpu(0), gpu(8))) == "?");
}

TEST_CASE("no pair and no four GPUs of a random machine are better connected than the chosen ones")
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        GpuTopology topology;
        for (int a = 0; a < 9; ++a) {
            for (int b = a + 1; b < 9; ++b)
                topology.set(gpu(a), gpu(b), {static_cast<GpuPath>(random() % 8), 1});
        }
        const std::vector<std::string> pair = bestGroup(topology, {}, gpus(9), 2);
        REQUIRE(pair.size() == 2);
        const std::vector<std::string> three = bestGroup(topology, {}, gpus(9), 3);
        REQUIRE(three.size() == 3);
        for (int a = 0; a < 9; ++a) {
            for (int b = a + 1; b < 9; ++b) {
                CHECK(pairsByPath(topology, pair) <= pairsByPath(topology, {gpu(a), gpu(b)}));
                for (int c = b + 1; c < 9; ++c)  // three pairs of one kind do not outweigh one of a worse kind
                    CHECK(pairsByPath(topology, three) <= pairsByPath(topology, {gpu(a), gpu(b), gpu(c)}));
            }
        }
    }
}

TEST_CASE("the search on a large irregular machine is bounded")
{
    std::mt19937 random(7);
    GpuTopology topology;
    for (int a = 0; a < 64; ++a) {
        for (int b = a + 1; b < 64; ++b)
            topology.set(gpu(a), gpu(b), {static_cast<GpuPath>(random() % 8), 1});
    }
    const std::vector<std::string> group = bestGroup(topology, {}, gpus(64), 32);
    CHECK(std::set<std::string>(group.begin(), group.end()).size() == 32);
}

TEST_CASE("the worst pair determines the quality of a group")
{
    using sweepscope::facts::Field;
    GpuTopology topology = eightByPcie();
    CHECK_FALSE(connectionOf(topology, {gpu(0)}));
    CHECK(connectionOf(topology, {gpu(0), gpu(1)}).text(Field::Path) == "switch");
    const auto three = connectionOf(topology, {gpu(0), gpu(1), gpu(0), gpu(4)});
    CHECK(three.text(Field::Path) == "system");
    CHECK(three.integer(Field::Count) == 3);
    CHECK(connectionOf({}, {gpu(0), gpu(1)}).text(Field::Path) == "unknown");
    topology.set(gpu(0), gpu(1), {GpuPath::NvLink, 18});
    CHECK(connectionOf(topology, {gpu(0), gpu(1)}).integer(Field::Links) == 18);
}

TEST_CASE("/sys contains the connections of PCI devices and the nearby CPUs")
{
    const ProcFolder root;
    const auto device = [&](const std::string &bus, const std::string &above, const std::string &node) {
        const std::string folder = "sys/devices/" + above + "/" + bus;
        root.write(folder + "/numa_node", node + "\n");
        root.write(folder + "/local_cpulist", "0-3\n");
        std::filesystem::create_directories(root.path / "sys/bus/pci/devices");
        std::filesystem::create_symlink(root.path / folder, root.path / "sys/bus/pci/devices" / bus);
    };
    const std::string firstSwitch = "pci0000:00/0000:00:01.0/0000:01:00.0";
    device("0000:03:00.0", firstSwitch + "/0000:02:00.0", "0");
    device("0000:04:00.0", firstSwitch + "/0000:02:01.0", "0");
    device("0000:07:00.0", firstSwitch + "/0000:02:02.0/0000:05:00.0/0000:06:00.0", "0");
    device("0000:09:00.0", "pci0000:00/0000:00:02.0", "0");
    device("0000:41:00.0", "pci0000:40/0000:40:01.0", "0");
    device("0000:81:00.0", "pci0000:80/0000:80:01.0", "1");
    device("0000:c1:00.0", "pci0000:c0/0000:c0:01.0", "-1");
    const auto path = [&](const std::string &other) {
        return shortName({pathInSysfs(root.path, "00000000:03:00.0", other), 0});
    };
    CHECK(path("00000000:04:00.0") == "PIX");
    CHECK(path("00000000:07:00.0") == "PXB");
    CHECK(path("00000000:09:00.0") == "PHB");
    CHECK(path("00000000:41:00.0") == "NODE");
    CHECK(path("00000000:81:00.0") == "SYS");
    CHECK(path("00000000:C1:00.0") == "?");
    CHECK(path("00000000:99:00.0") == "?");
    CHECK(path("") == "?");
    CHECK(path("../../etc") == "?");
    CHECK(cpusNearPciDevice(root.path, "00000000:03:00.0") == std::vector<int>{0, 1, 2, 3});
    CHECK(cpusNearPciDevice(root.path, "").empty());
}

TEST_CASE("a driver's NVLinks, switches, paths and CPUs are read, and missing ones are unknown")
{
    const std::string script = R"({"paths": [["GPU-a", "GPU-c", 20], ["GPU-b", "GPU-c", 50], ["GPU-a", "GPU-b", 10]],
      "gpus": [
      {"uuid": "GPU-a", "bus": "00000000:F1:00.0", "cpus": [0, 1, 64], "nvlinks": [1, 0, 1, 1],
       "nvlink_peers": ["GPU-b", "GPU-c", "GPU-b", "switch"]},
      {"uuid": "GPU-b", "bus": "00000000:F2:00.0", "nvlinks": [1, 1, 1], "nvlink_peers": ["GPU-a", "switch", "GPU-a"]},
      {"uuid": "GPU-c", "bus": "00000000:F3:00.0"}, {"uuid": "GPU-d", "bus": "00000000:F4:00.0"}]})";
    const FakeDriver driver(script);
    const auto source = makeNvmlSource();
    const std::vector<Device> devices = source->devices();
    REQUIRE(devices.size() == 4);
    const GpuTopology topology = source->topology();
    CHECK(topology.between("GPU-a", "GPU-b") == GpuLink{GpuPath::NvLink, 3});
    CHECK(topology.between("GPU-c", "GPU-a") == GpuLink{GpuPath::Switches, 0});
    CHECK(topology.between("GPU-b", "GPU-c") == GpuLink{GpuPath::System, 0});
    CHECK(topology.between("GPU-a", "GPU-d") == GpuLink());
    CHECK(devices.front().nearCpus == std::set<int>{0, 1, 64});
    CHECK(devices.back().nearCpus.empty());
}

TEST_CASE("without connections from the driver all groups are equal")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a"}, {"uuid": "GPU-b"}]})", "fakenvml-bare");
    const auto source = makeNvmlSource();
    REQUIRE(source->devices().size() == 2);
    CHECK(source->topology().isEmpty());
}

TEST_CASE("a trial gets the best connected free GPUs, empty ones first")
{
    std::vector<Device> devices;
    for (int i = 0; i < 8; ++i)
        devices.push_back({gpu(i), Kind::Gpu, i, "H200"});
    Allocator allocator(devices);
    allocator.setTopology(eightByPcie());
    Request two;
    two.ranks = 2;
    Request one;
    REQUIRE(allocator.allocate("1/1", one)->all() == std::vector{gpu(0)});
    const auto pair = allocator.allocate("1/2", two);
    REQUIRE(pair.has_value());
    CHECK(pair->all() == std::vector{gpu(2), gpu(3)});
    CHECK(pair->group.text(sweepscope::facts::Field::Path) == "switch");
    Request four;
    four.ranks = 4;
    const auto node = allocator.allocate("1/3", four);
    REQUIRE(node.has_value());
    CHECK(node->all() == std::vector{gpu(4), gpu(5), gpu(6), gpu(7)});
    allocator.release("1/2");
    CHECK(allocator.allocate("1/4", one)->all() == std::vector{gpu(1)});
}
