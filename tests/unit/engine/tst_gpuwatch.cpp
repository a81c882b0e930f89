#include "testprogram.h"

#include "engine/gpuwatch.h"
#include "wording/sentence.h"

#include <QTest>

#include <set>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace std::chrono_literals;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;
const GpuWatch::Time start = GpuWatch::Time() + 1h;

/// One GPU with 80 GiB, read when the test asks for it.
struct Machine {
    std::set<pid_t> ours;
    std::set<pid_t> dead;
    GpuWatch watch{[this](pid_t pid) { return ours.contains(pid); }, [this](pid_t pid) { return !dead.contains(pid); }};
    node::DeviceSnapshot snapshot;
    std::vector<device::Device> gpus{
        {"GPU-a", device::Kind::Gpu, 3, "NVIDIA H100", static_cast<std::uint64_t>(80 * gib), false}};
    bool isHeld = false;
    GpuWatch::Time now = start;

    void read(std::optional<double> usedBytes, std::vector<device::DeviceProcess> processes = {})
    {
        snapshot.gpus["GPU-a"] = {now, usedBytes, std::move(processes)};
    }
    schedule::GpuState state()
    {
        return watch
            .states(
                gpus, snapshot, [this](const std::string &) { return isHeld; }, start, now)
            .at("GPU-a");
    }
};

device::DeviceProcess process(pid_t pid, double bytes, const char *user = "ben", bool computes = true)
{
    device::DeviceProcess made{pid, std::nullopt, "python3", static_cast<std::uint64_t>(bytes), computes};
    if (user != nullptr)
        made.user = user;
    return made;
}

}  // namespace

using facts::Code;
using facts::Fact;
using facts::Field;

class TestGpuWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noGpuIsAllocatedBeforeItsFirstReading()
    {
        Machine machine;
        QCOMPARE(machine.state().unusable, Fact(Code::GpuNotRead));
        machine.now = start - 1s;
        machine.read(gib);
        machine.now = start + 1s;
        QCOMPARE(machine.state().unusable, Fact(Code::GpuNotRead));
        machine.read(gib);
        QCOMPARE(machine.state().unusable, Fact());
    }

    void lostGpuIsNotAllocatedUntilItReturns()
    {
        Machine machine;
        machine.read(gib);
        machine.snapshot.unusable["GPU-a"] = Code::GpuLost;
        QCOMPARE(machine.state().unusable, Fact(Code::GpuLost));
        machine.snapshot.unusable.clear();
        QCOMPARE(machine.state().unusable, Fact());
    }

    void foreignProcessesAreListedByMemory()
    {
        Machine machine;
        machine.read(70 * gib, {process(4710, gib), process(4711, 61 * gib)});
        const schedule::GpuState state = machine.state();
        QCOMPARE(wording::clause(state.foreign),
                 std::string("is used by python3, pid 4711 of ben, 61 GiB, and 1 more"));
        QCOMPARE(state.foreignBytes, static_cast<std::uint64_t>(62 * gib));
    }

    void ownGraphicsAndDeadProcessesAreNotForeign()
    {
        Machine machine;
        machine.ours = {1};
        machine.dead = {2};
        machine.read(gib, {process(1, gib), process(2, gib), process(3, gib, "ben", false)});
        QCOMPARE(machine.state().foreign, Fact());
    }

    void invisibleProcessIsForeignUnlessTheGpuIsOurs()
    {
        Machine machine;
        machine.read(gib, {process(4711, gib, nullptr)});
        QCOMPARE(wording::clause(machine.state().foreign),
                 std::string("is used by python3, pid 4711, which is not visible here, 1 GiB"));
        machine.isHeld = true;
        QCOMPARE(machine.state().foreign, Fact());
    }

    void memoryMustBeFreeInAReadingAfterTheEnd()
    {
        Machine machine;
        machine.read(gib);
        machine.watch.assigned("GPU-a", machine.snapshot);
        machine.now += 10s;
        machine.watch.released("GPU-a", machine.now);
        QVERIFY(bool(machine.state().draining));
        machine.now += 1s;
        machine.read(30 * gib);
        QCOMPARE(wording::clause(machine.state().draining),
                 std::string("has not released the memory of its last trial yet: 30 GiB are in use"));
        machine.now += 1s;
        machine.read(1.2 * gib);
        QCOMPARE(machine.state().draining, Fact());
        machine.read(30 * gib);
        QCOMPARE(machine.state().draining, Fact());
    }

    void memoryThatIsNeverFreedIsReportedOnce()
    {
        Machine machine;
        machine.read(gib);
        machine.watch.assigned("GPU-a", machine.snapshot);
        machine.watch.released("GPU-a", machine.now);
        machine.now += 59s;
        machine.read(30 * gib);
        QVERIFY(!machine.state().drainsForLong);
        QVERIFY(machine.watch.takeWarnings().empty());
        machine.now += 2s;
        const schedule::GpuState state = machine.state();
        QVERIFY(state.drainsForLong);
        QVERIFY(wording::clause(state.draining)
                    .find("still has 30 GiB of its memory in use, 61 s after its last trial ended")
                == 0);
        const facts::Facts warnings = machine.watch.takeWarnings();
        QCOMPARE(warnings.size(), 1U);
        QVERIFY(wording::sentence(warnings.front()).rfind("GPU 3 still has", 0) == 0);
        machine.state();
        QVERIFY(machine.watch.takeWarnings().empty());
    }

    void memoryTakenByAnotherProcessMeanwhileIsNotCounted()
    {
        Machine machine;
        machine.read(gib);
        machine.watch.assigned("GPU-a", machine.snapshot);
        machine.watch.released("GPU-a", machine.now);
        machine.now += 1s;
        machine.read(30 * gib, {process(4711, 30 * gib)});
        QCOMPARE(machine.state().draining, Fact());
        QVERIFY(bool(machine.state().foreign));
    }

    void memoryBeforeAnAdoptedTrialIsUnknownAndToleranceIsSmall()
    {
        Machine machine;
        machine.watch.assigned("GPU-a", machine.snapshot);
        machine.watch.released("GPU-a", machine.now);
        machine.now += 1s;
        machine.read(5 * gib);
        QVERIFY(bool(machine.state().draining));
        machine.read(5 * gib, {process(7, 2 * gib, "anna", false)});
        QCOMPARE(machine.state().draining, Fact());
    }

    void gpuWithoutMemoryReadingsIsNotWaitedFor()
    {
        Machine machine;
        machine.watch.released("GPU-a", machine.now);
        machine.now += 1s;
        machine.read(std::nullopt);
        QCOMPARE(machine.state().draining, Fact());
    }
};

SWEEPSCOPE_TEST(TestGpuWatch)
#include "tst_gpuwatch.moc"
