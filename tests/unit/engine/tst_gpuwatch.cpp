#include "engine/gpuwatch.h"

#include <QTest>

#include <set>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace std::chrono_literals;

namespace {

constexpr double gib = 1024.0 * 1024 * 1024;
const GpuWatch::Time start = GpuWatch::Time() + 1h;

/// One GPU of 80 GiB, read when the test says so.
struct Machine {
    std::set<pid_t> ours;
    std::set<pid_t> dead;
    GpuWatch watch{[this](pid_t pid) { return ours.contains(pid); }, [this](pid_t pid) { return !dead.contains(pid); }};
    DeviceLook look;
    std::vector<device::Device> gpus{
        {"GPU-a", device::Kind::Gpu, 3, "NVIDIA H100", static_cast<std::uint64_t>(80 * gib), false}};
    bool isHeld = false;
    GpuWatch::Time now = start;

    void read(std::optional<double> usedBytes, std::vector<device::DeviceProcess> processes = {})
    {
        look.gpus["GPU-a"] = {now, usedBytes, std::move(processes)};
    }
    schedule::GpuState state()
    {
        return watch
            .states(
                gpus, look, [this](const std::string &) { return isHeld; }, start, now)
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

schedule::FormerLease former(const char *mark, bool isOurs)
{
    return {"digits, trial 3 of anna", isOurs, static_cast<std::uint64_t>(gib), mark};
}

}  // namespace

class TestGpuWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsGivenBeforeItWasRead()
    {
        Machine machine;
        QCOMPARE(machine.state().unusable, std::string("has not been read yet"));
        machine.now = start - 1s;
        machine.read(gib);
        machine.now = start + 1s;
        QCOMPARE(machine.state().unusable, std::string("has not been read yet"));
        machine.read(gib);
        QCOMPARE(machine.state().unusable, std::string());
    }

    void whatIsLostIsNotGivenUntilItIsBack()
    {
        Machine machine;
        machine.read(gib);
        machine.look.unusable["GPU-a"] = "is lost";
        QCOMPARE(machine.state().unusable, std::string("is lost"));
        machine.look.unusable.clear();
        QCOMPARE(machine.state().unusable, std::string());
    }

    void othersAreNamedWithTheLargestFirst()
    {
        Machine machine;
        machine.read(70 * gib, {process(4710, gib), process(4711, 61 * gib)});
        const schedule::GpuState state = machine.state();
        QCOMPARE(state.foreign, std::string("is used by pid 4711 of ben, 61 GiB, and 1 more"));
        QCOMPARE(state.foreignBytes, static_cast<std::uint64_t>(62 * gib));
    }

    void ourOwnDesktopsAndTheDeadAreNoOthers()
    {
        Machine machine;
        machine.ours = {1};
        machine.dead = {2};
        machine.read(gib, {process(1, gib), process(2, gib), process(3, gib, "ben", false)});
        QCOMPARE(machine.state().foreign, std::string());
    }

    void aProcessThatIsNotVisibleIsAnotherUnlessTheGpuIsOurs()
    {
        Machine machine;
        machine.read(gib, {process(4711, gib, nullptr)});
        QCOMPARE(machine.state().foreign, std::string("is used by pid 4711, which is not visible from here, 1 GiB"));
        machine.isHeld = true;
        QCOMPARE(machine.state().foreign, std::string());
    }

    void memoryMustBeFreeAgainByAReadingSinceTheEnd()
    {
        Machine machine;
        machine.read(gib);
        machine.watch.given("GPU-a", machine.look);
        machine.now += 10s;
        machine.watch.released("GPU-a", machine.now);
        QVERIFY(!machine.state().draining.empty());
        machine.now += 1s;
        machine.read(30 * gib);
        QCOMPARE(machine.state().draining,
                 std::string("has not given back the memory of its last trial yet: 30 GiB are in use"));
        machine.now += 1s;
        machine.read(1.2 * gib);
        QCOMPARE(machine.state().draining, std::string());
        machine.read(30 * gib);
        QCOMPARE(machine.state().draining, std::string());
    }

    void memoryThatIsNeverGivenBackIsToldOnce()
    {
        Machine machine;
        machine.read(gib);
        machine.watch.given("GPU-a", machine.look);
        machine.watch.released("GPU-a", machine.now);
        machine.now += 59s;
        machine.read(30 * gib);
        QVERIFY(!machine.state().drainsForLong);
        QVERIFY(machine.watch.takeWarnings().empty());
        machine.now += 2s;
        const schedule::GpuState state = machine.state();
        QVERIFY(state.drainsForLong);
        QVERIFY(state.draining.find("still has 30 GiB of its memory in use, 61 s after its last trial ended") == 0);
        const std::vector<std::string> warnings = machine.watch.takeWarnings();
        QCOMPARE(warnings.size(), 1U);
        QVERIFY(warnings.front().rfind("GPU 3 still has", 0) == 0);
        machine.state();
        QVERIFY(machine.watch.takeWarnings().empty());
    }

    void memoryThatAnotherProcessTookMeanwhileIsItsOwnMatter()
    {
        Machine machine;
        machine.read(gib);
        machine.watch.given("GPU-a", machine.look);
        machine.watch.released("GPU-a", machine.now);
        machine.now += 1s;
        machine.read(30 * gib, {process(4711, 30 * gib)});
        QCOMPARE(machine.state().draining, std::string());
        QVERIFY(!machine.state().foreign.empty());
    }

    void whatWasInUseBeforeAnAdoptedTrialIsNotKnownAndLittleIsForgiven()
    {
        Machine machine;
        machine.watch.given("GPU-a", machine.look);
        machine.watch.released("GPU-a", machine.now);
        machine.now += 1s;
        machine.read(5 * gib);
        QVERIFY(!machine.state().draining.empty());
        machine.read(5 * gib, {process(7, 2 * gib, "anna", false)});
        QCOMPARE(machine.state().draining, std::string());
    }

    void whoeverHadItBeforeIsWaitedForByWhatTheyNoted()
    {
        Machine machine;
        machine.read(gib);
        machine.now += 1s;
        const auto left = [&](const char *mark, bool isOurs = false) {
            return machine.watch.left("GPU-a", former(mark, isOurs), machine.now);
        };
        QCOMPARE(left("1"), std::string("has not been read since digits, trial 3 of anna had it"));
        QCOMPARE(machine.state().draining, std::string("has not been read since digits, trial 3 of anna had it"));
        QVERIFY2(left("1").empty(), "states() says it now");
        machine.now += 1s;
        machine.read(30 * gib);
        QCOMPARE(machine.state().draining,
                 std::string("has not given back the memory of digits, trial 3 of anna yet: 30 GiB (1 GiB before) "
                             "are in use; after 10 min it is given all the same"));
        QCOMPARE(machine.state().usedBytes, std::optional(static_cast<std::uint64_t>(30 * gib)));
        machine.read(1.2 * gib);
        QCOMPARE(machine.state().draining, std::string());
        QCOMPARE(left("1"), std::string());
        QVERIFY2(!left("2").empty(), "another lease since then");
        machine.now += 1s;
        machine.read(1.2 * gib);
        machine.state();
        QVERIFY2(!left("3", true).empty(), "ours, but of an engine before this one");
        machine.now += 1s;
        machine.read(1.2 * gib);
        machine.state();
        machine.watch.given("GPU-a", machine.look);
        machine.watch.released("GPU-a", machine.now);
        machine.now += 1s;
        machine.read(1.2 * gib);
        machine.state();
        QVERIFY2(left("4", true).empty(), "this engine has seen its end");
    }

    void whatOthersNotedKeepsNobodyFromAGpuForEver()
    {
        Machine machine;
        machine.watch.left("GPU-a", former("1", false), machine.now);
        machine.now += 61s;
        machine.read(30 * gib);
        schedule::GpuState state = machine.state();
        QVERIFY2(state.drainsForLong, "who shares has waited long enough");
        QCOMPARE(
            state.draining,
            std::string("still has 30 GiB (1 GiB before) of its memory in use, 61 s after digits, trial 3 of anna "
                        "had it: a process may be left on it (nvidia-smi), or it needs a reset; after 10 min it is "
                        "given all the same"));
        QCOMPARE(machine.watch.takeWarnings().size(), 1U);
        machine.now = start + 599s;
        machine.read(30 * gib);
        QVERIFY(!machine.state().draining.empty());
        machine.now = start + 600s;
        machine.read(30 * gib);
        QCOMPARE(machine.state().draining, std::string());
        const std::vector<std::string> warnings = machine.watch.takeWarnings();
        QCOMPARE(warnings.size(), 1U);
        QVERIFY(warnings.front().ends_with("600 s after digits, trial 3 of anna had it: it is given all the same from "
                                           "now on"));
        QVERIFY(machine.watch.left("GPU-a", former("1", false), machine.now).empty());
    }

    void aGpuThatTellsNoMemoryIsNotWaitedFor()
    {
        Machine machine;
        machine.watch.released("GPU-a", machine.now);
        machine.now += 1s;
        machine.read(std::nullopt);
        QCOMPARE(machine.state().draining, std::string());
    }
};

QTEST_GUILESS_MAIN(TestGpuWatch)
#include "tst_gpuwatch.moc"
