#include "enginefixture.h"
#include "testprogram.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

namespace {

/// Two ranks that report a curve, in the language of the example.
constexpr const char *pythonRank = "import os, sys, sweepscope\n"
                                   "run = sweepscope.init()\n"
                                   "run.log(0, total_steps=5)\n"
                                   "for step in range(1, 6):\n"
                                   "    run.log(step, loss=float(sys.argv[1]) / step)\n"
                                   "print('rank', os.environ['RANK'], 'of', os.environ['WORLD_SIZE'])\n";

}  // namespace

/// sweepctl in use by people and scripts: exit codes, output streams, and files.
class TestSweepctl : public QObject {
    Q_OBJECT

private Q_SLOTS:
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

        // The same data gives the same bytes, also from the database.
        const QString again = fixture.path(text("again.csv"));
        QCOMPARE(fixture.sweepctl({text("export"), text("curves"), text("--trials"), again}).exitCode, 0);
        QFile first(csv + text("/trials.csv"));
        QFile second(again);
        QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
        QCOMPARE(second.readAll(), first.readAll());
    }

    void csvFolderIsCheckedBeforeTheSweepStarts()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 2);
        const QString taken = fixture.write(text("taken"), {});
        const auto result = fixture.sweepctl({text("run"), file, text("--csv"), taken + text("/out")});
        QCOMPARE(result.exitCode, 2);
        QVERIFY2(result.err.contains(text("cannot create the folder")), qPrintable(result.err));
        QVERIFY(!fixture.sweepctl({text("status")}).out.contains(text("shell")));
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
        // The largest step that the bowl allows is the best.
        const QString table = result.out.mid(result.out.indexOf(text("\ntrial ")));
        QVERIFY2(table.indexOf(text("\n4 ")) < table.indexOf(text("\n3 ")), qPrintable(table));
        std::map<QString, int> points;
        for (auto row : readCsv(csv + text("/curves.csv")))
            ++points[row[text("series")]];
        QCOMPARE(points[text("loss")], 4 * 20);
        QCOMPARE(points[text("grad_norm")], 4 * 20);
    }

    void outputOfSilentRanksIsRead()
    {
        const EngineFixture fixture;
        const QString csv = fixture.path(text("out"));
        const QString file = fixture.writeShellSweep(text("echo epoch 3 loss: 0.$1"), 2);
        const auto result = fixture.sweepctl({text("run"), file, text("--wait"), text("--csv"), csv});
        QVERIFY2(result.exitCode == 0, qPrintable(result.err + result.out));
        auto trials = readCsv(csv + text("/trials.csv"));
        QCOMPARE(trials.size(), 2U);
        QCOMPARE(trials[0][text("objective_best")], text("0.1"));
        QCOMPARE(trials[1][text("objective_best")], text("0.2"));
        QCOMPARE(trials[1][text("objective_best_step")], text("3"));
    }

    void unreportedObjectiveIsNamed()
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

    void sweepsWithTheSameNameAreDistinguishedByTheirIds()
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

        // Without a number, stop refers to the sweep that has not ended; with two of them, to neither.
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

    void csvGoesAloneToStandardOutput()
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

    void readingsOfAFakeDriverAreMarkedSimulated()
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
};

SWEEPSCOPE_TEST(TestSweepctl)
#include "tst_sweepctl.moc"
