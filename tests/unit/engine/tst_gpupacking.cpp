#include "testprogram.h"

#include "engine/gpupacking.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;
using facts::Code;
using facts::Fact;

namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;
constexpr WallNs aSecond = 1'000'000'000;

device::DeviceProcess gpuProcess(pid_t pid, std::optional<std::uint64_t> bytes, bool isVisible = true)
{
    device::DeviceProcess process{pid, std::nullopt, std::nullopt, bytes, true};
    if (isVisible)
        process.user = "ben";
    return process;
}

std::optional<std::uint64_t> memoryOf(std::vector<device::DeviceProcess> processes, bool isAlone)
{
    const node::GpuSnapshot seen{{}, 40.0 * gibibyte, std::move(processes)};
    return memoryPerRank(
        seen, 2, [](pid_t pid) { return pid < 10; }, isAlone);
}

}  // namespace

class TestGpuPacking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialsShareOnceTheMemoryOfOneIsMeasured()
    {
        GpuPacking packing({});
        QCOMPARE(packing.wishesFor(1, {}).perGpu, 1);
        QVERIFY(packing.whyAlone(1) == Fact(Code::AloneToMeasure));
        packing.meter(1).noteMemory(10 * gibibyte);
        QCOMPARE(packing.wishesFor(2, {}).perGpu, 1);
        const Fact measured = packing.measuredBy(1, true);
        packing.end(1, measured, false);
        QCOMPARE(packing.wishesFor(2, {}).measuredBytes, 10 * gibibyte);
        QVERIFY(packing.wishesFor(2, {}).perGpu > 1);
        QVERIFY(!packing.whyAlone(2));
        // That of a running trial counts if it is larger.
        packing.meter(2).noteMemory(12 * gibibyte);
        QCOMPARE(packing.wishesFor(3, {}).measuredBytes, 12 * gibibyte);
    }

    void longTrainingIsMeasuredBeforeItEnds()
    {
        GpuPacking packing({});
        packing.meter(1).noteMemory(10 * gibibyte);
        packing.meter(1).noteStep(1, 0, 1);
        packing.meter(1).noteStep(2, 599 * aSecond, 1);
        QCOMPARE(packing.wishesFor(2, {}).measuredBytes, 0U);
        packing.meter(1).noteStep(3, 600 * aSecond, 1);
        QCOMPARE(packing.wishesFor(2, {}).measuredBytes, 10 * gibibyte);
    }

    void attemptThatFailedAtOnceMeasuresNothing()
    {
        GpuPacking packing({});
        packing.meter(1).noteMemory(gibibyte);
        QVERIFY(!packing.measuredBy(1, false));
        packing.meter(1).noteStep(1, 0, 1);
        packing.meter(1).noteStep(2, aSecond, 1);
        QVERIFY(packing.measuredBy(1, false).code == Code::SharingMeasured);
        QVERIFY(!packing.measuredBy(2, true));
        packing.meter(3).noteStep(1, 0, 1);  // of a driver that tells no memory
        QVERIFY(!packing.measuredBy(3, true));
    }

    void trialRunsAgainAloneOnceAndOnlyIfItHadShared()
    {
        GpuPacking packing({});
        packing.meter(1).noteMemory(gibibyte);
        packing.end(1, packing.measuredBy(1, true), false);
        packing.meter(2).noteStep(1, 0, 1);
        QVERIFY(!packing.mayRerunAlone(2));
        packing.meter(2).noteStep(1, 0, 2);
        QVERIFY(packing.mayRerunAlone(2));
        packing.end(2, {}, true);
        QCOMPARE(packing.wishesFor(2, {}).perGpu, 1);
        QVERIFY(!packing.whyAlone(2));  // the history of the trial says it already
        QVERIFY(packing.wishesFor(3, {}).perGpu > 1);
        packing.meter(2).noteStep(1, 0, 2);
        QVERIFY(!packing.mayRerunAlone(2));
    }

    void historyRestoresWhatWasMeasured()
    {
        const auto entry = [](int trial, Fact reason) {
            return sweep::HistoryEntry{0, trial, "running", "completed", std::move(reason)};
        };
        std::vector<sweep::HistoryEntry> history{
            entry(1, schedule::factOf({10 * gibibyte, 10.0, {}, 1})),
            entry(2, Fact(Code::RerunAlone)),
            entry(3, Code::Queued),
        };
        const GpuPacking packing(history);
        QCOMPARE(packing.wishesFor(1, {}).measuredBytes, 10 * gibibyte);
        QCOMPARE(packing.wishesFor(2, {}).measuredBytes, 0U);
        QVERIFY(!packing.verdict());
        for (int i = 0; i < 3; ++i)
            history.push_back(entry(4 + i, schedule::factOf({gibibyte, {}, 5.0, 2})));
        const GpuPacking stopped(history);
        QVERIFY(stopped.verdict().code == Code::SharingDoesNotPay);
        QVERIFY(stopped.whyAlone(1) == stopped.verdict());
        QCOMPARE(stopped.wishesFor(1, {}).perGpu, 1);
    }

    void memoryIsThatOfTheAttemptsProcesses()
    {
        QCOMPARE(
            memoryOf({gpuProcess(1, 6 * gibibyte), gpuProcess(2, 4 * gibibyte), gpuProcess(20, 30 * gibibyte)}, false),
            5 * gibibyte);
        QVERIFY(!memoryOf({gpuProcess(20, 30 * gibibyte)}, true));
        // In a container, or with a driver that tells no memory, all of the memory in use is that of a trial alone.
        QCOMPARE(memoryOf({gpuProcess(1, 6 * gibibyte, false)}, true), 20 * gibibyte);
        QCOMPARE(memoryOf({gpuProcess(1, {})}, true), 20 * gibibyte);
        QCOMPARE(memoryOf({}, true), 20 * gibibyte);
        QVERIFY(!memoryOf({}, false));
    }
};

SWEEPSCOPE_TEST(TestGpuPacking)
#include "tst_gpupacking.moc"
