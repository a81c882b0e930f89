// GPUs whose driver hangs, fails or is missing, and the messages about it.
#include "nvmltesting.h"
#include "procfolder.h"

#include <chrono>
#include <doctest/doctest.h>
#include <string>

using namespace sweepscope::device;
using namespace sweepscope::tests;
using namespace std::chrono_literals;
using namespace std::string_literals;
using sweepscope::facts::Code;
using sweepscope::facts::Fact;
using sweepscope::facts::Field;

TEST_CASE("a lost GPU has no values and reports it; the other one continues, and the lost one may return")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "memory": 1000, "utilization": 1},
        {"uuid": "GPU-b", "name": "Fake H200", "memory": 1000, "utilization": 2, "lost_while": "@lost"}]})");
    const auto source = eagerSource(driver);
    REQUIRE(source->devices().size() == 2);
    driver.put("lost");
    for (int i = 0; i < 2; ++i) {
        auto readings = readingsOf(*source);
        CHECK(readings["GPU-a"].utilizationPercent == 1.0);
        CHECK_FALSE(readings["GPU-b"].utilizationPercent.has_value());
        CHECK_FALSE(readings["GPU-b"].memoryUsedBytes.has_value());
        CHECK(conditionOf(*source, 1) == Fact(Code::GpuLost).with(Field::Index, 1).with(Field::Device, "GPU-b"s));
        CHECK(source->conditions().size() == 1);
        CHECK(source->unusable().at("GPU-b") == Code::GpuLost);
    }
    driver.remove("lost");
    CHECK(readingsOf(*source)["GPU-b"].utilizationPercent == 2.0);
    CHECK(source->conditions().empty());
}

TEST_CASE("a call that hangs removes the values of one GPU until it returns, and affects nothing else")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "memory": 1000, "utilization": 1},
        {"uuid": "GPU-b", "name": "Fake H200", "memory": 1000, "utilization": 2,
         "hangs": {"nvmlDeviceGetUtilizationRates": "@hangs"}},
        {"uuid": "GPU-c", "memory": 1000, "utilization": 3}]})");
    const auto source = eagerSource(driver, 300ms);
    REQUIRE(source->devices().size() == 3);
    driver.put("hangs");
    // On a busy machine any call may take longer than its limit.
    const auto answers = [&](const std::string &id) {
        return becomes([&] { return readingsOf(*source)[id].utilizationPercent.has_value(); });
    };
    CHECK(answers("GPU-a"));
    CHECK(becomes([&] {
        source->sample();
        return source->unusable()["GPU-b"]
               == Fact(Code::GpuNotAnswering).with(Field::Detail, "nvmlDeviceGetUtilizationRates"s);
    }));
    CHECK(answers("GPU-c"));
    CHECK(answers("GPU-a"));
    CHECK_FALSE(readingsOf(*source)["GPU-b"].utilizationPercent.has_value());
    CHECK(conditionOf(*source, 1));
    driver.remove("hangs");
    CHECK(answers("GPU-b"));
    CHECK(becomes([&] { return source->conditions().empty(); }));
}

TEST_CASE("a source can be destroyed while a call hangs")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "hangs": {"nvmlDeviceGetUtilizationRates": "@hangs"}}]})");
    driver.put("hangs");
    {
        const auto source = eagerSource(driver, 100ms);
        REQUIRE(source->devices().size() == 1);
        CHECK(becomes([&] {
            source->sample();
            return conditionOf(*source, 0).code == Code::GpuNotAnswering;
        }));
    }
    driver.remove("hangs");
}

TEST_CASE("a driver that hangs during its start gives no GPUs and a note")
{
    const FakeDriver driver(R"({"init_hangs": "@hangs", "gpus": [{"uuid": "GPU-a", "utilization": 5}]})");
    driver.put("hangs");
    NvmlSettings settings;
    settings.library = driver.library();
    settings.startLimit = 1s;
    const auto source = makeNvmlSource(settings);
    CHECK(source->devices().empty());
    CHECK(contains(source->note(), "the NVIDIA driver does not respond"));
    CHECK(source->sample().empty());
    driver.remove("hangs");
    // When it comes back its GPUs are there.
    CHECK(becomes([&] { return readingsOf(*source)["GPU-a"].utilizationPercent == 5.0; }));
}

TEST_CASE("an error from the driver is reported once as a value and stays as a condition")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a"}, {"uuid": "GPU-b", "name": "Fake", "xids": [79]}]})");
    const auto source = eagerSource(driver);
    REQUIRE(source->devices().size() == 2);
    double xid = 0;
    REQUIRE(becomes([&] {
        auto readings = readingsOf(*source);
        CHECK_FALSE(readings["GPU-a"].xid.has_value());
        xid = readings["GPU-b"].xid.value_or(0);
        return xid > 0;
    }));
    CHECK(xid == 79);
    CHECK_FALSE(readingsOf(*source)["GPU-b"].xid.has_value());
    CHECK(conditionOf(*source, 1).code == Code::GpuReportedXid);
    CHECK(conditionOf(*source, 1).integer(Field::Number) == 79);
}

TEST_CASE("a GPU that this user may not open is omitted with a reason; the others are listed")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "open": 4}, {"uuid": "GPU-b"},
        {"uuid": "GPU-c", "open": 15}]})");
    const auto source = eagerSource(driver);
    const auto devices = source->devices();
    REQUIRE(devices.size() == 1);
    CHECK(devices[0].id == "GPU-b");
    CHECK(devices[0].index == 1);
    CHECK(conditionOf(*source, 0) == Fact(Code::GpuNotPermitted).with(Field::Index, 0));
    CHECK(conditionOf(*source, 2) == Fact(Code::GpuLost).with(Field::Index, 2));
}

TEST_CASE("under WSL the note lists what the driver cannot report")
{
    const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a"}]})");
    const ProcFolder root;
    root.write("proc/sys/kernel/osrelease", "6.1.0-amd64\n");
    NvmlSettings settings;
    settings.library = driver.library();
    settings.root = root.path.string();
    const auto source = makeNvmlSource(settings);
    REQUIRE(source->devices().size() == 1);
    CHECK_FALSE(contains(source->note(), "WSL"));
    root.write("proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n");
    CHECK(contains(source->note(), "under WSL, the driver reports neither the processes on a GPU"));
}

TEST_CASE("a driver that does not start is no error: there are no devices, and the note has reason and remedy")
{
    const Variable use("SWEEPSCOPE_NVML", fakeLibrary);
    const auto note = [](const char *code) {
        const Variable init("FAKE_NVML_INIT", code);
        const auto source = makeNvmlSource();
        CHECK(source->devices().empty());
        CHECK(source->sample().empty());
        CHECK(contains(source->note(), "simulated"));
        return source->note();
    };
    CHECK(contains(note("4"), "may not use"));
    CHECK(contains(note("9"), "not loaded"));
    CHECK(contains(note("18"), "restart this machine"));
    CHECK(contains(note("999"), "Unknown Error (999)"));
}

TEST_CASE("a driver that starts later is found at the next attempt")
{
    const Variable use("SWEEPSCOPE_NVML", fakeLibrary);
    const auto source = makeNvmlSource();
    {
        const Variable init("FAKE_NVML_INIT", "9");
        REQUIRE(source->devices().empty());
    }
    CHECK(source->devices().size() == 2);
    CHECK(source->note().empty());
}

TEST_CASE("a missing library, and a library without NVML, are explained")
{
    {
        const Variable use("SWEEPSCOPE_NVML", "/nonexistent/libnvidia-ml.so");
        const auto source = makeNvmlSource();
        CHECK(source->devices().empty());
        CHECK(contains(source->note(), "SWEEPSCOPE_NVML"));
        CHECK(contains(source->note(), "/nonexistent"));
    }
    const Variable use("SWEEPSCOPE_NVML", "libm.so.6");
    const auto source = makeNvmlSource();
    CHECK(source->devices().empty());
    CHECK(contains(source->note(), "lacks functions"));
}
