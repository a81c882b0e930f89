#include "testprogram.h"

#include "base/files.h"
#include "engine/preflight.h"
#include "launch/linktestfile.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::engine;

namespace {

/// A workspace, an attempt in it, and a worker.
struct Desk {
    QTemporaryDir folder;
    WorkspaceLayout workspace{folder.path().toStdString()};
    AttemptLayout attempt{workspace.root / "attempt"};
    std::filesystem::path worker = workspace.root / "worker";
    sweep::SweepSpec spec;
    schedule::Allocation devices;

    Desk()
    {
        std::filesystem::create_directories(attempt.folder);
        (void)writeFileAtomically(worker, "");
        sweep::LinkTest test;
        test.gpus = {{"GPU-a", "GPU 0"}, {"GPU-b", "GPU 1"}};
        test.pairs = {{0, 1, "NVLink (18 links)", 450e9}};
        devices.links = test;
    }

    std::vector<std::string> argv()
    {
        launch::LaunchSpec launch;
        launch.argv = {"python3", "train.py"};
        const Expected<void> added = addPreflight(launch, worker, workspace, attempt, spec, devices);
        return added ? launch.argv : std::vector<std::string>{added.error().message};
    }
    bool tests() { return argv().size() > 2; }
};

}  // namespace

class TestPreflight : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstAttemptTestsTheLinksAndThenRunsItsCommand()
    {
        Desk desk;
        const std::vector<std::string> argv = desk.argv();
        QCOMPARE(argv[0], desk.worker.string());
        QCOMPARE(argv[1], std::string("preflight"));
        const std::vector<std::string> end(argv.end() - 3, argv.end());
        QCOMPARE(end, (std::vector<std::string>{"--", "python3", "train.py"}));
        const auto written = sweep::parseLinkTest(*readFile(launch::linkTestFile(desk.attempt), 1 << 20));
        QVERIFY(written.has_value());
        QCOMPARE(*written, *desk.devices.links);
    }

    void testedGpusAreNotTestedAgainInAnyOrder()
    {
        Desk desk;
        const std::vector<std::string> argv = desk.argv();
        const std::filesystem::path kept = *(std::ranges::find(argv, "--keep") + 1);
        sweep::LinkTest result = *desk.devices.links;
        result.backend = "nccl";
        result.broken = {0, 1};
        result.reason = "no answer";
        QVERIFY(writeFileAtomically(kept, sweep::toJson(result)).has_value());
        QVERIFY2(desk.tests(), "a broken link is tested again");
        result.broken.clear();
        result.reason.clear();
        QVERIFY(writeFileAtomically(kept, sweep::toJson(result)).has_value());
        QVERIFY(!desk.tests());
        std::ranges::reverse(desk.devices.links->gpus);
        QVERIFY(!desk.tests());
        desk.devices.links->gpus[0].id = "GPU-c";
        QVERIFY2(desk.tests(), "other GPUs have other links");
        QVERIFY(writeFileAtomically(kept, "{").has_value());
        desk.devices.links->gpus[0].id = "GPU-b";
        QVERIFY2(desk.tests(), "a damaged result is none");
    }

    void nothingIsTestedWithoutNeed()
    {
        Desk desk;
        desk.spec.devices.preflight = false;
        QVERIFY(!desk.tests());
        desk.spec.devices.preflight = true;
        QVERIFY(desk.tests());
        desk.devices.simulated = true;
        QVERIFY2(!desk.tests(), "simulated GPUs have no links");
        qputenv("SWEEPSCOPE_PREFLIGHT_LINKS", "none");
        QVERIFY2(desk.tests(), "unless links are simulated, too");
        qunsetenv("SWEEPSCOPE_PREFLIGHT_LINKS");
        desk.devices.simulated = false;
        std::filesystem::remove(desk.worker);
        QVERIFY2(!desk.tests(), "a build without LibTorch has no worker");
        (void)writeFileAtomically(desk.worker, "");
        desk.devices.links.reset();
        QVERIFY2(!desk.tests(), "one GPU");
    }
};

SWEEPSCOPE_TEST(TestPreflight)
#include "tst_preflight.moc"
