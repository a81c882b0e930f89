#include "testprogram.h"

#include "engine/machinelist.h"

#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::engine;

namespace {

remote::MachineStatus connected()
{
    remote::MachineStatus status;
    status.isConnected = true;
    status.since = std::chrono::steady_clock::now() - std::chrono::seconds(60);
    status.welcome.cpus = 64;
    status.welcome.memory = 1'000;
    status.disk = {500, 1'000};
    status.clockOffset = -250'000'000;
    status.clockError = 2'000'000;
    node::Machine there;
    there.devices = {{"GPU-a", "gpu", 0, "H100", 80, false, "0:3B", "", true, {0, 1}},
                     {"GPU-b", "gpu", 1, "H100", 80, false, "0:3C", "", true, {}},
                     {"cpu:0", "cpu", 0, "CPU", 0, false, "", "", true, {}}};
    there.links = {{"GPU-a", "GPU-b", "NV12"}};
    there.unusable["GPU-b"] = facts::toJson(facts::Code::GpuLost);
    there.leases["GPU-a"] = facts::toJson(facts::Code::GpuLeased);
    status.devices = there;
    return status;
}

}  // namespace

class TestMachineList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void machineIsShownWithItsDevices()
    {
        remote::Machine machine;
        machine.name = "gpu1";
        machine.ssh = {"ann@gpu1.lab", 0, {}};
        machine.concurrent = 3;
        const remote::MachineStatus status = connected();
        schedule::Scheduler::Machine scheduled;
        scheduled.allocator.setDevices(devicesOn("gpu1", *status.devices), coresOf(*status.devices));
        scheduled.allocator.setTopology(topologyOn("gpu1", *status.devices));
        scheduled.allocator.adopt("holder", {"cpu:0@gpu1"});
        const protocol::MachineStatus shown =
            machineStatus(machine, status, true, scheduled, [](const std::string &holder) {
                return protocol::DeviceHolder{7, QString::fromStdString(holder), 2};
            });
        QCOMPARE(shown.name, QStringLiteral("gpu1"));
        QCOMPARE(shown.address, QStringLiteral("ann@gpu1.lab"));
        QVERIFY(shown.isUsed && shown.isConnected && !shown.unavailable);
        QVERIFY(shown.since > 0 && shown.since < wallNow() - 50'000'000'000);
        QCOMPARE(shown.limit, 3);
        QCOMPARE(shown.cpus, 64);
        QCOMPARE(shown.clockOffset, -0.25);
        QCOMPARE(shown.clockError, 0.002);
        QCOMPARE(shown.devices.size(), 3U);
        const protocol::DeviceStatus &gpu = shown.devices[0];
        QCOMPARE(gpu.id, QStringLiteral("GPU-a@gpu1"));
        QCOMPARE(gpu.nearCpus, QStringLiteral("0-1"));
        QCOMPARE(gpu.connections.value(QStringLiteral("GPU-b@gpu1")), QStringLiteral("NV12"));
        QVERIFY(gpu.lease && gpu.conditions.empty());
        QCOMPARE(shown.devices[1].conditions.size(), 1U);
        QCOMPARE(shown.devices[1].conditions[0].code, facts::Code::GpuLost);
        QVERIFY(shown.devices[2].holders == std::vector<protocol::DeviceHolder>({{7, QStringLiteral("holder"), 2}}));
    }

    void machineThatWasNeverConnectedHasNoDevices()
    {
        remote::Machine machine;
        machine.name = "gpu1";
        machine.ssh = {"gpu1", 2222, {}};
        schedule::Scheduler::Machine scheduled;
        scheduled.unavailable = facts::Code::MachineConnecting;
        const protocol::MachineStatus shown = machineStatus(machine, {}, false, scheduled, {});
        QCOMPARE(shown.address, QStringLiteral("ssh://gpu1:2222"));
        QVERIFY(!shown.isUsed && !shown.isConnected && shown.devices.empty());
        QCOMPARE(shown.since, 0);
        QCOMPARE(shown.unavailable.code, facts::Code::MachineConnecting);
    }
};

SWEEPSCOPE_TEST(TestMachineList)
#include "tst_machinelist.moc"
