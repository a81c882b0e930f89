// Finding and reading GPUs through NVML.
#include "nvmltesting.h"

#include <chrono>
#include <doctest/doctest.h>
#include <string>
#include <unistd.h>

using namespace sweepscope::device;
using namespace sweepscope::tests;
using namespace std::chrono_literals;

namespace {

/// The two GPUs of the fake driver without a script, on a possibly busy machine.
std::unique_ptr<Source> defaultSource()
{
    NvmlSettings settings;
    settings.library = fakeLibrary;
    settings.openLimit = settings.callLimit = 60s;
    return makeNvmlSource(settings);
}

/// All values of a current GPU.
const std::string fullGpu = R"({"uuid": "GPU-a", "name": "Fake H200", "bus": "00000000:3B:00.0",
  "memory": 151397597184, "utilization": 80, "memory_utilization": 30, "memory_used": 65000000000,
  "memory_reserved": 700000000, "temperature": 64, "power": 612, "power_limit": 700, "energy": 8123456.789, "sm_clock": 1755,
  "sm_clock_max": 1980, "memory_clock": 3200, "memory_clock_max": 3201, "throttle_reasons": 68,
  "pcie_generation": 4, "pcie_generation_max": 5, "pcie_width": 8, "pcie_width_max": 16, "pcie_tx": 1e9,
  "pcie_rx": 2e9, "nvlink_tx": 3e9, "nvlink_rx": 4e9, "nvlinks": [1, 1, 0], "ecc_corrected": 3, "ecc_uncorrected": 0,
  "sm_activity": 71.5, "dram_activity": 40, "processes": [{"pid": 4000001, "memory": 1073741824}]})";

}  // namespace

TEST_CASE("the GPUs of an overriding library are found and marked simulated")
{
    const Variable use("SWEEPSCOPE_NVML", fakeLibrary);
    const auto source = makeNvmlSource();
    const auto devices = source->devices();
    REQUIRE(devices.size() == 2);
    CHECK(source->note().empty());
    CHECK(devices[0].id == "GPU-00000000-1111-2222-3333-444444444444");
    CHECK(devices[1].id == "GPU-55555555-6666-7777-8888-999999999999");
    CHECK(devices[1].index == 1);
    CHECK(devices[1].kind == Kind::Gpu);
    CHECK(devices[1].name == "Fake H200");
    CHECK(devices[1].memoryBytes == std::uint64_t{141} << 30);
    CHECK(devices[1].pciBusId == "00000000:3B:00.0");
    CHECK(devices[1].simulated);
    CHECK(contains(source->driver(), "simulated"));
    const auto patient = defaultSource();
    REQUIRE(patient->devices().size() == 2);
    CHECK(readingsOf(*patient)[devices[0].id].simulated == 1.0);
}

TEST_CASE("readings follow the GPU")
{
    const auto source = defaultSource();
    REQUIRE(source->devices().size() == 2);
    double lowest = 101, highest = -1;
    for (int i = 0; i < 20; ++i) {
        const auto readings = source->sample();
        REQUIRE(readings.size() == 2);
        const auto &reading = readings[0].reading;
        REQUIRE(reading.utilizationPercent.has_value());
        lowest = std::min(lowest, *reading.utilizationPercent);
        highest = std::max(highest, *reading.utilizationPercent);
        CHECK(*reading.utilizationPercent + *readings[1].reading.utilizationPercent == doctest::Approx(100));
    }
    CHECK(lowest == 0);
    CHECK(highest == 100);
}

TEST_CASE("a current GPU reports every value")
{
    const FakeDriver driver(R"({"gpus": [)" + fullGpu + "]}");
    const auto source = eagerSource(driver);
    REQUIRE(source->devices().size() == 1);
    Reading reading;
    REQUIRE(becomes([&] {
        reading.update(readingsOf(*source)["GPU-a"]);
        return reading.pcieTxBytesPerSecond && reading.smActivityPercent;
    }));
    CHECK(reading.utilizationPercent == 80.0);
    CHECK(reading.memoryUtilizationPercent == 30.0);
    CHECK(reading.memoryUsedBytes == 65e9);
    CHECK(reading.memoryReservedBytes == 7e8);
    CHECK(reading.memoryTotalBytes.has_value());
    CHECK(reading.temperatureCelsius == 64.0);
    CHECK(reading.powerWatt == 612.0);
    CHECK(reading.powerLimitWatt == 700.0);
    CHECK(reading.energyJoule == doctest::Approx(8123456.789));
    CHECK(reading.smClockMhz == 1755.0);
    CHECK(reading.smClockMaxMhz == 1980.0);
    CHECK(reading.memoryClockMhz == 3200.0);
    CHECK(reading.memoryClockMaxMhz == 3201.0);
    CHECK(throttleWords(static_cast<std::uint64_t>(reading.throttleReasons.value()))
          == "power limit, hardware thermal slowdown");
    CHECK(reading.pcieGeneration == 4.0);
    CHECK(reading.pcieGenerationMax == 5.0);
    CHECK(reading.pcieWidth == 8.0);
    CHECK(reading.pcieWidthMax == 16.0);
    CHECK(reading.nvlinks == 3.0);
    CHECK(reading.nvlinksActive == 2.0);
    CHECK(reading.eccCorrected == 3.0);
    CHECK(reading.eccUncorrected == 0.0);
    CHECK(reading.smActivityPercent == 71.5);
    CHECK(reading.dramActivityPercent == 40.0);
    CHECK(reading.processCount == 1.0);
    // Rates from counters, over a time that varies.
    CHECK(reading.pcieTxBytesPerSecond.value() > 1e8);
    CHECK(reading.pcieTxBytesPerSecond.value() < 1e10);
    CHECK(reading.nvlinkRxBytesPerSecond.value() > 4e8);
    CHECK(reading.nvlinkRxBytesPerSecond.value() < 4e10);
}

TEST_CASE("what a driver or a GPU does not support is unknown, not 0")
{
    SUBCASE("a driver that is years old")
    {
        const FakeDriver driver(R"({"gpus": [)" + fullGpu + "]}", "fakenvml-old");
        const auto source = eagerSource(driver);
        REQUIRE(source->devices().size() == 1);
        const Reading reading = readingsOf(*source)["GPU-a"];
        CHECK(reading.utilizationPercent == 80.0);
        CHECK(reading.memoryUsedBytes == 65.7e9);  // the older function includes reserved memory
        CHECK_FALSE(reading.memoryReservedBytes.has_value());
        CHECK(reading.temperatureCelsius == 64.0);
        CHECK(reading.throttleReasons == 68.0);
        CHECK(reading.pcieTxBytesPerSecond == 1e9);  // measured by the driver, for lack of counters
        CHECK(reading.processCount == 1.0);
        CHECK(reading.processes.value().front().memoryBytes == 1073741824u);
        CHECK_FALSE(reading.smActivityPercent.has_value());
        CHECK_FALSE(reading.nvlinkTxBytesPerSecond.has_value());
    }
    SUBCASE("a driver with only the required functions")
    {
        const FakeDriver driver(R"({"gpus": [)" + fullGpu + "]}", "fakenvml-bare");
        const auto source = eagerSource(driver);
        const auto devices = source->devices();
        REQUIRE(devices.size() == 1);
        CHECK(devices[0].name == "GPU 0");
        CHECK(devices[0].memoryBytes == 0);
        const Reading reading = readingsOf(*source)["GPU-a"];
        for (const Quantity &quantity : quantities()) {
            INFO(quantity.series);
            CHECK((reading.*quantity.value).has_value() == (quantity.value == &Reading::simulated));
        }
        CHECK_FALSE(reading.processes.has_value());
        CHECK(source->note().empty());
    }
    SUBCASE("functions that return an error")
    {
        const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "memory": 1000, "utilization": 50, "power": 100,
            "temperature": 40, "sm_clock": 1000, "nvlinks": [1],
            "errors": {"nvmlDeviceGetPowerUsage": 3, "nvmlDeviceGetTemperatureV": 25, "nvmlDeviceGetMemoryInfo_v2": 25,
                       "nvmlDeviceGetNvLinkState": 999, "nvmlDeviceGetComputeRunningProcesses_v3": 4}}]})");
        const auto source = eagerSource(driver);
        REQUIRE(source->devices().size() == 1);
        for (int i = 0; i < 2; ++i) {
            const Reading reading = readingsOf(*source)["GPU-a"];
            CHECK(reading.utilizationPercent == 50.0);
            CHECK_FALSE(reading.powerWatt.has_value());
            CHECK(reading.temperatureCelsius == 40.0);  // by the older function
            CHECK(reading.memoryUsedBytes == 0.0);      // by the older function
            CHECK(reading.smClockMhz == 1000.0);
            CHECK_FALSE(reading.memoryClockMhz.has_value());
            CHECK_FALSE(reading.nvlinks.has_value());
        }
        CHECK(source->note().empty());
    }
    SUBCASE("impossible values")
    {
        const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "memory": 1000, "memory_used": 5000, "utilization": 4711,
            "pcie_generation": 0, "sm_clock": 4294967295, "power": 4294967.295, "sm_activity": 107.5, "dram_activity": 12}]})");
        const auto source = eagerSource(driver);
        REQUIRE(source->devices().size() == 1);
        Reading reading;
        REQUIRE(becomes([&] {
            reading.update(readingsOf(*source)["GPU-a"]);
            return reading.dramActivityPercent.has_value();
        }));
        CHECK_FALSE(reading.utilizationPercent.has_value());
        CHECK_FALSE(reading.memoryUsedBytes.has_value());
        CHECK_FALSE(reading.pcieGeneration.has_value());
        CHECK_FALSE(reading.smClockMhz.has_value());
        CHECK_FALSE(reading.powerWatt.has_value());
        CHECK_FALSE(reading.smActivityPercent.has_value());
    }
}

TEST_CASE("processes are read at every record length that drivers use")
{
    const std::string own = std::to_string(::getpid());
    for (const int bytes : {16, 24, 32, 40}) {
        for (const char *clears : {"false", "true"}) {
            CAPTURE(bytes);
            CAPTURE(clears);
            const FakeDriver driver(R"({"process_bytes": )" + std::to_string(bytes) + R"(, "clears_buffer": )" + clears
                                    + R"(, "gpus": [{"uuid": "GPU-a", "memory": 1000000, "processes": [{"pid": )" + own
                                    + R"(, "memory": 7}, {"pid": 4000001}, {"pid": 4000002, "memory": 9}]},
                                        {"uuid": "GPU-b", "memory": 1000000}]})");
            const auto source = eagerSource(driver);
            REQUIRE(source->devices().size() == 2);
            auto readings = readingsOf(*source);
            const auto &processes = readings["GPU-a"].processes.value();
            REQUIRE(processes.size() == 3);
            CHECK(processes[0].pid == ::getpid());
            CHECK(processes[0].memoryBytes == 7u);
            CHECK_FALSE(processes[0].name.value().empty());
            CHECK_FALSE(processes[0].user.value().empty());
            CHECK(processes[1].pid == 4000001);
            CHECK_FALSE(processes[1].memoryBytes.has_value());
            CHECK_FALSE(processes[1].user.has_value());
            CHECK(processes[2].memoryBytes == 9u);
            CHECK(readings["GPU-b"].processes.value().empty());
        }
    }
}

TEST_CASE("a long list of processes is complete")
{
    std::string processes;
    for (int pid = 1; pid <= 300; ++pid)
        processes += (pid > 1 ? ", " : "") + (R"({"pid": )" + std::to_string(4000000 + pid)) + "}";
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "memory": 1000, "processes": [)" + processes + "]}]}");
    const auto source = eagerSource(driver);
    REQUIRE(source->devices().size() == 1);
    CHECK(readingsOf(*source)["GPU-a"].processes.value().size() == 300);
}

TEST_CASE("MIG instances are devices, and the whole GPU is not offered")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "name": "Fake A100", "bus": "00000000:3B:00.0",
        "memory": 9000, "power": 200, "mig": [
          {"uuid": "MIG-1", "name": "Fake A100 MIG 3g.20gb", "memory": 4000, "memory_used": 100, "instance": 2,
           "sm_activity": 9, "dram_activity": 8}, null, {"uuid": "MIG-2", "memory": 4000, "instance": 5}]}]})");
    const auto source = eagerSource(driver);
    const auto devices = source->devices();
    REQUIRE(devices.size() == 3);
    CHECK_FALSE(devices[0].offered);
    CHECK(devices[1].id == "MIG-1");
    CHECK(devices[1].offered);
    CHECK(devices[1].parentId == "GPU-a");
    CHECK(devices[1].pciBusId == "00000000:3B:00.0");
    CHECK(devices[1].memoryBytes == 4000);
    CHECK(devices[2].id == "MIG-2");
    CHECK(conditionOf(*source, 0).code == sweepscope::facts::Code::GpuSplit);
    CHECK(conditionOf(*source, 0).integer(sweepscope::facts::Field::Count) == 2);
    std::map<std::string, Reading> readings;
    REQUIRE(becomes([&] {
        for (const auto &[id, reading] : readingsOf(*source))
            readings[id].update(reading);
        return readings["MIG-1"].smActivityPercent.has_value();
    }));
    CHECK(readings["MIG-1"].smActivityPercent == 9.0);
    CHECK(readings["MIG-1"].memoryUsedBytes == 100.0);
    CHECK_FALSE(readings["MIG-1"].utilizationPercent.has_value());
    CHECK_FALSE(readings["MIG-2"].smActivityPercent.has_value());
    CHECK(readings["GPU-a"].powerWatt == 200.0);
}

TEST_CASE("the index is independent of the place on the bus")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-c", "bus": "00000000:AF:00.0", "utilization": 30},
        {"uuid": "GPU-a", "bus": "00000000:1B:00.0", "utilization": 10},
        {"uuid": "GPU-b", "bus": "00000000:3B:00.0", "utilization": 20}]})");
    const auto source = eagerSource(driver);
    const auto devices = source->devices();
    REQUIRE(devices.size() == 3);
    CHECK(devices[0].pciBusId == "00000000:AF:00.0");
    CHECK(devices[0].index == 0);
    auto readings = readingsOf(*source);
    CHECK(readings["GPU-a"].utilizationPercent == 10.0);
    CHECK(readings["GPU-b"].utilizationPercent == 20.0);
    CHECK(readings["GPU-c"].utilizationPercent == 30.0);
}

TEST_CASE("GPUs with the same UUID are listed once, and control characters in names are replaced")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "name": "Fake \u001b[2J\u0007H200"}, {"uuid": "GPU-a"},
        {"uuid": "GPU-b\n"}]})");
    const auto source = eagerSource(driver);
    const auto devices = source->devices();
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].name == "Fake ?[2J?H200");
    CHECK(devices[1].id == "GPU-b?");
    CHECK(conditionOf(*source, 1).code == sweepscope::facts::Code::GpuUuidRepeated);
    CHECK(conditionOf(*source, 1).integer(sweepscope::facts::Field::Number) == 0);
    CHECK(source->devices().size() == 2);
}

TEST_CASE("the cost of readings is measured")
{
    const auto source = defaultSource();
    REQUIRE(source->devices().size() == 2);
    const auto before = source->cost();
    for (int i = 0; i < 100; ++i)
        source->sample();
    const auto cost = source->cost();
    CHECK(cost.calls >= before.calls + 100);
    CHECK(cost.cpu > before.cpu);
    CHECK(cost.calling > before.calling);
    CHECK(contains(cost.slowestCall, "nvml"));
}
