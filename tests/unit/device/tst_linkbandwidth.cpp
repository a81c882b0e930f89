#include "device/linkbandwidth.h"

#include <doctest/doctest.h>

using namespace sweepscope::device;

namespace {

Device gpu(const std::string &name, int generation = 0, int lanes = 0)
{
    Device device;
    device.kind = Kind::Gpu;
    device.name = name;
    device.pcieGeneration = generation;
    device.pcieLanes = lanes;
    return device;
}

}  // namespace

TEST_CASE("nvlinkPromisesWhatTheWhitePapersSay")
{
    const auto gigabytes = [](const char *name, int links) {
        return *bandwidthOf({GpuPath::NvLink, links}, gpu(name), gpu(name)) / 1e9;
    };
    CHECK(gigabytes("Tesla P100-SXM2-16GB", 4) == doctest::Approx(80));
    CHECK(gigabytes("Tesla V100-SXM2-32GB", 6) == doctest::Approx(150));
    CHECK(gigabytes("NVIDIA A100-SXM4-80GB", 12) == doctest::Approx(300));
    CHECK(gigabytes("NVIDIA H100 80GB HBM3", 18) == doctest::Approx(450));
    CHECK(gigabytes("NVIDIA H200", 18) == doctest::Approx(450));
    CHECK(gigabytes("NVIDIA B200", 18) == doctest::Approx(900));
    CHECK(gigabytes("NVIDIA GB200", 18) == doctest::Approx(900));
}

TEST_CASE("pcieLosesItsLineCode")
{
    CHECK(*pcieBandwidth(1, 16) / 1e9 == doctest::Approx(4));
    CHECK(*pcieBandwidth(2, 16) / 1e9 == doctest::Approx(8));
    CHECK(*pcieBandwidth(3, 16) / 1e9 == doctest::Approx(15.75).epsilon(0.001));
    CHECK(*pcieBandwidth(4, 16) / 1e9 == doctest::Approx(31.5).epsilon(0.001));
    CHECK(*pcieBandwidth(5, 8) / 1e9 == doctest::Approx(31.5).epsilon(0.001));
    CHECK(*pcieBandwidth(6, 16) / 1e9 == doctest::Approx(121).epsilon(0.001));
    CHECK(!pcieBandwidth(0, 16));
    CHECK(!pcieBandwidth(7, 16));
    CHECK(!pcieBandwidth(4, 0));
}

TEST_CASE("slowerGpuDecides")
{
    const GpuLink pcie{GpuPath::HostBridge, 0};
    CHECK(*bandwidthOf(pcie, gpu("A", 5, 16), gpu("B", 3, 16)) == *pcieBandwidth(3, 16));
    CHECK(!bandwidthOf(pcie, gpu("A", 5, 16), gpu("B")));
    CHECK(!bandwidthOf({}, gpu("A", 5, 16), gpu("B", 5, 16)));
}
