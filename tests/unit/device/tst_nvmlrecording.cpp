#include "clients/fakenvml/fakedriver.h"
#include "clients/nvmlrecording/trace.h"

#include <doctest/doctest.h>

using namespace nvmlrecording;
using namespace std::chrono_literals;

namespace {

constexpr int readings = 8;

constexpr const char *script = R"({"driver": "570.1", "paths": [["GPU-a", "GPU-b", 20]], "gpus": [
  {"uuid": "GPU-a", "name": "Some GPU", "bus": "00000000:1B:00.0", "memory": 85520809984,
   "utilization": {"curve": [3, 97, 0, 51]}, "memory_utilization": {"curve": [1, 40]},
   "memory_used": {"curve": [1073741824, 61203283968, 61203283969]}, "memory_reserved": 629145600,
   "temperature": {"curve": [31, 74]}, "power": {"curve": [71.123, 698.001, 299.999]}, "power_limit": 700,
   "energy": {"curve": [5000.25, 5070.5]},
   "sm_clock": {"curve": [345, 1980]}, "sm_clock_max": 1980, "memory_clock": 2619, "memory_clock_max": 2619,
   "throttle_reasons": {"curve": [1, 4, 0]}, "pcie_generation": {"curve": [1, 5]}, "pcie_generation_max": 5,
   "pcie_width": 16, "pcie_width_max": 16, "pcie_tx": 1e9, "pcie_rx": 2e9, "nvlink_tx": 3e9, "nvlink_rx": 4e9,
   "nvlinks": [1, 1, 0], "nvlink_peers": ["GPU-b", "switch", ""], "cpus": [0, 1, 64], "ecc_corrected": 3,
   "ecc_uncorrected": 0, "sm_activity": 71.5, "dram_activity": 48.25,
   "processes": [{"pid": 4000001, "memory": 61203283968}, {"pid": 4000002}]},
  {"uuid": "GPU-b", "name": "Another", "bus": "00000000:3B:00.0", "memory": 1000000, "memory_used": {"curve": [5, 7]},
   "utilization": 12, "power": 5, "errors": {"nvmlDeviceGetPowerUsage": 4, "nvmlDeviceGetTotalEccErrors": 4}}]})";

Trace traceOf(const FakeDriver &driver)
{
    auto trace = record(driver.library(), readings, 150ms);
    REQUIRE(trace.has_value());
    return std::move(*trace);
}

}  // namespace

TEST_CASE("a recorded driver behaves the same when replayed")
{
    Trace recorded;
    {
        const FakeDriver driver(script);
        recorded = traceOf(driver);
    }
    REQUIRE(recorded.gpus.size() == 2);
    const auto &first = recorded.gpus[0].readings;
    CHECK(first[1].utilizationPercent == 97);
    CHECK(first[0].powerWatt == doctest::Approx(71.123));
    CHECK(recorded.gpus[0].cpus == std::vector<int>{0, 1, 64});
    CHECK(recorded.gpus[1].errors
          == std::map<std::string, int>{{"nvmlDeviceGetPowerUsage", 4}, {"nvmlDeviceGetTotalEccErrors", 4}});
    const nlohmann::json made = scriptOf(recorded);
    CHECK(made.at("recorded_from") == "a fake driver");
    CHECK(made.at("driver") == "570.1");
    {
        const FakeDriver driver(made.dump());
        Trace replayed = traceOf(driver);
        CHECK(differences(recorded, replayed) == std::vector<std::string>{});

        replayed.gpus[0].readings[3].smClockMhz = 1;
        replayed.gpus[1].readings[0].memoryUsedBytes = 6;
        replayed.gpus[1].device.name = "a third";
        for (auto &reading : replayed.gpus[0].readings) {
            reading.temperatureCelsius.reset();
            reading.nvlinkTxBytesPerSecond = 1;
        }
        CHECK(differences(recorded, replayed)
              == std::vector<std::string>{"GPU-a: temperature is not replayed", "GPU-a: sm_clock", "GPU-a: nvlink_tx",
                                          "GPU-b: identity", "GPU-b: memory_used"});
    }
}

TEST_CASE("without a driver recording fails with a message")
{
    const auto none = record("/nowhere/libnvidia-ml.so.1", 1, 1ms);
    REQUIRE_FALSE(none.has_value());
    CHECK(!none.error().message.empty());
}
