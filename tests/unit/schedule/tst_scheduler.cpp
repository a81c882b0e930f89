#include "schedule/scheduler.h"

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
