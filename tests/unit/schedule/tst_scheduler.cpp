#include "schedule/scheduler.h"
#include "sweep/deviceplace.h"
#include "wording/sentence.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::schedule;
using namespace sweepscope::schedule;

namespace {

std::vector<device::Device> cores(int count)
{
    std::vector<device::Device> devices;
    for (int core = 0; core < count; ++core)
        devices.push_back({"cpu:" + std::to_string(core), device::Kind::Cpu, core, "core", 0, false});
    return devices;
}

std::vector<device::Device> coresOn(const std::string &machine, int count)
{
    std::vector<device::Device> devices = cores(count);
    for (device::Device &device : devices)
        device.id = sweep::deviceOn(machine, device.id);
    return devices;
}

SweepDemand demand(std::int64_t sweepId, int trial, int ranks = 1, int concurrent = 1, int running = 0)
{
    SweepDemand wanted;
    wanted.sweepId = sweepId;
    wanted.next.trial.sweep = "sweep-" + std::to_string(sweepId);
    wanted.next.concurrent = concurrent;
    wanted.running = running;
    wanted.next.trial.number = trial;
    wanted.next.ranks = ranks;
    return wanted;
}

}  // namespace

class TestScheduler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingStartsWithoutDemand()
    {
        Scheduler scheduler(cores(2));
        const Decision decision = scheduler.decide({demand(1, 0)});
        QVERIFY(!decision.start && !decision.impossible && decision.waiting.empty());
    }

    void trialStartsWithDevicesForEachRank()
    {
        Scheduler scheduler(cores(2));
        const Decision decision = scheduler.decide({demand(1, 4, 2)});
        QVERIFY(decision.start.has_value());
        QCOMPARE(decision.start->trial, 4);
        QCOMPARE(decision.start->devices.perRank.size(), 2U);
        QCOMPARE(scheduler.allocator().holders("cpu:0"), (std::vector<std::string>{"1/4"}));
    }

    void sweepAtItsLimitWaitsWithAReason()
    {
        Scheduler scheduler(cores(8));
        const Decision decision = scheduler.decide({demand(1, 3, 1, 2, 2)});
        QVERIFY(!decision.start);
        QCOMPARE(decision.waiting.size(), 1U);
        QCOMPARE(decision.waiting.front().trial, 3);
        QVERIFY(decision.waiting.front().reason
                == facts::Fact(facts::Code::ConcurrencyLimit).with(facts::Field::Limit, 2));
    }

    void sweepAtItsLimitLeavesDevicesToANewerOne()
    {
        Scheduler scheduler(cores(8));
        const Decision decision = scheduler.decide({demand(1, 3, 1, 2, 2), demand(2, 1)});
        QVERIFY(decision.start.has_value());
        QCOMPARE(decision.start->sweepId, 2);
    }

    void newerSweepDoesNotTakeDevicesAnOlderOneWaitsFor()
    {
        Scheduler scheduler(cores(2));
        scheduler.adopt(9, 1, {"cpu:0"});
        const Decision decision = scheduler.decide({demand(1, 1, 2), demand(2, 1, 1)});
        QVERIFY(!decision.start);
        QCOMPARE(decision.waiting.size(), 2U);
        QVERIFY(decision.waiting[1].reason
                == facts::Fact(facts::Code::BehindOlderSweep).with(facts::Field::Sweep, "sweep-1"));

        scheduler.release(9, 1);
        const Decision next = scheduler.decide({demand(1, 1, 2), demand(2, 1, 1)});
        QVERIFY(next.start.has_value());
        QCOMPARE(next.start->sweepId, 1);
    }

    void trialThatCanNeverRunHereIsImpossible()
    {
        Scheduler scheduler(cores(2));
        SweepDemand wanted = demand(1, 1);
        wanted.next.kind = sweep::DeviceKind::Gpu;
        const Decision decision = scheduler.decide({wanted});
        QVERIFY(!decision.start);
        QVERIFY(decision.impossible.has_value());
        QCOMPARE(decision.impossible->trial, 1);
        QVERIFY(decision.impossible->reason.code == facts::Code::DevicesImpossible);
    }

    void trialRunsOnTheFirstMachineThatHasRoom()
    {
        Scheduler scheduler(cores(1));
        scheduler.machines()["m1"].allocator.setDevices(coresOn("m1", 2), {});
        scheduler.machines()["m2"].allocator.setDevices(coresOn("m2", 2), {});
        std::vector<std::string> machines;
        for (int trial = 1; trial <= 5; ++trial) {
            SweepDemand wanted = demand(1, trial, 1, 9);
            wanted.next.machines = {"m2", "localhost", "m1"};
            const Decision decision = scheduler.decide({wanted});
            QVERIFY(decision.start.has_value());
            machines.push_back(decision.start->devices.machine);
            QCOMPARE(sweep::machineOf(decision.start->devices.all().front()), machines.back());
        }
        QCOMPARE(machines, (std::vector<std::string>{"m2", "m2", "", "m1", "m1"}));
        SweepDemand wanted = demand(1, 6, 1, 9);
        wanted.next.machines = {"m2", "localhost", "m1"};
        const Decision full = scheduler.decide({wanted});
        QCOMPARE(full.waiting.size(), 1U);
        QVERIFY(full.waiting[0].reason.code == facts::Code::WaitingForMachines);
        QCOMPARE(full.waiting[0].reason.because.size(), 3U);
        scheduler.release(1, 3);
        QCOMPARE(scheduler.decide({wanted}).start->devices.machine, std::string());
    }

    void onlyTheMachinesOfTheSweepAreUsed()
    {
        Scheduler scheduler(cores(1));
        scheduler.machines()["m1"].allocator.setDevices(coresOn("m1", 8), {});
        QVERIFY(scheduler.decide({demand(1, 1, 1, 9)}).start.has_value());
        QVERIFY(!scheduler.decide({demand(1, 2, 1, 9)}).start);
        SweepDemand wanted = demand(1, 2, 1, 9);
        wanted.next.machines = {"*"};
        QCOMPARE(scheduler.decide({wanted}).start->devices.machine, std::string("m1"));
    }

    void machineThatIsAwayOrFullOrUnknownIsNamed()
    {
        Scheduler scheduler(cores(0));
        Scheduler::Machine &away = scheduler.machines()["away"];
        away.allocator.setDevices(coresOn("away", 8), {});
        away.unavailable = facts::Fact(facts::Code::MachineUnreachable).with(facts::Field::Detail, "no route");
        Scheduler::Machine &full = scheduler.machines()["full"];
        full.allocator.setDevices(coresOn("full", 8), {});
        full.concurrent = 1;
        scheduler.adopt(7, 1, {"cpu:0@full"});
        SweepDemand wanted = demand(1, 1);
        wanted.next.machines = {"away", "full", "unknown"};
        const Decision decision = scheduler.decide({wanted});
        QCOMPARE(decision.waiting.size(), 1U);
        QCOMPARE(
            QString::fromStdString(wording::sentence(decision.waiting[0].reason)),
            QStringLiteral("Waits for a machine: away: cannot be reached: no route; full: it is limited to 1 trial at "
                           "a time; unknown: "
                           "the workspace has no such machine; add it with `sweepctl machine add unknown ADDRESS`"));
        wanted.next.machines = {"unknown"};
        QVERIFY(!scheduler.decide({wanted}).impossible);  // it may be added again
    }

    void trialThatContinuesGoesHome()
    {
        Scheduler scheduler(cores(4));
        Scheduler::Machine &home = scheduler.machines()["m1"];
        home.allocator.setDevices(coresOn("m1", 1), {});
        SweepDemand wanted = demand(1, 1);
        wanted.next.machines = {"localhost", "m1"};
        wanted.next.home = "m1";
        home.unavailable = facts::Code::MachineConnecting;
        const Decision waits = scheduler.decide({wanted});
        QVERIFY(!waits.start);
        QCOMPARE(QString::fromStdString(wording::sentence(waits.waiting.at(0).reason)),
                 QStringLiteral("Waits for m1, which has its checkpoint: not connected yet"));
        home.unavailable = {};
        QCOMPARE(scheduler.decide({wanted}).start->devices.machine, std::string("m1"));
    }

    void sweepThatWaitsForOneMachineKeepsNobodyFromOthers()
    {
        Scheduler scheduler(cores(2));
        scheduler.machines()["m1"].allocator.setDevices(coresOn("m1", 2), {});
        scheduler.adopt(9, 1, {"cpu:0@m1"});
        SweepDemand first = demand(1, 1, 2);
        first.next.machines = {"m1"};
        SweepDemand second = demand(2, 1, 1);
        second.next.machines = {"m1", "localhost"};
        const Decision decision = scheduler.decide({first, second});
        QVERIFY(decision.start.has_value());
        QCOMPARE(decision.start->sweepId, 2);
        QCOMPARE(decision.start->devices.machine, std::string());
    }

    void gpusOfAnyMachineComeBeforeCores()
    {
        Scheduler scheduler(cores(4));
        device::Device gpu{"GPU-1@m1", device::Kind::Gpu, 0, "H200", 0, false};
        scheduler.machines()["m1"].allocator.setDevices({gpu}, {});
        SweepDemand wanted = demand(1, 1);
        wanted.next.machines = {"localhost", "m1"};
        QCOMPARE(scheduler.decide({wanted}).start->devices.all(), (std::vector<std::string>{"GPU-1@m1"}));
        QVERIFY(!scheduler.decide({demand(2, 1)}).waiting.size());
    }

    void trialOnSeveralMachinesHasEqualSharesOfThem()
    {
        Scheduler scheduler(cores(2));
        for (const char *name : {"m1", "m2", "m3"})
            scheduler.machines()[name].allocator.setDevices(coresOn(name, 2), {});
        scheduler.adopt(9, 1, {"cpu:0@m2"});
        SweepDemand wanted = demand(1, 1, 6);
        wanted.next.machines = {"m1", "m2", "m3", "localhost"};
        wanted.next.nodes = 3;
        wanted.next.cpuSlots = 2;
        const Decision decision = scheduler.decide({wanted});
        QVERIFY(decision.start.has_value());
        QCOMPARE(decision.start->devices.nodes, (std::vector<std::string>{"", "m1", "m3"}));  // this one is the first
        QCOMPARE(decision.start->devices.machine, std::string());
        QCOMPARE(decision.start->devices.perRank.size(), 6U);
        QCOMPARE(sweep::machineOf(decision.start->devices.perRank[3].front()), std::string("m1"));
        QCOMPARE(sweep::machineOf(decision.start->devices.perRank[5].front()), std::string("m3"));

        // An engine that begins again knows the same.
        Scheduler next(cores(2));
        for (const char *name : {"m1", "m2", "m3"})
            next.machines()[name].allocator.setDevices(coresOn(name, 2), {});
        next.adopt(1, 1, decision.start->devices.all());
        QCOMPARE(next.machines()["m3"].allocator.holderCount(), 1);
        QCOMPARE(next.machines()["m2"].allocator.holderCount(), 0);
        QCOMPARE(next.allocator().holderCount(), 1);
        next.release(1, 1);
        QCOMPARE(next.allocator().holderCount() + next.machines()["m1"].allocator.holderCount(), 0);
    }

    void nothingIsKeptForATrialThatWaitsForAMachineToComeBack()
    {
        Scheduler scheduler(cores(1));
        for (const char *name : {"m1", "m2", "m3"})
            scheduler.machines()[name].allocator.setDevices(coresOn(name, 1), {});
        SweepDemand older = demand(1, 1, 3);
        older.next.machines = {"m1", "m2", "m3"};
        older.next.nodes = 3;
        SweepDemand newer = demand(2, 1, 1);
        newer.next.machines = {"m1"};
        scheduler.adopt(9, 1, {"cpu:0@m3"});
        QVERIFY2(!scheduler.decide({older, newer}).start, "the older one needs m1 as soon as m3 is free");
        scheduler.machines()["m3"].unavailable = facts::Code::MachineConnecting;
        const Decision decision = scheduler.decide({older, newer});
        QVERIFY(decision.start);
        QCOMPARE(decision.start->sweepId, 2);
    }

    void trialOnSeveralMachinesThatContinuesHasRankZeroAtHome()
    {
        Scheduler scheduler(cores(1));
        for (const char *name : {"m1", "m2"})
            scheduler.machines()[name].allocator.setDevices(coresOn(name, 1), {});
        SweepDemand wanted = demand(1, 1, 2);
        wanted.next.machines = {"localhost", "m1", "m2"};
        wanted.next.nodes = 2;
        wanted.next.home = "m2";
        // Not on this machine, which could only have rank 0.
        QCOMPARE(scheduler.decide({wanted}).start->devices.nodes, (std::vector<std::string>{"m2", "m1"}));
        scheduler.release(1, 1);
        scheduler.adopt(9, 1, {"cpu:0@m1"});
        QVERIFY(!scheduler.decide({wanted}).start);
        scheduler.release(9, 1);

        wanted.next.home = "localhost";
        QCOMPARE(scheduler.decide({wanted}).start->devices.nodes, (std::vector<std::string>{"", "m1"}));
        scheduler.release(1, 1);
        scheduler.adopt(9, 1, {"cpu:0"});
        const Decision decision = scheduler.decide({wanted});
        QVERIFY(!decision.start && !decision.impossible);
    }

    void trialThatWaitsForSeveralMachinesHoldsNoneAndIsNotOvertaken()
    {
        Scheduler scheduler(cores(0));
        for (const char *name : {"m1", "m2"})
            scheduler.machines()[name].allocator.setDevices(coresOn(name, 2), {});
        scheduler.adopt(9, 1, {"cpu:0@m2"});
        SweepDemand first = demand(1, 1, 4);
        first.next.machines = {"m1", "m2"};
        first.next.nodes = 2;
        first.next.cpuSlots = 2;
        SweepDemand second = demand(2, 1, 1);
        second.next.machines = {"m1"};
        const Decision decision = scheduler.decide({first, second});
        QVERIFY(!decision.start);
        QCOMPARE(scheduler.machines()["m1"].allocator.holderCount(), 0);
        QCOMPARE(decision.waiting.size(), 2U);
        QCOMPARE(QString::fromStdString(wording::sentence(decision.waiting[0].reason)).section(u':', 0, 1),
                 QStringLiteral("Needs 2 machines at once, and 1 has room: m2"));
        QVERIFY(decision.waiting[1].reason.because[0].because[0].code == facts::Code::BehindOlderSweep);
        scheduler.release(9, 1);
        QCOMPARE(scheduler.decide({first, second}).start->devices.nodes, (std::vector<std::string>{"m1", "m2"}));

        first.next.machines = {"m1"};
        QCOMPARE(scheduler.decide({first}).impossible->reason.code, facts::Code::TooFewMachines);
        first.next.machines = {"m1", "m2"};
        first.next.ranks = 3;
        QCOMPARE(scheduler.decide({first}).impossible->reason.code, facts::Code::RanksNotDivisible);
    }

    void gpusOfOneTrialAreOfOneModel()
    {
        Scheduler scheduler(cores(0));
        const auto gpu = [](const std::string &machine, const std::string &model) {
            return device::Device{"GPU-" + machine + "@" + machine, device::Kind::Gpu, 0, model, 0, false};
        };
        scheduler.machines()["m1"].allocator.setDevices({gpu("m1", "H200")}, {});
        scheduler.machines()["m2"].allocator.setDevices({gpu("m2", "A100")}, {});
        scheduler.machines()["m3"].allocator.setDevices({gpu("m3", "A100")}, {});
        SweepDemand wanted = demand(1, 1, 2);
        wanted.next.kind = sweep::DeviceKind::Gpu;
        wanted.next.machines = {"m1", "m2", "m3"};
        wanted.next.nodes = 2;
        QCOMPARE(scheduler.decide({wanted}).start->devices.nodes, (std::vector<std::string>{"m2", "m3"}));
        QCOMPARE(scheduler.machines()["m1"].allocator.holderCount(), 0);
        scheduler.release(1, 1);
        wanted.next.machines = {"m1", "m2"};
        QVERIFY(!scheduler.decide({wanted}).start);
        // While it waits for one machine, nobody takes what is free for it on another.
        wanted.next.machines = {"m2", "m3"};
        scheduler.adopt(9, 1, {"GPU-m3@m3"});
        SweepDemand later = demand(2, 1, 1);
        later.next.kind = sweep::DeviceKind::Gpu;
        later.next.machines = {"m2"};
        QVERIFY(!scheduler.decide({wanted, later}).start);
    }

    void trialsOfThisMachineAreJobsIfItHasACluster()
    {
        Scheduler scheduler(cores(4));
        scheduler.machines()["localhost"].cluster = Scheduler::Cluster{true, 2};
        for (const std::vector<std::string> &machines : {std::vector<std::string>{}, {"localhost"}, {"*"}}) {
            SweepDemand wanted = demand(1, 1, 2);
            wanted.next.perRank = 2;
            wanted.next.machines = machines;
            const Decision decision = scheduler.decide({wanted});
            QVERIFY(decision.start.has_value());
            QCOMPARE(decision.start->devices.machine, std::string("localhost"));
            QCOMPARE(decision.start->devices.perRank.at(1),
                     (std::vector<std::string>{"job:2@localhost", "job:3@localhost"}));
            QCOMPARE(decision.start->devices.ofJob->gpus, 4);
            QCOMPARE(decision.start->devices.ofJob->cpus, 2);
            scheduler.release(1, 1);
        }
        SweepDemand onCores = demand(1, 1, 2);
        onCores.next.kind = sweep::DeviceKind::Cpu;
        onCores.next.cpu.coresPerRank = 3;
        const Decision decision = scheduler.decide({onCores});
        QCOMPARE(decision.start->devices.ofJob->gpus, 0);
        QCOMPARE(decision.start->devices.ofJob->cpus, 6);
    }

    void severalNodesAreOneJobOfACluster()
    {
        Scheduler scheduler(cores(4));
        scheduler.machines()["lab"].cluster = Scheduler::Cluster{true, 2};
        SweepDemand wanted = demand(1, 1, 6);
        wanted.next.nodes = 3;
        wanted.next.perRank = 2;
        wanted.next.cpu.coresPerRank = 5;
        wanted.next.machines = {"lab", "localhost"};  // two machines would be too few
        const Decision decision = scheduler.decide({wanted});
        QVERIFY(decision.start.has_value());
        QCOMPARE(decision.start->devices.machine, std::string("lab"));
        QCOMPARE(decision.start->devices.ofJob->nodes, 3);
        QCOMPARE(decision.start->devices.ofJob->gpus, 4);
        QCOMPARE(decision.start->devices.ofJob->cpus, 10);
        scheduler.release(1, 1);
        wanted.next.ranks = 5;
        QVERIFY(scheduler.decide({wanted}).impossible->reason.code == facts::Code::RanksNotDivisible);
    }

    void fewJobsWaitAndFewerOfASearchThatLearns()
    {
        Scheduler scheduler({});
        scheduler.machines()["localhost"].cluster = Scheduler::Cluster{false, 6};
        SweepDemand grid = demand(1, 1, 1, 100);
        SweepDemand search = demand(2, 1, 1, 100);
        search.learns = true;
        search.waitingJobs["localhost"] = 4;
        Decision decision = scheduler.decide({search, grid});
        QCOMPARE(decision.start->sweepId, 1);
        QCOMPARE(wording::sentence(decision.waiting.front().reason),
                 std::string("Waits until fewer than 4 jobs are in Slurm's queue (slurm.waiting)"));
        search.waitingJobs["localhost"] = 3;
        QCOMPARE(scheduler.decide({search}).start->sweepId, 2);
        grid.waitingJobs["localhost"] = 3;
        decision = scheduler.decide({search, grid});
        QVERIFY(!decision.start);
        QCOMPARE(decision.waiting.size(), 2U);
        QCOMPARE(wording::sentence(decision.waiting.back().reason),
                 std::string("Waits until fewer than 6 jobs are in Slurm's queue (slurm.waiting)"));
    }

    void anUnreachableClusterIsWaitedForAndItsJobsAreAdopted()
    {
        Scheduler scheduler(cores(1));
        Scheduler::Machine &cluster = scheduler.machines()["localhost"];
        cluster.cluster = Scheduler::Cluster{true, 2};
        cluster.concurrent = 1;
        cluster.unavailable =
            facts::Fact(facts::Code::ClusterUnreachable).with(facts::Field::Detail, "Socket timed out");
        const Decision decision = scheduler.decide({demand(1, 1)});
        QVERIFY(!decision.start && !decision.impossible);
        QCOMPARE(wording::sentence(decision.waiting.front().reason),
                 std::string("Slurm's controller does not answer: Socket timed out"));
        cluster.unavailable = {};
        scheduler.adopt(1, 7, {"job:0@localhost"});
        QVERIFY(!scheduler.decide({demand(1, 1)}).start);
        scheduler.release(1, 7);
        QVERIFY(scheduler.decide({demand(1, 1)}).start.has_value());
    }

    void holderNamesAreParsedAndGarbageIsRefused()
    {
        const auto holder = Scheduler::parseHolder(Scheduler::holderName(12, 345));
        QVERIFY(holder.has_value());
        QCOMPARE(holder->sweepId, 12);
        QCOMPARE(holder->trial, 345);
        for (const char *garbage : {"", "12", "12/", "/3", "a/b", "1/2x"})
            QVERIFY2(!Scheduler::parseHolder(garbage), garbage);
    }
};

QTEST_GUILESS_MAIN(TestScheduler)
#include "tst_scheduler.moc"
