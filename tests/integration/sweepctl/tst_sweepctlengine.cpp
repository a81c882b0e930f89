#include "enginefixture.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <sys/resource.h>

/// sweepctl with an engine that is stopped, killed, blocked or missing.
class TestSweepctlEngine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void engineSurvivesFailedWrites()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine());
        QFile status(text("/proc/%1/status").arg(fixture.enginePid()));
        QVERIFY(status.open(QIODevice::ReadOnly));
        const auto ignored =
            QRegularExpression(text("SigIgn:\\s+([0-9a-f]+)")).match(QString::fromUtf8(status.readAll())).captured(1);
        const qulonglong mask = ignored.toULongLong(nullptr, 16);
        QVERIFY2((mask & (1ULL << (SIGPIPE - 1))) != 0, qPrintable(ignored));
        QVERIFY2((mask & (1ULL << (SIGXFSZ - 1))) != 0, qPrintable(ignored));
    }

    void stopEndsRunningAndQueuedTrials()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("sleep 1000"), 3);
        const auto waiting = fixture.startSweepctl({text("run"), file, text("--wait")});
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        const QString status = fixture.sweepctl({text("status")}).out;
        QVERIFY2(status.contains(text("  trial 1  running  n=1\n")), qPrintable(status));
        QCOMPARE(fixture.sweepctl({text("stop"), text("no-such-sweep")}).exitCode, 2);
        QCOMPARE(fixture.sweepctl({text("stop"), text("0001-shell")}).exitCode, 0);
        QVERIFY(waiting->waitForFinished(60'000));
        QCOMPARE(waiting->exitCode(), 3);
        QCOMPARE(fixture.trialStates(), (QStringList{text("stopped"), text("stopped"), text("stopped")}));
        const auto again = fixture.sweepctl({text("stop"), text("1")});
        QCOMPARE(again.exitCode, 2);
        QVERIFY(again.err.contains(text("already ended")));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void fullDiskIsReportedWhileItLastsAndLosesNothing()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("until test -e go; do sleep 0.05; done; echo $1 >> ran"), 2);
        const auto waiting = fixture.startSweepctl({text("run"), file, text("--wait")});
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        // The engine's files cannot grow: its writes fail as on a full disk.
        rlimit before{};
        QCOMPARE(::prlimit(fixture.enginePid(), RLIMIT_FSIZE, nullptr, &before), 0);
        const rlimit full{1, before.rlim_max};
        QCOMPARE(::prlimit(fixture.enginePid(), RLIMIT_FSIZE, &full, nullptr), 0);
        fixture.write(text("go"), {});
        const auto isToldOf = [&] {
            const QJsonArray warnings = fixture.sweep().value(QLatin1String("warnings")).toArray();
            return std::any_of(warnings.begin(), warnings.end(), [](const QJsonValue &warning) {
                return warning.toString().contains(text("sweepscope.db"));
            });
        };
        QVERIFY(QTest::qWaitFor(isToldOf, 60'000));
        QVERIFY(fixture.sweepctl({text("status")}).out.contains(text("  warning: the database")));
        QVERIFY(waiting->state() == QProcess::Running);
        QString said;
        const auto hasSaid = [&](const char *words) {
            said += QString::fromUtf8(waiting->readAllStandardError());
            return said.contains(text(words));
        };
        QVERIFY2(QTest::qWaitFor([&] { return hasSaid("warning: the database"); }, 60'000), qPrintable(said));

        QCOMPARE(::prlimit(fixture.enginePid(), RLIMIT_FSIZE, &before, nullptr), 0);
        QVERIFY(waiting->waitForFinished(60'000));
        QCOMPARE(waiting->exitCode(), 0);
        QVERIFY2(hasSaid("the sweep continues"), qPrintable(said));
        QVERIFY(!isToldOf());
        QCOMPARE(fixture.lines(text("ran")).size(), 2);
    }

    void interruptEndsTheWaitButNotTheSweep()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("until test -e go; do sleep 0.05; done"), 1);
        const auto waiting = fixture.startSweepctl({text("run"), file, text("--wait")});
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        ::kill(static_cast<pid_t>(waiting->processId()), SIGINT);
        QVERIFY(waiting->waitForFinished(30'000));
        QCOMPARE(waiting->exitCode(), 130);
        QVERIFY(QString::fromUtf8(waiting->readAllStandardError()).contains(text("sweepctl stop 1")));
        QCOMPARE(fixture.trialStates(), QStringList{text("running")});
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
    }

    void killedClientLeavesTrialsRunning()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("until test -e go; do sleep 0.05; done; echo $1 >> ran"), 2);
        const auto waiting = fixture.startSweepctl({text("run"), file, text("--wait")});
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        waiting->kill();
        QVERIFY(waiting->waitForFinished(30'000));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("ran")).size(), 2);
    }

    void waitingSurvivesRepeatedKillsOfTheEngine()
    {
        EngineFixture fixture;
        const QString file =
            fixture.writeShellSweep(text("until test -e go.$1; do sleep 0.05; done; echo $1 >> ran"), 3);
        const auto waiting = fixture.startSweepctl({text("run"), file, text("--wait")});
        for (int trial = 1; trial <= 2; ++trial) {
            QVERIFY(fixture.waitForTrialState(trial, text("running")));
            const pid_t before = fixture.enginePid();
            fixture.killEngine();
            QVERIFY2(QTest::qWaitFor([&] { return fixture.enginePid() != 0 && fixture.enginePid() != before; }, 60'000),
                     "the waiting command has started another one");
            fixture.write(text("go.%1").arg(trial), {});
        }
        fixture.write(text("go.3"), {});
        QVERIFY(waiting->waitForFinished(60'000));
        QCOMPARE(waiting->exitCode(), 0);
        QCOMPARE(QString::fromUtf8(waiting->readAllStandardOutput()).count(text("] trial ")), 3);
        QCOMPARE(fixture.lines(text("ran")).size(), 3);
    }

    void withoutAnEngineOnlyChangesStartOne()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 2);
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        fixture.endEngine();
        const auto status = fixture.sweepctl({text("status")});
        QCOMPARE(status.exitCode, 0);
        QVERIFY2(status.out.contains(text("No engine runs")) && status.out.contains(text("2 completed")),
                 qPrintable(status.out));
        QVERIFY2(fixture.enginePid() == 0, "looking starts no engine");
        const auto stop = fixture.sweepctl({text("stop"), text("1")});
        QCOMPARE(stop.exitCode, 2);
        QVERIFY2(stop.err.contains(text("has already ended")), qPrintable(stop.err));
        QVERIFY(fixture.enginePid() != 0);

        const QByteArray runtimeFolder = qgetenv("XDG_RUNTIME_DIR");
        qputenv("XDG_RUNTIME_DIR", fixture.path(text("elsewhere")).toUtf8());
        const auto beside = fixture.sweepctl({text("status")});
        const auto run = fixture.sweepctl({text("run"), file});
        qputenv("XDG_RUNTIME_DIR", runtimeFolder);
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains(text("Set XDG_RUNTIME_DIR as for the engine"))
                     && run.err.contains(QString::number(fixture.enginePid())),
                 qPrintable(run.err));
        QVERIFY2(beside.out.contains(text("XDG_RUNTIME_DIR")) && beside.out.contains(text("2 completed")),
                 qPrintable(beside.out));
    }

    void engineThatCannotStartIsReportedWithTheReason()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 1);
        QVERIFY(QDir().mkpath(fixture.workspace()));
        fixture.write(text("ws/sweepscope.db"), QString(8192, QLatin1Char('x')));
        const auto result = fixture.sweepctl({text("run"), file});
        QCOMPARE(result.exitCode, 4);
        QVERIFY2(result.err.contains(text("engine did not start")) && result.err.contains(text("sweepscope.db")),
                 qPrintable(result.err));
        // SQLite's message, once, and then what to do.
        const QString kept = text("sweepscope.db is damaged: file is not a database. The curves and logs of its sweeps "
                                  "are kept. ");
        const QString rebuild = text("sweepctl rescue --workspace ") + fixture.workspace() + text("\n");
        QVERIFY2(result.err.endsWith(kept + text("Rebuild it: ") + rebuild), qPrintable(result.err));
        fixture.write(text("ws/sweepscope.db.bak"), {});
        const auto withCopy = fixture.sweepctl({text("status")});
        QVERIFY2(withCopy.err.endsWith(kept + text("Move it away and copy ") + fixture.workspace()
                                       + text("/sweepscope.db.bak to its place, or rebuild it: ") + rebuild),
                 qPrintable(withCopy.err));
    }
};

SWEEPSCOPE_TEST(TestSweepctlEngine)
#include "tst_sweepctlengine.moc"
