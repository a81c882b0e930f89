#include "device/cpusource.h"
#include "device/sources.h"
#include "procfolder.h"

#include <doctest/doctest.h>

using namespace sweepscope::device;

TEST_CASE("the cores that this process may use are devices, with the model's name")
{
    const ProcFolder proc;
    proc.write("stat", "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 0 1 8 0 0 0 0 0 0\ncpu1 1 0 1 8 0 0 0 0 0 0\n"
                       "cpu7 1 0 1 8 0 0 0 0 0 0\nintr 5 5\n");
    proc.write("cpuinfo", "processor\t: 0\nmodel name\t: Example CPU @ 3 GHz\n");
    CpuSource source(proc.path.string(), {0, 7});
    const auto devices = source.devices();
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].id == "cpu:0");
    CHECK(devices[1].id == "cpu:7");
    CHECK(devices[1].index == 7);
    CHECK(devices[1].kind == Kind::Cpu);
    CHECK(devices[1].name == "Example CPU @ 3 GHz");
    CHECK_FALSE(devices[1].simulated);
    CHECK(source.note().empty());
}

TEST_CASE("utilisation is the busy share since the previous sample; waiting for a disk is idle")
{
    const ProcFolder proc;
    proc.write("stat", "cpu0 100 0 0 100 0 0 0 0 0 0\n");
    CpuSource source(proc.path.string(), {0});
    REQUIRE(source.sample().size() == 1);
    CHECK_FALSE(source.sample().front().reading.utilizationPercent.has_value());

    // user +10, system +10, idle +50, iowait +20, steal +10; guest time is included in user time
    proc.write("stat", "cpu0 110 0 10 150 20 0 0 10 5 0\n");
    const auto readings = source.sample();
    REQUIRE(readings.size() == 1);
    CHECK(readings[0].deviceId == "cpu:0");
    CHECK(readings[0].reading.utilizationPercent.value() == doctest::Approx(30));
    CHECK_FALSE(readings[0].reading.memoryUsedBytes.has_value());
}

TEST_CASE("counters that run backwards give no value")
{
    const ProcFolder proc;
    proc.write("stat", "cpu0 100 0 0 100 0 0 0 0 0 0\n");
    CpuSource source(proc.path.string(), {0});
    source.sample();
    proc.write("stat", "cpu0 50 0 0 300 0 0 0 0 0 0\n");
    CHECK_FALSE(source.sample().front().reading.utilizationPercent.has_value());
}

TEST_CASE("without /proc/stat there are no cores, and a note gives the reason")
{
    const ProcFolder proc;
    CpuSource source(proc.path.string(), {0});
    CHECK(source.devices().empty());
    CHECK(source.sample().empty());
    CHECK(source.note().find("stat") != std::string::npos);
}

TEST_CASE("on the real machine every allowed core is found")
{
    const auto source = makeCpuSource();
    CHECK(source->devices().size() == allowedCores().size());
    CHECK_FALSE(source->devices().empty());
    CHECK(source->note().empty());
}
