#include "device/sources.h"
#include "procfolder.h"

#include <doctest/doctest.h>
#include <map>

using namespace sweepscope::device;

namespace {

const std::string amdCard = "sys/class/drm/card1/device/";

/// The kernel's view of an Instinct and a process that has it open twice by the same client.
void writeAmdMachine(const ProcFolder &root)
{
    root.write("sys/class/drm/card0/device/vendor", "0x10de\n");
    root.write("sys/class/drm/card1-HDMI-A-1/device/vendor", "0x1002\n");
    root.write(amdCard + "vendor", "0x1002\n");
    root.write(amdCard + "uevent", "DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_SLOT_NAME=0000:c1:00.0\n");
    root.write(amdCard + "product_name", "AMD Instinct MI210\n");
    root.write(amdCard + "gpu_busy_percent", "87\n");
    root.write(amdCard + "mem_busy_percent", "31\n");
    root.write(amdCard + "mem_info_vram_total", "68702699520\n");
    root.write(amdCard + "mem_info_vram_used", "1073741824\n");
    root.write(amdCard + "pp_dpm_sclk", "0: 500Mhz\n1: 1415Mhz *\n2: 1700Mhz\n");
    root.write(amdCard + "pp_dpm_mclk", "0: 400Mhz\n1: 1600Mhz *\n");
    root.write(amdCard + "current_link_speed", "8.0 GT/s PCIe\n");
    root.write(amdCard + "max_link_speed", "16.0 GT/s PCIe\n");
    root.write(amdCard + "current_link_width", "16\n");
    root.write(amdCard + "max_link_width", "16\n");
    root.write(amdCard + "hwmon/hwmon3/temp1_input", "56000\n");
    root.write(amdCard + "hwmon/hwmon3/power1_average", "187000000\n");
    root.write(amdCard + "hwmon/hwmon3/power1_cap", "300000000\n");

    const std::string client = "pos:\t0\ndrm-driver:\tamdgpu\ndrm-pdev:\t0000:c1:00.0\n";
    root.write("proc/4711/comm", "python3\n");
    root.write("proc/4711/fdinfo/5", client + "drm-client-id:\t7\ndrm-memory-vram:\t2048 KiB\n");
    root.write("proc/4711/fdinfo/6", client + "drm-client-id:\t7\ndrm-memory-vram:\t2048 KiB\n");
    root.write("proc/4711/fdinfo/7", client + "drm-client-id:\t8\ndrm-memory-vram:\t1024 KiB\n");
    root.write("proc/4712/fdinfo/3", "pos:\t0\ndrm-driver:\ti915\ndrm-pdev:\t0000:c1:00.0\n");
}

}  // namespace

TEST_CASE("an AMD GPU is read from its driver's files, and marked simulated unless they are the kernel's")
{
    const ProcFolder root;
    writeAmdMachine(root);
    const auto source = makeAmdSource(root.path.string());
    const auto devices = source->devices();
    REQUIRE(devices.size() == 1);
    CHECK(devices[0].id == "amd:0000:c1:00.0");
    CHECK(devices[0].name == "AMD Instinct MI210");
    CHECK(devices[0].kind == Kind::Gpu);
    CHECK(devices[0].memoryBytes == 68702699520u);
    CHECK(devices[0].pciBusId == "0000:c1:00.0");
    CHECK(devices[0].simulated);
    CHECK_FALSE(devices[0].offered);

    const auto readings = source->sample();
    REQUIRE(readings.size() == 1);
    const Reading &reading = readings[0].reading;
    CHECK(reading.utilizationPercent == 87.0);
    CHECK(reading.memoryUtilizationPercent == 31.0);
    CHECK(reading.memoryUsedBytes == 1073741824.0);
    CHECK(reading.smClockMhz == 1415.0);
    CHECK(reading.smClockMaxMhz == 1700.0);
    CHECK(reading.memoryClockMhz == 1600.0);
    CHECK(reading.temperatureCelsius == 56.0);
    CHECK(reading.powerWatt == 187.0);
    CHECK(reading.powerLimitWatt == 300.0);
    CHECK(reading.pcieGeneration == 3.0);
    CHECK(reading.pcieGenerationMax == 4.0);
    CHECK(reading.pcieWidth == 16.0);
    CHECK(reading.simulated == 1.0);
    CHECK_FALSE(reading.smActivityPercent.has_value());
    REQUIRE(reading.processes.value().size() == 1);
    CHECK(reading.processes->front().pid == 4711);
    CHECK(reading.processes->front().name == "python3");
    CHECK(reading.processes->front().memoryBytes == 3u * 1024 * 1024);
}

TEST_CASE("missing or invalid values of an AMD GPU's driver are unknown")
{
    const ProcFolder root;
    root.write(amdCard + "vendor", "0x1002\n");
    root.write(amdCard + "gpu_busy_percent", "-1\n");
    root.write(amdCard + "pp_dpm_sclk", "nothing of the sort\n");
    root.write(amdCard + "current_link_speed", "Unknown\n");
    const auto source = makeAmdSource(root.path.string());
    const auto devices = source->devices();
    REQUIRE(devices.size() == 1);
    CHECK(devices[0].id == "amd:card1");
    CHECK(devices[0].memoryBytes == 0);
    const Reading reading = source->sample().front().reading;
    for (const Quantity &quantity : quantities()) {
        INFO(quantity.series);
        const bool isAlwaysKnown = quantity.value == &Reading::simulated || quantity.value == &Reading::processCount;
        CHECK((reading.*quantity.value).has_value() == isAlwaysKnown);
    }
}

TEST_CASE("a machine without AMD GPUs has none")
{
    const ProcFolder root;
    const auto source = makeAmdSource(root.path.string());
    CHECK(source->devices().empty());
    CHECK(source->sample().empty());
    CHECK(source->note().empty());
}
