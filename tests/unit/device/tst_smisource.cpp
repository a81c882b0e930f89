#include "device/smioutput.h"
#include "device/smisource.h"

#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <thread>
#include <unistd.h>

using namespace sweepscope::device;

namespace {

/// The machine that tests/clients/fakesmi plays.
class FakeSmi {
public:
    explicit FakeSmi(const char *words = "")
    {
        ::setenv("FAKE_SMI", words, 1);
        source.emplace(std::string(SWEEPSCOPE_SOURCE_DIR) + "/tests/clients/fakesmi/nvidia-smi");
    }
    ~FakeSmi() { ::unsetenv("FAKE_SMI"); }
    FakeSmi(const FakeSmi &) = delete;
    FakeSmi &operator=(const FakeSmi &) = delete;

    /// Samples until there is a reading of this many devices, for at most five seconds. The readings of a second may come in
    /// two samples.
    std::vector<DeviceReading> sample(std::size_t devices)
    {
        std::map<std::string, Reading> newest;
        for (int tries = 0; tries < 500 && newest.size() < devices; ++tries) {
            for (DeviceReading &reading : source->sample())
                newest[reading.deviceId] = std::move(reading.reading);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        std::vector<DeviceReading> readings;
        for (auto &[id, reading] : newest)
            readings.push_back({id, std::move(reading)});
        return readings;
    }

    std::optional<SmiSource> source;
};

std::vector<std::string> all(std::span<const char *const> fields)
{
    return {fields.begin(), fields.end()};
}

}  // namespace

TEST_CASE("nvidia-smi shows devices, their links and the driver")
{
    FakeSmi smi;
    const std::vector<Device> devices = smi.source->devices();
    REQUIRE(devices.size() == 2);
    CHECK(devices[1].id == "GPU-22222222-aaaa-bbbb-cccc-000000000001");
    CHECK(devices[1].index == 1);
    CHECK(devices[1].name == "NVIDIA H100 80GB HBM3");
    CHECK(devices[1].memoryBytes == std::uint64_t{81559} << 20U);
    CHECK(devices[1].pciBusId == "00000000:2B:00.0");
    CHECK(devices[1].pcieGeneration == 5);
    CHECK(devices[1].pcieLanes == 16);
    CHECK(devices[1].offered);
    CHECK(devices[1].simulated);
    CHECK(smi.source->topology().between(devices[0].id, devices[1].id) == GpuLink{GpuPath::NvLink, 18});
    CHECK(smi.source->driver() == "driver 550.54.15");
    CHECK(smi.source->note().empty());
}

TEST_CASE("nvidia-smi tells readings and users")
{
    FakeSmi smi;
    const std::vector<Device> devices = smi.source->devices();
    std::vector<DeviceReading> readings = smi.sample(2);
    REQUIRE(readings.size() == 2);
    const Reading &reading = readings[0].reading;
    CHECK(readings[0].deviceId == devices[0].id);
    CHECK(reading.utilizationPercent == 37);
    CHECK(reading.memoryUsedBytes == 1024.0 * 1024 * 1024);
    CHECK(reading.powerWatt == 118.25);
    CHECK(reading.powerLimitWatt == 700);
    CHECK(reading.throttleReasons == 4);
    CHECK(reading.eccCorrected == 0);
    CHECK_FALSE(reading.eccUncorrected);  // not available is not 0
    CHECK(reading.simulated == 1);
    for (int tries = 0; tries < 50 && readings.size() == 2 && readings[0].reading.processes->empty(); ++tries)
        readings = smi.sample(2);
    REQUIRE(readings.size() == 2);
    REQUIRE(readings[0].reading.processes->size() == 1);
    CHECK(readings[0].reading.processes->front().pid == ::getpid());
    CHECK(readings[0].reading.processes->front().memoryBytes == std::uint64_t{900} << 20U);
    CHECK(readings[0].reading.processCount == 1);
    CHECK(readings[1].reading.processCount == 0);
}

TEST_CASE("fields that a driver does not know are left out")
{
    FakeSmi smi("old");
    REQUIRE(smi.source->devices().size() == 2);
    const std::vector<DeviceReading> readings = smi.sample(2);
    REQUIRE(readings.size() == 2);
    CHECK(readings[0].reading.throttleReasons == 4);
    CHECK_FALSE(readings[0].reading.memoryReservedBytes);
    CHECK(readings[0].reading.memoryUsedBytes.has_value());
}

TEST_CASE("a GPU that is split offers its instances")
{
    FakeSmi smi("mig");
    const std::vector<Device> devices = smi.source->devices();
    REQUIRE(devices.size() == 3);
    CHECK(devices[0].offered);
    CHECK_FALSE(devices[1].offered);
    CHECK(devices[2].id == "MIG-33333333-aaaa-bbbb-cccc-000000000002");
    CHECK(devices[2].parentId == devices[1].id);
    CHECK(devices[2].name == "MIG 3g.40gb");
}

TEST_CASE("without GPUs or driver there is a reason")
{
    FakeSmi smi("none");
    CHECK(smi.source->devices().empty());
    CHECK(smi.source->note() == "nvidia-smi shows no GPU: No devices were found");
    CHECK(smi.source->sample().empty());
    SmiSource none("/nowhere/nvidia-smi");
    CHECK(none.devices().empty());
    CHECK(none.note() == "no NVIDIA driver is installed (nvidia-smi was not found)");
}

TEST_CASE("damaged output is no device and no reading")
{
    const std::vector<std::string> fields = all(smi::deviceFields());
    for (const char *line :
         {"", ",", "0, GPU-1", "a, b, c, d, e, f, g, h", "\xff, \xff", "0, GPU-1, x, 1, 2, 3, 4, 5, 6"})
        CHECK_FALSE(smi::deviceIn(line, fields));
    const auto odd = smi::deviceIn("1e9, GPU-1, x, -5, nan, inf, 0x, [N/A]", fields);
    REQUIRE(odd);
    CHECK(odd->memoryBytes == 0);
    CHECK(odd->pcieGeneration == 0);
    CHECK(odd->index == 1'000'000);
    CHECK_FALSE(smi::processIn("GPU-1, -3, 5"));
    CHECK_FALSE(smi::processIn("GPU-1, 1e20, 5"));
    CHECK(smi::topologyIn({"\tGPU0\tGPU9\x1b[", "GPU0\tX\tNV4", "GPU7 SYS SYS"}, {"a", "b"}).isEmpty());
    CHECK(smi::unknownField("Field \"").empty());
    CHECK(smi::instancesIn({"MIG (UUID:", "  MIG 1g.5gb Device 0: (UUID: MIG-1"}).empty());
}
