#include "enginefixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <sys/resource.h>

namespace {

/// Two ranks that report a curve, in the language that the example uses.
constexpr const char *pythonRank = "import os, sys, sweepscope\n"
                                   "run = sweepscope.init()\n"
                                   "run.log(0, total_steps=5)\n"
                                   "for step in range(1, 6):\n"
                                   "    run.log(step, loss=float(sys.argv[1]) / step)\n"
                                   "print('rank', os.environ['RANK'], 'of', os.environ['WORLD_SIZE'])\n";

}  // namespace

/// sweepctl as people and scripts use it: exit codes, what is said where, and files.
class TestSweepctl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpNamesEverySubcommandWithAnExample()
    {
        const EngineFixture fixture;
        const auto help = fixture.sweepctl({text("--help")});
        QCOMPARE(help.exitCode, 0);
        for (const char *name : {"validate", "run", "status", "stop", "diagnose", "export", "devices", "serve"}) {
            QVERIFY2(help.out.contains(text(name)), name);
            const auto own = fixture.sweepctl({text(name), text("--help")});
            QCOMPARE(own.exitCode, 0);
            QVERIFY2(own.out.contains(text("Example")), name);
        }
        QCOMPARE(fixture.sweepctl({text("dance")}).exitCode, 2);
        QCOMPARE(fixture.sweepctl({}).exitCode, 2);
        QCOMPARE(fixture.sweepctl({text("run")}).exitCode, 2);
    }

    void wrongWordIsNamedWithTheOneThatWasMeant()
    {
        const EngineFixture fixture;
        const auto far = fixture.sweepctl({text("frobnicate")});
        QCOMPARE(far.exitCode, 2);
        QVERIFY2(far.err.contains(text("'frobnicate'")) && far.err.contains(text("validate, plan, run, status")),
                 qPrintable(far.err));
        const auto near = fixture.sweepctl({text("stauts")});
        QVERIFY2(near.err.contains(text("did you mean 'status'?")), qPrintable(near.err));
        const auto option = fixture.sweepctl({text("run"), text("x.toml"), text("--wiat")});
        QCOMPARE(option.exitCode, 2);
        QVERIFY2(option.err.contains(text("'--wiat' (did you mean '--wait'?)")), qPrintable(option.err));
        const auto extra = fixture.sweepctl({text("status"), text("now")});
        QCOMPARE(extra.exitCode, 2);
        QVERIFY2(extra.err.contains(text("'now'")), qPrintable(extra.err));
    }

    void goodFileIsToldWithItsTrials()
    {
        const EngineFixture fixture;
        const auto result = fixture.sweepctl({text("validate"), fixture.writeShellSweep(text("true"), 7)});
        QVERIFY2(result.exitCode == 0, qPrintable(result.err));
        QVERIFY2(result.out.contains(QRegularExpression(text("trials +7"))), qPrintable(result.out));
    }

    void everyMistakeIsToldWithItsPlace()
    {
        const EngineFixture fixture;
        const QString file = fixture.write(text("bad.toml"), text("[sweep]\nname = \"x\"\nobjective = \"loss\"\n"
                                                                  "[space]\nn = { int = [9, 1] }\n"
                                                                  "[run]\ncommand = [\"true\"]\nrank = 2\n"));
        for (const char *command : {"validate", "run"}) {
            const auto result = fixture.sweepctl({text(command), file});
            QCOMPARE(result.exitCode, 2);
            QVERIFY2(result.err.contains(file + text(":5:")) && result.err.contains(text("space.n: ")),
                     qPrintable(result.err));
            QVERIFY2(result.err.contains(file + text(":8:")) && result.err.contains(text("run.rank: ")),
                     qPrintable(result.err));
        }
        QVERIFY2(!QFileInfo::exists(fixture.workspace()), "nothing was started for a bad file");
    }

    void missingFileAndUnknownCommandAreBadInput()
    {
        const EngineFixture fixture;
        const auto missing = fixture.sweepctl({text("run"), fixture.path(text("none.toml"))});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY(missing.err.contains(text("none.toml")));

        const QString file =
            fixture.write(text("sweep.toml"), text("[sweep]\nname = \"x\"\nobjective = \"loss\"\n"
                                                   "[space]\nn = [1]\n"
                                                   "[run]\ncommand = [\"no-such-program-anywhere\", \"{n}\"]\n"));
        const auto unknown = fixture.sweepctl({text("run"), file});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(
            unknown.err.contains(file + text(":7:11: run.command: there is no program 'no-such-program-anywhere'")),
            qPrintable(unknown.err));
    }

    void sweepRunsToItsEndAndTheCsvHasEverything()
    {
        const EngineFixture fixture;
        fixture.write(text("rank.py"), text(pythonRank));
        const QString file =
            fixture.write(text("sweep.toml"), text("[sweep]\nname = \"curves\"\nobjective = \"loss\"\n"
                                                   "[space]\nn = [10, 5, 20]\n"
                                                   "[run]\ncommand = [\"python3\", \"rank.py\", \"{n}\"]\n"
                                                   "ranks = 2\n"
                                                   "[devices]\nkind = \"cpu\"\ncpu_slots = 8\n"));
        const QString csv = fixture.path(text("out"));
        const auto result = fixture.sweepctl({text("run"), file, text("--wait"), text("--csv"), csv});
        QVERIFY2(result.exitCode == 0, qPrintable(result.err + result.out));
        QVERIFY2(result.out.contains(text("[1/3] trial 1 completed  n=10")), qPrintable(result.out));
        QVERIFY2(!result.err.contains(text("reported no")), qPrintable(result.err));
        QVERIFY(result.out.contains(csv + text("/trials.csv")) && result.out.contains(csv + text("/curves.csv")));

        const auto trials = readCsv(csv + text("/trials.csv"));
        QCOMPARE(trials.size(), 3U);
        for (std::size_t i = 0; i < trials.size(); ++i) {
            auto trial = trials[i];
            QCOMPARE(trial[text("trial")], QString::number(i + 1));
            QCOMPARE(trial[text("state")], text("completed"));
            QCOMPARE(trial[text("attempts")], text("1"));
            QCOMPARE(trial[text("objective_best_step")], text("5"));
            QCOMPARE(trial[text("objective_best")].toDouble(), trial[text("n")].toDouble() / 5);
        }
        const auto curves = readCsv(csv + text("/curves.csv"));
        int losses = 0;
        for (auto row : curves)
            losses += row[text("series")] == text("loss");
        QCOMPARE(losses, 3 * 2 * 5);

        // Best first: trial 2, then 1, then 3.
        const QString table = result.out.mid(result.out.indexOf(text("\ntrial ")));
        const auto place = [&](int trial) { return table.indexOf(text("\n%1 ").arg(trial)); };
        QVERIFY2(place(2) < place(1) && place(1) < place(3), qPrintable(table));

        // The same data gives the same bytes, from the database as well.
        const QString again = fixture.path(text("again.csv"));
        QCOMPARE(fixture.sweepctl({text("export"), text("curves"), text("--trials"), again}).exitCode, 0);
        QFile first(csv + text("/trials.csv"));
        QFile second(again);
        QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
        QCOMPARE(second.readAll(), first.readAll());
    }

    void scriptThatOnlyPrintsHasItsCurvesAndItsBestTrial()
    {
        const EngineFixture fixture;
        const QString csv = fixture.path(text("out"));
        const auto result =
            fixture.sweepctl({text("run"), text(SWEEPSCOPE_SOURCE_DIR "/resources/examples/printed.toml"),
                              text("--wait"), text("--csv"), csv});
        QVERIFY2(result.exitCode == 0, qPrintable(result.err + result.out));
        const auto trials = readCsv(csv + text("/trials.csv"));
        QCOMPARE(trials.size(), 4U);
        for (auto trial : trials) {
            QCOMPARE(trial[text("state")], text("completed"));
            QVERIFY(!trial[text("objective_best")].isEmpty());
        }
        // The largest step that the bowl still allows is the best.
        const QString table = result.out.mid(result.out.indexOf(text("\ntrial ")));
        QVERIFY2(table.indexOf(text("\n4 ")) < table.indexOf(text("\n3 ")), qPrintable(table));
        std::map<QString, int> points;
        for (auto row : readCsv(csv + text("/curves.csv")))
            ++points[row[text("series")]];
        QCOMPARE(points[text("loss")], 4 * 20);
        QCOMPARE(points[text("grad_norm")], 4 * 20);
    }

    void objectiveThatNobodyReportsIsTold()
    {
        const EngineFixture fixture;
        const auto result = fixture.sweepctl({text("run"), fixture.writeShellSweep(text("true"), 2), text("--wait")});
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(result.err.contains(text("2 completed trials reported no 'loss'")), qPrintable(result.err));
    }

    void failingTrialHasItsCauseAndTheOthersComplete()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("if test $1 = 2; then echo no luck >&2; exit 3; fi"), 3);
        const QString csv = fixture.path(text("out"));
        const auto result = fixture.sweepctl({text("run"), file, text("--wait"), text("--csv"), csv});
        QCOMPARE(result.exitCode, 3);
        auto trials = readCsv(csv + text("/trials.csv"));
        QCOMPARE(trials.size(), 3U);
        QCOMPARE(trials[0][text("state")], text("completed"));
        QCOMPARE(trials[1][text("state")], text("failed"));
        QVERIFY2(trials[1][text("exit_cause")].contains(text("3")), qPrintable(trials[1][text("exit_cause")]));
        QCOMPARE(trials[2][text("state")], text("completed"));
        QVERIFY(result.out.contains(text("trial 2 failed")));
    }

    void sweepsOfOneNameAreToldApartByTheirIds()
    {
        EngineFixture fixture;
        const QString shortOne = fixture.writeShellSweep(text("true"), 1);
        QCOMPARE(fixture.sweepctl({text("run"), shortOne, text("--wait")}).exitCode, 0);
        QCOMPARE(fixture.sweepctl({text("run"), shortOne, text("--wait")}).exitCode, 0);
        const QString file = fixture.path(text("t.csv"));
        const auto ambiguous = fixture.sweepctl({text("export"), text("shell"), text("--trials"), file});
        QCOMPARE(ambiguous.exitCode, 2);
        QVERIFY2(ambiguous.err.contains(text("2 sweeps are named 'shell'")), qPrintable(ambiguous.err));
        QVERIFY2(ambiguous.err.contains(QRegularExpression(text("\n  2  0002-shell  started \\d{4}-\\d\\d-\\d\\d "
                                                                "\\d\\d:\\d\\d:\\d\\d  completed"))),
                 qPrintable(ambiguous.err));
        QVERIFY(!QFileInfo::exists(file));
        for (const char *id : {"2", "0002", "0002-shell"})
            QCOMPARE(fixture.sweepctl({text("export"), text(id), text("--trials"), file}).exitCode, 0);

        // Stop can only mean one that has not ended; of two, neither.
        const QString longOne = fixture.writeShellSweep(text("sleep 1000"), 1);
        QCOMPARE(fixture.sweepctl({text("run"), longOne}).exitCode, 0);
        QCOMPARE(fixture.sweepctl({text("run"), longOne}).exitCode, 0);
        const auto both = fixture.sweepctl({text("stop"), text("shell")});
        QCOMPARE(both.exitCode, 2);
        QVERIFY2(both.err.contains(text("2 sweeps are named 'shell'")) && both.err.contains(text("\n  3  "))
                     && both.err.contains(text("\n  4  ")) && !both.err.contains(text("\n  1  ")),
                 qPrintable(both.err));
        const auto isStopped = [&](int id) {
            return QTest::qWaitFor(
                [&] { return fixture.sweep(id).value(QLatin1String("state")).toString() == text("stopped"); }, 60'000);
        };
        QCOMPARE(fixture.sweepctl({text("stop"), text("3")}).exitCode, 0);
        QVERIFY(isStopped(3));
        const auto only = fixture.sweepctl({text("stop"), text("shell")});
        QVERIFY2(only.exitCode == 0 && only.out.contains(text("0004-shell")), qPrintable(only.err + only.out));
        QVERIFY(isStopped(4));
    }

    void csvGoesToStandardOutputAndNothingElseWithIt()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 2);
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        const QString written = fixture.path(text("t.csv"));
        QCOMPARE(fixture.sweepctl({text("export"), text("1"), text("--trials"), written}).exitCode, 0);
        QFile trials(written);
        QVERIFY(trials.open(QIODevice::ReadOnly));
        const auto printed = fixture.sweepctl({text("export"), text("1"), text("--trials"), text("-")});
        QCOMPARE(printed.exitCode, 0);
        QCOMPARE(printed.out.toUtf8(), trials.readAll());
        const auto both =
            fixture.sweepctl({text("export"), text("1"), text("--trials"), text("-"), text("--curves"), text("-")});
        QCOMPARE(both.exitCode, 2);
        QVERIFY(both.out.isEmpty());
    }

    void engineOutlivesWritesThatTheSystemRefuses()
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

    void stopEndsWhatRunsAndWhatWaits()
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
        QVERIFY(again.err.contains(text("ended already")));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void fullDiskIsToldWhileItLastsAndLosesNothing()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("until test -e go; do sleep 0.05; done; echo $1 >> ran"), 2);
        const auto waiting = fixture.startSweepctl({text("run"), file, text("--wait")});
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        // No file of the engine can grow: its writes fail as on a full disk.
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
        QVERIFY2(hasSaid("the sweep goes on"), qPrintable(said));
        QVERIFY(!isToldOf());
        QCOMPARE(fixture.lines(text("ran")).size(), 2);
    }

    void interruptEndsTheWaitingAndNotTheSweep()
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

    void waitingComesThroughTheDeathOfTheEngineAgainAndAgain()
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

    void withoutAnEngineTheDatabaseIsShownAndWhoChangesSomethingStartsOne()
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
        QVERIFY2(stop.err.contains(text("has ended")), qPrintable(stop.err));
        QVERIFY(fixture.enginePid() != 0);

        const QByteArray runtimeFolder = qgetenv("XDG_RUNTIME_DIR");
        qputenv("XDG_RUNTIME_DIR", fixture.path(text("elsewhere")).toUtf8());
        const auto beside = fixture.sweepctl({text("status")});
        qputenv("XDG_RUNTIME_DIR", runtimeFolder);
        QVERIFY2(beside.out.contains(text("XDG_RUNTIME_DIR")) && beside.out.contains(text("2 completed")),
                 qPrintable(beside.out));
    }

    void whereThereIsNoWorkspaceStatusAndExportSaySo()
    {
        const EngineFixture fixture;
        for (const QStringList &args :
             {QStringList{text("status")}, QStringList{text("stop"), text("1")},
              QStringList{text("export"), text("1"), text("--trials"), fixture.path(text("t.csv"))}}) {
            const auto result = fixture.sweepctl(args);
            QCOMPARE(result.exitCode, 4);
            QVERIFY2(result.err.contains(fixture.workspace()), qPrintable(result.err));
        }
        QCOMPARE(fixture.sweepctl({text("export"), text("1")}).exitCode, 2);
        QVERIFY2(!QFileInfo::exists(fixture.workspace()), "looking makes no workspace");
    }

    void workspaceThatCannotBeWrittenIsBadInput()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 1);
        // A folder below a file: nobody can make that, not even root.
        const QString impossible = file + text("/ws");
        for (const QStringList &args : {QStringList{text("run"), file, text("--workspace"), impossible},
                                        QStringList{text("serve"), text("--workspace"), impossible}}) {
            const auto result = fixture.sweepctl(args);
            QCOMPARE(result.exitCode, 2);
            QVERIFY2(result.err.contains(impossible) && result.err.contains(text("not writable")),
                     qPrintable(result.err));
        }
    }

    void engineThatCannotStartIsReportedWithItsReason()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 1);
        QVERIFY(QDir().mkpath(fixture.workspace()));
        fixture.write(text("ws/sweepscope.db"), QString(8192, QLatin1Char('x')));
        const auto result = fixture.sweepctl({text("run"), file});
        QCOMPARE(result.exitCode, 4);
        QVERIFY2(result.err.contains(text("engine did not start")) && result.err.contains(text("sweepscope.db")),
                 qPrintable(result.err));
        // What is wrong in SQLite's words, once, and what to do.
        QVERIFY2(result.err.contains(text("file is not a database; put a copy of it back")), qPrintable(result.err));
    }

    void devicesAreListedWithoutAnEngine()
    {
        const EngineFixture fixture;
        const auto plain = fixture.sweepctl({text("devices")});
        QCOMPARE(plain.exitCode, 0);
        QVERIFY(plain.out.contains(text("cpu:")));
        const auto json =
            QJsonDocument::fromJson(fixture.sweepctl({text("devices"), text("--json")}).out.toUtf8()).object();
        QVERIFY(!json.value(QLatin1String("devices")).toArray().isEmpty());
        QVERIFY(json.contains(QLatin1String("note")));
    }

    void whatAFakeDriverSaysIsMarkedSimulated()
    {
        const EngineFixture fixture;
        qputenv("SWEEPSCOPE_NVML", SWEEPSCOPE_TEST_BIN_DIR "/clients/libfakenvml.so");
        const auto forget = qScopeGuard([] { qunsetenv("SWEEPSCOPE_NVML"); });
        const auto plain = fixture.sweepctl({text("devices")});
        QVERIFY2(plain.out.contains(QRegularExpression(text("GPU-0000.*\\(simulated\\)\n    busy"))),
                 qPrintable(plain.out));
        const auto json =
            QJsonDocument::fromJson(fixture.sweepctl({text("devices"), text("--json")}).out.toUtf8()).object();
        const QJsonObject gpu = json.value(QLatin1String("devices")).toArray().first().toObject();
        QVERIFY(gpu.value(QLatin1String("simulated")).toBool());
        const QJsonObject reading = gpu.value(QLatin1String("reading")).toObject();
        QCOMPARE(reading.value(QLatin1String("temperature_celsius")).toDouble(), 41.0);
        QVERIFY2(reading.value(QLatin1String("power_watt")).isNull(), "unknown is not 0");
        QVERIFY(json.value(QLatin1String("sampling")).toObject().value(QLatin1String("cpu_seconds")).toDouble() > 0);
    }

    void builtinSweepWithoutTheWorkerIsRefused()
    {
        if (QFileInfo::exists(text(SWEEPSCOPE_BIN_DIR "/sweepscope-worker")))
            QSKIP("this build has the built-in worker");
        const EngineFixture fixture;
        const auto result =
            fixture.sweepctl({text("run"), text(SWEEPSCOPE_SOURCE_DIR "/resources/examples/digits-mlp.toml")});
        QCOMPARE(result.exitCode, 2);
        QVERIFY2(result.err.contains(text("run.worker")) && result.err.contains(text("LibTorch")),
                 qPrintable(result.err));
    }
};

QTEST_GUILESS_MAIN(TestSweepctl)
#include "tst_sweepctl.moc"
