#include "sharedmachine.h"
#include "testprogram.h"

#include "base/workspacelayout.h"
#include "feed/feedreader.h"

#include <QTest>

using namespace sweepscope;

namespace {

/// Counts readings of the GPU's processes, which are rarer than others, since its memory in use has reached a value.
struct MemoryReadings final : feed::RecordVisitor {
    explicit MemoryReadings(double bytes) : least(bytes) {}
    void series(const feed::SeriesDeclaration &declaration) override
    {
        if (declaration.name == "GPU-aaaaaaaa.memory")
            memory = declaration.id;
        if (declaration.name == "GPU-aaaaaaaa.processes")
            processes = declaration.id;
    }
    void point(const feed::Point &point) override
    {
        isReached = isReached || (point.series == memory && point.value >= least);
        count += point.series == processes && isReached ? 1 : 0;
    }

    double least;
    std::optional<std::uint16_t> memory;
    std::optional<std::uint16_t> processes;
    bool isReached = false;
    int count = 0;
};

/// Trials use 2.5 GB of the GPU's 10 GB from their start until the file go.N exists; the third needs 6 GB. It begins when
/// the second and the fourth run next to it, and again when it is alone.
constexpr const char *packedTrial =
    "if test $1 = 3; then\n"
    "  until test -e go.2 || { test -e use/2 && test -e use/4; }; do sleep 0.05; done\n"
    "  if ls use | grep -q .; then\n"
    "    echo 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.59 GiB.' >&2\n"
    "    exit 1\n"
    "  fi\n"
    "fi\n"
    "trap \"rm -f use/$1\" EXIT\n"
    "bytes=2500000000\n"
    "test $1 = 3 && bytes=6000000000\n"
    "echo $$ $bytes > use/$1\n"
    "until test -e go.$1; do sleep 0.05; done";

}  // namespace

/// Sharing of GPUs by measured memory, with ranks that report theirs to a simulated driver.
class TestPacking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialsShareByMeasuredMemoryAndOneThatRanOutRunsAgainAlone()
    {
        SharedMachine machine;
        EngineFixture &anna = machine.anna;
        QVERIFY(QDir().mkdir(anna.path(text("use"))));
        machine.driver.setScript(text(R"({"gpus": [{"uuid": "GPU-aaaaaaaa", "name": "Fake H200", "memory": 10000000000,
                                    "memory_used": 1000, "processes_from": "%1"}]})")
                                     .arg(anna.path(text("use")))
                                     .toStdString());
        QVERIFY(anna.startEngine());
        const QString file = machine.writeSweep(anna, 5, 1, 4, "", text(packedTrial), text("per_gpu = \"auto\""));
        const QString plan = anna.sweepctl({text("plan"), file}).out;
        QVERIFY2(plan.contains(text("Trials run alone on their GPUs until the memory use of one is measured")),
                 qPrintable(plan));
        QCOMPARE(anna.sweepctl({text("run"), file}).exitCode, 0);

        // The first trial has the GPU alone, and is measured.
        QVERIFY(anna.waitForTrialState(1, text("running"), patience));
        QVERIFY2(waitsFor(anna, 2, "Waits for 1 GPU: 1 is in use"), qPrintable(anna.trialCause(2)));
        QVERIFY(isRead(anna, 2.5e9));
        anna.write(text("go.1"), {});
        QVERIFY(anna.waitForTrialState(1, text("completed"), patience));
        const QString first = historyOf(anna, 1);
        QVERIFY2(first.contains(text("Runs alone on its GPUs until the memory of a trial is measured")),
                 qPrintable(first));
        QVERIFY2(first.contains(text("Each rank used up to 2.3 GiB of GPU memory")), qPrintable(first));

        // The next three share it. The one that runs out of memory there waits to have it alone, also after a restart.
        QVERIFY(QTest::qWaitFor([&] { return historyOf(anna, 3).contains(text("ran out of memory on a shared GPU")); },
                                patience));
        QCOMPARE(anna.trialStates(),
                 (QStringList{text("completed"), text("running"), text("queued"), text("running"), text("queued")}));
        anna.killEngine();
        QVERIFY(anna.startEngine());
        QVERIFY2(waitsFor(anna, 3, "Waits for 1 GPU: 1 is in use"), qPrintable(anna.trialCause(3)));
        anna.write(text("go.2"), {});
        QVERIFY(anna.waitForTrialState(2, text("completed"), patience));
        QVERIFY2(waitsFor(anna, 3, "Waits for 1 GPU: 1 is in use"), qPrintable(anna.trialCause(3)));
        anna.write(text("go.4"), {});

        // Its peak counts from then on.
        QVERIFY(anna.waitForTrialState(3, text("running"), patience));
        QVERIFY(isRead(anna, 6e9));
        QVERIFY2(waitsFor(anna, 5, "Waits for 1 GPU: 1 is in use"), qPrintable(anna.trialCause(5)));
        anna.write(text("go.3"), {});
        QVERIFY(anna.waitForTrialState(3, text("completed"), patience));
        const QString third = historyOf(anna, 3);
        QVERIFY2(third.contains(text("Runs again, alone on its GPUs: attempt 1 ran out of memory on a shared GPU")),
                 qPrintable(third));
        QVERIFY2(third.contains(text("Each rank used up to 5.6 GiB of GPU memory")), qPrintable(third));
        anna.write(text("go.5"), {});
        QVERIFY(anna.waitForSweepState(text("completed"), patience));
        QCOMPARE(anna.trialStates().count(text("completed")), 5);
    }

private:
    static bool waitsFor(const EngineFixture &fixture, int trial, const char *reason)
    {
        return QTest::qWaitFor([&] { return fixture.trialCause(trial).startsWith(text(reason)); }, patience);
    }
    static QString historyOf(const EngineFixture &fixture, int trial)
    {
        return fixture.sweepctl({text("history"), text("1"), text("--trial"), QString::number(trial)}).out;
    }
    /// The engine has taken a reading into account when it has written the next one.
    static bool isRead(const EngineFixture &fixture, double bytes)
    {
        MemoryReadings readings(bytes);
        feed::FeedReader reader(WorkspaceLayout{fixture.workspace().toStdString()}.devicesFeed(), {});
        return QTest::qWaitFor([&] { return reader.poll(readings) && readings.count >= 2; }, patience);
    }
};

SWEEPSCOPE_TEST(TestPacking)
#include "tst_packing.moc"
