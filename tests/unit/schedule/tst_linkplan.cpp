#include "schedule/linkplan.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::device;
using namespace sweepscope::schedule;

namespace {

std::vector<Device> machineOf(int count)
{
    std::vector<Device> devices;
    for (int i = 0; i < count; ++i) {
        Device device{"GPU-" + std::to_string(i), Kind::Gpu, i, "NVIDIA H100 80GB HBM3", 80'000};
        device.pcieGeneration = 5;
        device.pcieLanes = 16;
        devices.push_back(device);
    }
    devices.push_back({"cpu:0", Kind::Cpu, 0, "CPU"});
    devices.push_back({"MIG-0", Kind::Gpu, 0, "MIG", 10'000, false, "", "GPU-0"});
    return devices;
}

}  // namespace

TEST_CASE("linksAreNamedWithTheirPromise")
{
    GpuTopology topology;
    topology.set("GPU-1", "GPU-2", {GpuPath::NvLink, 18});
    topology.set("GPU-1", "GPU-3", {GpuPath::System, 0});
    const auto test = plannedLinkTest({{"GPU-1"}, {"GPU-2", "GPU-0"}, {"GPU-3"}}, machineOf(4), topology);
    REQUIRE(test);
    REQUIRE(test->gpus.size() == 3);
    CHECK(test->gpus[1].name == "GPU 2");
    REQUIRE(test->pairs.size() == 3);
    CHECK(test->pairs[0].link == "NVLink (18 links)");
    CHECK(*test->pairs[0].bandwidth == doctest::Approx(450e9));
    CHECK(test->pairs[1].link == "PCIe 5 x16 (SYS)");
    CHECK(*test->pairs[1].bandwidth == doctest::Approx(63e9).epsilon(0.001));
    CHECK(test->pairs[2].link == "PCIe 5 x16");
    CHECK(!test->pairs[2].bandwidth);
    CHECK(!test->isMeasured());
}

TEST_CASE("ranksWithoutGpusOfTheirOwnHaveNoLinks")
{
    const auto has = [](const std::vector<std::vector<std::string>> &perRank) {
        return plannedLinkTest(perRank, machineOf(2), {}).has_value();
    };
    CHECK(has({{"GPU-0"}, {"GPU-1"}}));
    CHECK(!has({{"GPU-0"}}));
    CHECK(!has({{"GPU-0"}, {"GPU-0"}}));
    CHECK(!has({{"GPU-0"}, {"cpu:0"}}));
    CHECK(!has({{"GPU-1"}, {"MIG-0"}}));
    CHECK(!has({{}, {}}));
}
