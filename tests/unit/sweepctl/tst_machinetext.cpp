#include "machinetext.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::ctl;

namespace {

protocol::DeviceStatus deviceNamed(const char *id, bool gpu, int index)
{
    protocol::DeviceStatus device;
    device.id = QLatin1String(id);
    device.gpu = gpu;
    device.index = index;
    return device;
}

}  // namespace

TEST_CASE("devices are named by machine and number")
{
    const std::vector<protocol::DeviceStatus> known{deviceNamed("GPU-a@gpu1", true, 2)};
    CHECK(deviceListInWords({"cpu:0", "cpu:1", "cpu:5"}) == "cores 0-1,5");
    CHECK(deviceListInWords({"cpu:7"}) == "core 7");
    CHECK(deviceListInWords({"cpu:3@gpu1"}) == "gpu1: core 3");
    CHECK(deviceListInWords({"GPU-a@gpu1", "GPU-b@gpu1"}, known) == "gpu1: GPU 2, GPU-b");
    CHECK(deviceListInWords({"GPU-a"}, known) == "GPU-a");
    CHECK(deviceListInWords({}).empty());
}

TEST_CASE("a machine that is connected shows what is free there")
{
    protocol::MachineStatus machine;
    machine.name = QStringLiteral("gpu1");
    machine.address = QStringLiteral("ann@gpu1.lab");
    machine.isUsed = machine.isConnected = true;
    machine.clockOffset = -0.0213;
    machine.clockError = 0.0004;
    machine.devices = {deviceNamed("GPU-a@gpu1", true, 0), deviceNamed("GPU-b@gpu1", true, 1),
                       deviceNamed("cpu:0@gpu1", false, 0)};
    machine.devices[0].holders = {{1, QStringLiteral("digits"), 4}};
    const std::vector<std::string> lines = linesOf(machine);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "gpu1  ann@gpu1.lab  connected");
    CHECK(lines[1] == "    GPUs: 1 of 2 free  CPU cores: 1 of 1 free  1 trial  clock -21.3 ms (± 0.4 ms)");
}

TEST_CASE("a machine without connection says why, and what to do")
{
    protocol::MachineStatus machine;
    machine.name = QStringLiteral("gpu1");
    machine.address = QStringLiteral("gpu1.lab");
    CHECK(linesOf(machine) == std::vector<std::string>{"gpu1  gpu1.lab  not connected: no running sweep uses it"});
    machine.isUsed = true;
    machine.unavailable = facts::Fact(facts::Code::MachineUnreachable).with(facts::Field::Detail, "no route to host");
    CHECK(linesOf(machine)
          == std::vector<std::string>{"gpu1  gpu1.lab  cannot be reached: no route to host",
                                      "    To find the cause: sweepctl machine check gpu1"});
}

TEST_CASE("a device is free if neither a trial nor another engine has it, and it works")
{
    std::vector<protocol::DeviceStatus> devices;
    for (int i = 0; i < 5; ++i)
        devices.push_back(deviceNamed("GPU", true, i));
    devices[1].holders = {{1, {}, 1}};
    devices[2].lease = facts::Code::GpuLeased;
    devices[3].conditions = {facts::Code::GpuLost};
    devices[4].offered = false;
    const protocol::MachineUse use = protocol::useOf(devices);
    CHECK(use.gpus == 4);
    CHECK(use.freeGpus == 1);
    CHECK(use.trials == 1);
    CHECK(use.cores == 0);
}
