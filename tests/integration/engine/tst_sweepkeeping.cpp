#include "enginefixture.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

/// Ended sweeps: marked, retried, archived, deleted.
class TestSweepKeeping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void marksSurviveTheSweepAndTheEngine()
    {
        EngineFixture fixture;
        fixture.write(text("go"), {});
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text(waitsForGo), 2)}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        const auto marked = fixture.sweepctl({text("mark"), text("1"), text("--trial"), text("2"), text("--star"),
                                              text("--tag"), text("baseline"), text("--note"), text("look here")});
        QVERIFY2(marked.exitCode == 0, qPrintable(marked.err));
        QVERIFY2(
            marked.out.contains(text("Starred trial 2; tagged trial 2 with baseline; changed the note of trial 2.")),
            qPrintable(marked.out));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        const auto history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("2")});
        QVERIFY2(history.out.contains(text("Starred, tagged baseline, note changed")), qPrintable(history.out));
        const auto same = fixture.sweepctl({text("mark"), text("1"), text("--trial"), text("2"), text("--star")});
        QVERIFY2(same.out.contains(text("Nothing changed")), qPrintable(same.out));
        const auto refused =
            fixture.sweepctl({text("mark"), text("1"), text("--trial"), text("2"), text("--tag"), text("a,b")});
        QVERIFY(refused.exitCode != 0);
        QVERIFY2(refused.err.contains(text("comma")), qPrintable(refused.err));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("completed")}));
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("completed"));
    }

    void endedSweepIsMarkedAndRenamedWithoutItsScript()
    {
        EngineFixture fixture;
        fixture.write(text("train.sh"), text("exit 0\n"));
        const QString file =
            fixture.write(text("file.toml"), text("[sweep]\nname = \"first\"  # short\nobjective = \"loss\"\n"
                                                  "[space]\nn = [1, 2]\n[run]\ncommand = [\"sh\", "
                                                  "\"./train.sh\", \"{n}\"]\n[devices]\n"
                                                  "kind = \"cpu\"\n"));
        const auto started = fixture.sweepctl({text("run"), file});
        QVERIFY2(started.exitCode == 0, qPrintable(started.err));
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QVERIFY(QFile::remove(fixture.path(text("train.sh"))));
        const auto renamed = fixture.sweepctl({text("edit"), text("1"), text("--name"), text("wide layers")});
        QVERIFY2(renamed.exitCode == 0, qPrintable(renamed.err));
        QVERIFY2(renamed.out.contains(text("Renamed first to wide layers.")), qPrintable(renamed.out));
        const auto marked = fixture.sweepctl({text("mark"), text("1"), text("--star"), text("--tag"), text("cifar"),
                                              text("--note"), text("before the new augmentation")});
        QVERIFY2(marked.exitCode == 0, qPrintable(marked.err));
        QVERIFY2(marked.out.contains(
                     text("Starred wide layers; tagged wide layers with cifar; changed the note of wide layers.")),
                 qPrintable(marked.out));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        const QJsonObject sweep = fixture.sweep();
        QCOMPARE(sweep.value(text("name")).toString(), text("wide layers"));
        QCOMPARE(sweep.value(text("folder")).toString(), text("0001-first"));
        QCOMPARE(sweep.value(text("tags")).toArray(), QJsonArray({text("cifar")}));
        QVERIFY(sweep.value(text("starred")).toBool());
        QCOMPARE(sweep.value(text("state")).toString(), text("completed"));
        const auto status = fixture.sweepctl({text("status")});
        QVERIFY2(status.out.contains(text("starred, tagged cifar; note: before the new augmentation")),
                 qPrintable(status.out));
        QVERIFY(fixture.sweepctl({text("edit"), text("wide layers"), text("--print")})
                    .out.contains(text("name = \"wide layers\"  # short")));
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), text("--undo")}).exitCode, 0);
        QCOMPARE(fixture.sweep().value(text("name")).toString(), text("first"));
    }

    void endedSweepIsArchivedRestoredAndDeleted()
    {
        EngineFixture fixture;
        const QString script = text("while [ ! -e go ]; do sleep 0.05; done; [ $1 = 1 ] || [ -e mended ]");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 2)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        for (const QStringList &command : {QStringList{text("archive"), text("1")},
                                           {text("delete"), text("1")},
                                           {text("delete"), text("1"), text("--yes")}}) {
            const auto early = fixture.sweepctl(command);
            QCOMPARE(early.exitCode, 2);
            QVERIFY2(early.err.contains(text("has not ended; stop it first")), qPrintable(early.err));
        }
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        const QString folder = fixture.sweep().value(text("folder")).toString();

        QCOMPARE(fixture.sweepctl({text("archive"), text("1")}).exitCode, 0);
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.sweep().value(text("archived")).toBool());
        const auto status = fixture.sweepctl({text("status")});
        QVERIFY2(!status.out.contains(folder) && status.out.contains(text("1 archived sweep is not shown")),
                 qPrintable(status.out));
        QVERIFY(fixture.sweepctl({text("status"), text("--all")}).out.contains(folder));
        QCOMPARE(fixture.sweepctl({text("archive"), text("1"), text("--undo")}).exitCode, 0);
        QVERIFY(!fixture.sweep().value(text("archived")).toBool());

        // A sweep that runs again leaves the archive.
        QCOMPARE(fixture.sweepctl({text("archive"), text("1")}).exitCode, 0);
        fixture.write(text("mended"), {});
        QCOMPARE(fixture.sweepctl({text("retry"), text("1"), text("-t"), text("2")}).exitCode, 0);
        QVERIFY(!fixture.sweep().value(text("archived")).toBool());
        QVERIFY(fixture.waitForTrialState(2, text("completed")));
        QVERIFY(fixture.waitForSweepState(text("completed")));

        const QDir files(fixture.path(text("ws/sweeps")));
        const auto asked = fixture.sweepctl({text("delete"), text("1")});
        QCOMPARE(asked.exitCode, 2);
        QVERIFY2(asked.err.contains(files.filePath(folder)), qPrintable(asked.err));
        QVERIFY(files.exists(folder));
        QCOMPARE(fixture.sweepctl({text("delete"), text("1"), text("--yes")}).exitCode, 0);
        QVERIFY(fixture.sweep().isEmpty());
        QVERIFY(QTest::qWaitFor(
            [&] { return files.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty(); }, 60'000));
        // Its name and number may be reused for another sweep.
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 1), text("--wait")}).exitCode, 0);
        QCOMPARE(fixture.sweep(2).value(text("folder")).toString(), text("0002-shell"));
    }

    void nextEngineCompletesAnInterruptedDeletion()
    {
        EngineFixture fixture;
        const QDir files(fixture.path(text("ws/sweeps")));
        QVERIFY(files.mkpath(text(".deleted-0007-gone/trials/0001/1")));
        // The targets of links are not ours.
        QVERIFY(files.mkpath(text(".deleted-0008-linked")));
        QVERIFY(files.mkpath(text("../others/0001")));
        for (const char *link : {".deleted-0008-linked/trials", ".deleted-link", ".deleted-0007-gone/trials/0002"})
            QVERIFY(QFile::link(files.filePath(text("../others")), files.filePath(text(link))));
        QVERIFY(fixture.startEngine());
        QVERIFY(QTest::qWaitFor(
            [&] { return !files.exists(text(".deleted-0007-gone")) && !files.exists(text(".deleted-0008-linked")); },
            60'000));
        QVERIFY(files.exists(text("../others/0001")));
    }

    void deletionMissingInTheDatabaseIsReverted()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text("exit 0"), 1), text("--wait")}).exitCode,
                 0);
        const QString folder = fixture.sweep().value(text("folder")).toString();
        fixture.killEngine();
        QDir files(fixture.path(text("ws/sweeps")));
        QVERIFY(files.rename(folder, text(".deleted-") + folder));
        QVERIFY(fixture.startEngine());
        QVERIFY(files.exists(folder + text("/trials")));
        QVERIFY(!files.exists(text(".deleted-") + folder));
    }

    void failedTrialsAreRetriedAfterTheSweepHasEnded()
    {
        EngineFixture fixture;
        const QString script = text("if [ $1 = 2 ] && [ ! -e mended ]; then exit 3; fi; echo $1 >> done");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 3)}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("failed"), text("completed")}));
        const auto completed = fixture.sweepctl({text("retry"), text("1"), text("-t"), text("1")});
        QCOMPARE(completed.exitCode, 2);
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("completed"));

        fixture.write(text("mended"), {});
        const auto answer = fixture.sweepctl({text("retry"), text("1"), text("-t"), text("2"), text("-t"), text("2")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        QVERIFY2(answer.out.contains(text("1 trial is queued")), qPrintable(answer.out));
        QVERIFY(fixture.waitForTrialState(2, text("completed")));
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("2"), text("3")}));
        const auto none = fixture.sweepctl({text("retry"), text("1")});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.err.contains(text("has no failed or lost trials")), qPrintable(none.err));
    }
};

SWEEPSCOPE_TEST(TestSweepKeeping)
#include "tst_sweepkeeping.moc"
