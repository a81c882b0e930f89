#include "testprogram.h"

#include "engine/remotestart.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;

class TestRemoteStart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devicesAreNamedAsThere()
    {
        launch::LaunchSpec launch;
        launch.sweepName = "a";
        launch.trial = 7;
        schedule::Allocation devices;
        devices.perRank = {{"GPU-1@gpu1", "GPU-2@gpu1"}, {"GPU-2@gpu1"}};
        node::Taken taken = takenBy(devices, launch);
        QCOMPARE(taken.gpus, (std::vector<std::string>{"GPU-1", "GPU-2"}));
        QVERIFY(taken.slots.empty());
        QCOMPARE(taken.trial, 7);
        devices.perRank = {{"cpu:3@gpu1"}, {"cpu:3@gpu1"}};
        taken = takenBy(devices, launch);
        QVERIFY(taken.gpus.empty());
        QCOMPARE(taken.slots, (std::vector<std::int64_t>{3, 3}));
    }

    void pathsPythonAndSetupAreTheMachines()
    {
        launch::LaunchSpec here;
        here.argv = {"python3", "train.py", "--name", "it's"};
        here.workingFolder = "/home/ann/code";
        here.pythonPath = "/usr/share/x";
        here.devices = {{"GPU-1@gpu1"}};
        remote::Machine machine;
        machine.name = "gpu1";
        machine.python = "/opt/python";
        machine.data = {{"image-net 1k", "/data/in"}};
        launch::LaunchSpec there = launchThere(here, machine, "/code/1", "/python/2");
        QCOMPARE(there.argv, (std::vector<std::string>{"/opt/python", "train.py", "--name", "it's"}));
        QCOMPARE(there.workingFolder, std::string("/code/1"));
        QCOMPARE(there.pythonPath, std::string("/python/2"));
        QCOMPARE(there.machine, std::string("gpu1"));
        QCOMPARE(there.devices.front().front(), std::string("GPU-1"));
        QCOMPARE(there.environment.at("SWEEPSCOPE_DATA_IMAGE_NET_1K"), std::string("/data/in"));

        machine.setup = "module load cuda";
        there = launchThere(here, machine, "/code/1", "/python/2");
        QCOMPARE(there.argv.front(), std::string("sh"));
        const std::vector<std::string> last(there.argv.end() - 4, there.argv.end());
        QCOMPARE(last, (std::vector<std::string>{"/opt/python", "train.py", "--name", "it's"}));
    }
};

SWEEPSCOPE_TEST(TestRemoteStart)
#include "tst_remotestart.moc"
