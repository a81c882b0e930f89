#include "device/sources.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <string>

using namespace sweepscope::device;

namespace {

const std::string fakeLibrary = std::string(SWEEPSCOPE_TEST_BIN_DIR) + "/clients/libfakenvml.so";

/// One environment variable for the time of a test.
struct Variable {
    const char *name;
    Variable(const char *n, const std::string &value) : name(n) { ::setenv(name, value.c_str(), 1); }
    ~Variable() { ::unsetenv(name); }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;
};

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
    CHECK(devices[1].simulated);
}

TEST_CASE("readings follow the GPU; a function that the driver lacks leaves its field empty, not 0")
{
    const Variable use("SWEEPSCOPE_NVML", fakeLibrary);
    const auto source = makeNvmlSource();
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
        CHECK(reading.memoryUsedBytes == std::uint64_t{1} << 30);  // by the older function
        CHECK(reading.smClockMhz == 1980.0);
        CHECK(reading.memoryClockMhz == 3201.0);
        CHECK(reading.temperatureCelsius == 41.0);  // by the older function
        CHECK_FALSE(reading.powerWatt.has_value());
    }
    CHECK(lowest == 0);
    CHECK(highest == 100);
}

TEST_CASE("a GPU that is lost has no values and a note; the other one goes on")
{
    const Variable use("SWEEPSCOPE_NVML", fakeLibrary);
    const auto source = makeNvmlSource();
    REQUIRE(source->devices().size() == 2);
    const Variable lost("FAKE_NVML_LOST", "1");
    const auto readings = source->sample();
    REQUIRE(readings.size() == 2);
    CHECK(readings[0].reading.utilizationPercent.has_value());
    CHECK_FALSE(readings[1].reading.utilizationPercent.has_value());
    CHECK_FALSE(readings[1].reading.memoryUsedBytes.has_value());
    CHECK(source->note().find("GPU 1 (Fake H200) is lost") != std::string::npos);
    source->sample();
    CHECK(source->note().find("is lost") == source->note().rfind("is lost"));
}

TEST_CASE("a driver that does not start is no error: no devices, and the note says why and what to do")
{
    const Variable use("SWEEPSCOPE_NVML", fakeLibrary);
    const auto note = [](const char *code) {
        const Variable init("FAKE_NVML_INIT", code);
        const auto source = makeNvmlSource();
        CHECK(source->devices().empty());
        CHECK(source->sample().empty());
        return source->note();
    };
    CHECK(note("9").find("not loaded") != std::string::npos);
    CHECK(note("18").find("restart this machine") != std::string::npos);
    CHECK(note("999").find("Unknown Error (999)") != std::string::npos);
}

TEST_CASE("a driver that starts later is found at the next look")
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

TEST_CASE("a library that is not there, or is none of NVML, is explained")
{
    {
        const Variable use("SWEEPSCOPE_NVML", "/nonexistent/libnvidia-ml.so");
        const auto source = makeNvmlSource();
        CHECK(source->devices().empty());
        CHECK(source->note().find("SWEEPSCOPE_NVML") != std::string::npos);
        CHECK(source->note().find("/nonexistent") != std::string::npos);
    }
    const Variable use("SWEEPSCOPE_NVML", "libm.so.6");
    const auto source = makeNvmlSource();
    CHECK(source->devices().empty());
    CHECK(source->note().find("lacks functions") != std::string::npos);
}
