#include "enginefixture.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QTest>

#include <csignal>

namespace {

QString text(const char *latin1)
{
    return QString::fromLatin1(latin1);
}

/// A rank that lasts until there is a file `go`.
const char *const waitsForGo = "echo $1 began >> ran; while [ ! -e go ]; do sleep 0.05; done; echo $1 >> done";

}  // namespace

/// What a person asks of sweeps and trials, with real engines, agents and ranks.
class TestControl : public QObject {
    Q_OBJECT

    /// Beats: the growth of a file that a running rank makes longer all the time.
    static bool grows(const EngineFixture &fixture, const QString &name, int timeoutMs)
    {
        const qint64 before = QFile(fixture.path(name)).size();
        return QTest::qWaitFor([&] { return QFile(fixture.path(name)).size() > before; }, timeoutMs);
    }

private Q_SLOTS:
    void finishedStopLetsRunningTrialsRunToTheirEnd()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text(waitsForGo), 4)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        const auto answer = fixture.sweepctl({text("stop"), text("1"), text("--finish")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        QVERIFY2(answer.out.contains(text("3 waiting trials are stopped")), qPrintable(answer.out));
        QVERIFY2(answer.out.contains(text("1 running trial may run to the end")), qPrintable(answer.out));
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("stopping"));
        fixture.killEngine();  // the next one knows how it is to be stopped
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        QCOMPARE(fixture.trialStates(),
                 QStringList({text("completed"), text("stopped"), text("stopped"), text("stopped")}));
    }

    void stopCanBecomeHarder()
    {
        EngineFixture fixture;
        const QString stubborn = text("trap '' TERM; echo $1 began >> ran; while :; do sleep 0.05; done");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(stubborn, 1)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(QTest::qWaitFor([&] { return !fixture.lines(text("ran")).isEmpty(); }, 30'000));
        QCOMPARE(fixture.sweepctl({text("stop"), text("1"), text("--finish")}).exitCode, 0);
        const auto again = fixture.sweepctl({text("stop"), text("1"), text("--finish")});
        QVERIFY2(again.out.contains(text("being stopped already")), qPrintable(again.out));
        fixture.killEngine();  // the rank runs on, and who stops it starts one
        const auto killed = fixture.sweepctl({text("stop"), text("1"), text("--kill")});
        QVERIFY2(killed.out.contains(text("1 running trial is killed")), qPrintable(killed.out));
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        QCOMPARE(fixture.trialCause(1), text("killed on request"));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void marksOutliveTheSweepAndTheEngine()
    {
        EngineFixture fixture;
        fixture.write(text("go"), {});
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text(waitsForGo), 2)}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        const auto marked = fixture.sweepctl({text("mark"), text("1"), text("--trial"), text("2"), text("--star"),
                                              text("--tag"), text("baseline"), text("--note"), text("look here")});
        QVERIFY2(marked.exitCode == 0, qPrintable(marked.err));
        QVERIFY2(marked.out.contains(text("1 trial is marked")), qPrintable(marked.out));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        const auto history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("2")});
        QVERIFY2(history.out.contains(text("a person starred it; tagged it 'baseline'; noted: look here")),
                 qPrintable(history.out));
        const auto same = fixture.sweepctl({text("mark"), text("1"), text("--trial"), text("2"), text("--star")});
        QVERIFY2(same.out.contains(text("Nothing is different")), qPrintable(same.out));
        const auto refused =
            fixture.sweepctl({text("mark"), text("1"), text("--trial"), text("2"), text("--tag"), text("a,b")});
        QVERIFY(refused.exitCode != 0);
        QVERIFY2(refused.err.contains(text("comma")), qPrintable(refused.err));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("completed")}));
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("completed"));
    }

    void metricsBesideTheObjectiveAreKept()
    {
        EngineFixture fixture;
        const QString script =
            text("echo step 1 loss=4 acc=0.75; echo step 2 loss=2 acc=0.25; echo step 3 loss=3 acc=0.5; "
                 "while [ ! -e go ]; do sleep 0.05; done");
        const QString metrics = text("[run.metrics]\nstep = 'step (\\d+)'\n"
                                     "series = { loss = 'loss=(\\S+)', acc = 'acc=(\\S+)' }");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 1, metrics)}).exitCode, 0);
        const auto accuracy = [&] {
            return fixture.sweep().value(text("trials"))[0][text("metrics")][text("acc")].toObject();
        };
        QVERIFY2(QTest::qWaitFor([&] { return accuracy().value(text("step")).toInt() == 3; }, 60'000),
                 "what runs says how far it is");
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        fixture.endEngine();  // from here on the database says it
        QCOMPARE(accuracy(),
                 (QJsonObject{{text("last"), 0.5}, {text("step"), 3}, {text("min"), 0.25}, {text("max"), 0.75}}));
        QVERIFY(!fixture.sweep().value(text("trials"))[0][text("metrics")].toObject().contains(text("loss")));
        const QString csv = fixture.path(text("trials.csv"));
        QCOMPARE(fixture.sweepctl({text("export"), text("1"), text("--trials"), csv}).exitCode, 0);
        QCOMPARE(readCsv(csv).at(0).at(text("metric_max.acc")), text("0.75"));
    }

    void endedSweepIsArchivedBroughtBackAndDeleted()
    {
        EngineFixture fixture;
        const QString script = text("while [ ! -e go ]; do sleep 0.05; done; [ $1 = 1 ] || [ -e mended ]");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 2)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        for (const QStringList &command :
             {QStringList{text("archive"), text("1")}, {text("delete"), text("1"), text("--yes")}}) {
            const auto early = fixture.sweepctl(command);
            QCOMPARE(early.exitCode, 2);
            QVERIFY2(early.err.contains(text("has not ended")), qPrintable(early.err));
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

        // What runs again is seen again.
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
        // Its name and number may come again, and mean another one.
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 1), text("--wait")}).exitCode, 0);
        QCOMPARE(fixture.sweep(2).value(text("folder")).toString(), text("0002-shell"));
    }

    void whatADeadEngineLeftOfADeletedSweepIsRemoved()
    {
        EngineFixture fixture;
        const QDir files(fixture.path(text("ws/sweeps")));
        QVERIFY(files.mkpath(text(".deleted-0007-gone/trials/0001/1")));
        // What links lead to is somebody's.
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

    void aDeletionThatNeverCameToTheDatabaseIsTakenBack()
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

    void oneTrialIsStoppedAndTheOthersGoOn()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text(waitsForGo), 3)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        const auto answer =
            fixture.sweepctl({text("stop"), text("shell"), text("--trial"), text("1"), text("--trial"), text("3")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        QVERIFY(fixture.waitForTrialState(1, text("stopped")));
        QVERIFY(fixture.waitForTrialState(2, text("running")));
        const auto again = fixture.sweepctl({text("stop"), text("1"), text("--trial"), text("3")});
        QVERIFY2(again.out.contains(text("Trial 3 has ended already.")), qPrintable(again.out));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList({text("stopped"), text("completed"), text("stopped")}));
    }

    void stopOfOneTrialIsNotForgottenWithTheEngine()
    {
        EngineFixture fixture;
        const QString fails = text("echo $1 began >> ran; while [ ! -e go ]; do sleep 0.05; done; exit 3");
        const QString sweep = fixture.writeShellSweep(fails, 2, text("retries = 3"), text("concurrent = 2"));
        QCOMPARE(fixture.sweepctl({text("run"), sweep}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(fixture.waitForTrialState(2, text("running")));
        const auto answer =
            fixture.sweepctl({text("stop"), text("1"), text("--trial"), text("1"), text("--checkpoint")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        fixture.killEngine();
        fixture.write(text("go"), {});
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForTrialState(1, text("failed")));
        QVERIFY(fixture.waitForSweepState(text("failed")));
        const QStringList ran = fixture.lines(text("ran"));
        QCOMPARE(ran.count(text("1 began")), 1);  // who asked for its end wants no retry
        QCOMPARE(ran.count(text("2 began")), 4);
    }

    void pausedCommandIsFrozenAndGoesOn()
    {
        EngineFixture fixture;
        const QString beats = text("while [ ! -e go ]; do echo beat >> beats; sleep 0.02; done; echo $1 >> done");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(beats, 2)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(grows(fixture, text("beats"), 30'000));
        const auto paused = fixture.sweepctl({text("pause"), text("1")});
        QVERIFY2(paused.exitCode == 0, qPrintable(paused.err));
        QVERIFY2(paused.out.contains(text("is frozen where it is")), qPrintable(paused.out));
        QVERIFY(fixture.waitForTrialState(1, text("paused")));
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("paused"));
        QVERIFY(QTest::qWaitFor([&] { return !grows(fixture, text("beats"), 500); }, 30'000));

        QCOMPARE(fixture.trialCause(2), text("waits: the sweep is paused"));

        fixture.killEngine();  // it stays as it is, and the next engine knows
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.trialCause(2), text("waits: the sweep is paused"));
        QVERIFY(!grows(fixture, text("beats"), 1000));
        QCOMPARE(fixture.trialStates(), QStringList({text("paused"), text("waiting")}));

        fixture.killEngine();  // who resumes starts one
        const auto resumed = fixture.sweepctl({text("resume"), text("1")});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        QVERIFY(grows(fixture, text("beats"), 30'000));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("2")}));
        QCOMPARE(fixture.sweep().value(text("trials")).toArray().at(0).toObject().value(text("attempts")).toInt(), 1);
    }

    void pausedTrialsDoNotStartAndPausedOnesCanBeStopped()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text(waitsForGo), 3)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QCOMPARE(fixture.sweepctl({text("pause"), text("1"), text("-t"), text("1"), text("-t"), text("2")}).exitCode,
                 0);
        QVERIFY(fixture.waitForTrialState(1, text("paused")));
        QCOMPARE(fixture.trialStates().at(1), text("paused"));
        const auto nothing = fixture.sweepctl({text("resume"), text("1"), text("-t"), text("3")});
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY2(nothing.err.contains(text("none of these trials is paused")), qPrintable(nothing.err));
        const auto unknown = fixture.sweepctl({text("pause"), text("1"), text("-t"), text("9")});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains(text("no trial 9")), qPrintable(unknown.err));
        QCOMPARE(fixture.sweepctl({text("stop"), text("1")}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        QCOMPARE(fixture.trialStates(), QStringList({text("stopped"), text("stopped"), text("stopped")}));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
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
        QVERIFY2(answer.out.contains(text("1 ended trial waits")), qPrintable(answer.out));
        QVERIFY(fixture.waitForTrialState(2, text("completed")));
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("2"), text("3")}));
        const auto none = fixture.sweepctl({text("retry"), text("1")});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.err.contains(text("no trial of the sweep")), qPrintable(none.err));
    }

    void runningSweepIsEditedAndTheEditUndone()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text(waitsForGo), 3);
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QString definition = fixture.sweepctl({text("edit"), text("1"), text("--print")}).out;
        QVERIFY(definition.contains(text("int = [1, 3]")));
        // 1 (running) and 2 are taken out, 4 and 5 are new.
        const QString changed =
            fixture.write(text("changed.toml"), definition.replace(text("int = [1, 3]"), text("int = [3, 5]")));
        const auto dry = fixture.sweepctl({text("edit"), text("1"), changed, text("--dry-run")});
        QVERIFY2(dry.exitCode == 0, qPrintable(dry.err));
        QVERIFY2(dry.out.contains(text("2 trials added, 1 trial that waited removed")), qPrintable(dry.out));
        QCOMPARE(fixture.trialStates().size(), 3);
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), changed}).exitCode, 0);
        QCOMPARE(fixture.trialStates(),
                 QStringList({text("running"), text("stopped"), text("waiting"), text("waiting"), text("waiting")}));
        QCOMPARE(fixture.trialCause(2), text("removed by an edit of the sweep"));

        QCOMPARE(fixture.sweepctl({text("enqueue"), text("1"), text("n=17")}).exitCode, 0);
        const auto unknown = fixture.sweepctl({text("enqueue"), text("1"), text("m=17")});
        QCOMPARE(unknown.exitCode, 2);
        const auto undone = fixture.sweepctl({text("edit"), text("1"), text("--undo")});
        QVERIFY2(undone.exitCode == 0, qPrintable(undone.err));
        QCOMPARE(fixture.trialStates(), QStringList({text("running"), text("waiting"), text("waiting"), text("stopped"),
                                                     text("stopped"), text("waiting")}));
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), text("--undo")}).exitCode, 2);

        const QString otherGoal =
            fixture.write(text("goal.toml"), definition.replace(text("minimize"), text("maximize")));
        const auto refused = fixture.sweepctl({text("edit"), text("1"), otherGoal});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains(text("the goal cannot change")), qPrintable(refused.err));

        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("17"), text("2"), text("3")}));
    }

    void parametersReachAnyCommandInEnvironmentFileAndFolder()
    {
        EngineFixture fixture;
        QVERIFY(QDir().mkpath(fixture.path(text("runs/1"))));
        const QString file =
            fixture.writeShellSweep(text("cat $SWEEPSCOPE_PARAMS_FILE > params; echo $N > variable"), 1,
                                    text("environment = { N = \"n is {n}\" }\nworking_folder = \"runs/{n}\""));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialCause(1), text("it completed and reported no value of 'loss', the objective"));
        QCOMPARE(fixture.lines(text("runs/1/params")), QStringList{text("{\"n\":1}")});
        QCOMPARE(fixture.lines(text("runs/1/variable")), QStringList{text("n is 1")});
    }

    void whatFailsTheSameWayEveryTimeIsNotTriedAgain()
    {
        EngineFixture fixture;
        const QString script = text("if [ $1 = 1 ]; then echo 'error: the loss is nan at step 3' >&2; fi; exit 1");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 2, text("retries = 1"))}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("failed")));
        const QJsonArray trials = fixture.sweep().value(text("trials")).toArray();
        QCOMPARE(trials.at(0)[text("attempts")].toInt(), 1);
        QCOMPARE(trials.at(1)[text("attempts")].toInt(), 2);
        QVERIFY(fixture.trialCause(1).contains(text("not tried again: not a number")));
        const auto history = fixture.sweepctl({text("history"), text("1"), text("-t"), text("1"), text("--json")});
        QCOMPARE(
            QJsonDocument::fromJson(history.out.toUtf8()).object()[text("attempts")][0][text("failure")].toString(),
            text("not a number"));
    }

    void historyTellsWhatHappenedAndLeadsToThePresentState()
    {
        EngineFixture fixture;
        const QString script = text("if [ $1 = 2 ]; then exit 3; fi");
        const QString file =
            fixture.writeShellSweep(script, 3, text("environment = { HF_TOKEN = \"hf_123\", A = \"b\" }"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.sweepctl({text("retry"), text("1")}).exitCode, 0);
        QVERIFY(QTest::qWaitFor([&] { return fixture.sweep().value(text("ended")).isString(); }, 60'000));

        const auto all = fixture.sweepctl({text("history"), text("1"), text("--json")});
        QVERIFY2(all.exitCode == 0, qPrintable(all.err));
        QMap<int, QString> states;  // replayed; 0 is the sweep
        for (const QJsonValue &entry :
             QJsonDocument::fromJson(all.out.toUtf8()).object().value(text("history")).toArray()) {
            const int trial = entry[text("trial")].toInt();
            const QString before = entry[text("before")].toString();
            if (states.contains(trial) || trial == 0)
                QCOMPARE(before, states.value(trial));
            else
                QCOMPARE(before, text("waiting"));
            states[trial] = entry[text("after")].toString();
            QVERIFY(!entry[text("time")].toString().isEmpty());
        }
        QCOMPARE(states.value(0), text("completed"));
        QCOMPARE(QStringList({states.value(1), states.value(2), states.value(3)}), fixture.trialStates());

        const auto one = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("2")});
        QVERIFY2(one.exitCode == 0, qPrintable(one.err));
        for (const char *what :
             {"a person asked for a retry", "rank 0 exited with code 3", "attempt 2  failed", "A=b", "HF_TOKEN=***"})
            QVERIFY2(one.out.contains(text(what)), qPrintable(text(what) + text(" is missing in:\n") + one.out));
        QVERIFY(!one.out.contains(text("hf_123")));
        QCOMPARE(fixture.sweepctl({text("history"), text("1"), text("--trial"), text("4")}).exitCode, 2);
    }

    void historyTellsTheRevisionOfTheCode()
    {
        EngineFixture fixture;
        fixture.write(text("train.py"), text("print('v1')\n"));
        const auto git = [&](const QStringList &args) {
            QProcess process;
            process.setWorkingDirectory(fixture.path({}));
            process.start(text("git"), QStringList({text("-c"), text("user.name=t"), text("-c"), text("user.email=t@t"),
                                                    text("-c"), text("commit.gpgsign=false")})
                                           + args);
            process.waitForFinished();
            return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
        };
        git({text("init"), text("-q"), text("-b"), text("topic")});
        git({text("add"), text("train.py")});
        git({text("commit"), text("-q"), text("-m"), text("one")});
        const QString revision = git({text("rev-parse"), text("HEAD")});
        QCOMPARE(revision.size(), 40);
        fixture.write(text("train.py"), text("print('v2')\n"));
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text("sleep 1"), 1)}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));

        const QStringList ask{text("history"), text("1"), text("-t"), text("1")};
        const auto attempt = [&] {
            const auto json = fixture.sweepctl(ask + QStringList(text("--json")));
            return QJsonDocument::fromJson(json.out.toUtf8()).object()[text("attempts")][0];
        };
        // Git answers in its own time.
        QVERIFY(QTest::qWaitFor([&] { return attempt()[text("source")].isObject(); }, 30'000));
        const QJsonValue source = attempt()[text("source")];
        QCOMPARE(source[text("revision")].toString(), revision);
        QCOMPARE(source[text("branch")].toString(), text("topic"));
        QVERIFY(source[text("changed")].toBool());
        const QString said = fixture.sweepctl(ask).out;
        QVERIFY2(said.contains(revision + text(" (topic), with changes that are not committed")), qPrintable(said));
    }

    void higherPriorityStartsFirst()
    {
        EngineFixture fixture;
        const QString script = text("echo $1 >> order; if [ $1 = 1 ]; then while [ ! -e go ]; do sleep 0.05; done; fi");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 4)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        const auto answer =
            fixture.sweepctl({text("priority"), text("1"), text("-t"), text("4"), text("--level"), text("5")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QFile order(fixture.path(text("order")));
        QVERIFY(order.open(QIODevice::ReadOnly));
        QCOMPARE(order.readAll(), QByteArray("1\n4\n2\n3\n"));
    }

    void sweepOfHigherPriorityGetsTheDevicesFirst()
    {
        EngineFixture fixture;
        const QString holder =
            fixture.writeShellSweep(text("while [ ! -e go ]; do sleep 0.05; done"), 1, {}, text("per_rank = 8"));
        QCOMPARE(fixture.sweepctl({text("run"), holder}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        for (const char *name : {"second", "third"}) {
            const QString file =
                fixture.writeShellSweep(text("echo ") + text(name) + text(" >> order"), 1, {}, text("per_rank = 8"));
            QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        }
        const auto answer = fixture.sweepctl({text("priority"), text("3"), text("--level"), text("1")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        fixture.write(text("go"), {});
        for (const int id : {2, 3})
            QVERIFY(QTest::qWaitFor(
                [&] { return fixture.sweep(id).value(text("state")).toString() == text("completed"); }, 60'000));
        QFile order(fixture.path(text("order")));
        QVERIFY(order.open(QIODevice::ReadOnly));
        QCOMPARE(order.readAll(), QByteArray("third\nsecond\n"));
    }

    /// By its path, without being activated: what lies in it is found, as in a shell that has activated it.
    void pythonOfAnEnvironmentIsRunByItsPath()
    {
        EngineFixture fixture;
        QProcess make;
        make.start(text("python3"), {text("-m"), text("venv"), text("--without-pip"), fixture.path(text("env"))});
        if (!make.waitForFinished(120'000) || make.exitCode() != 0)
            QSKIP("no python3-venv here");
        const QString python = fixture.path(text("env/bin/python"));
        QString file = fixture.writeShellSweep(text("@"), 1);
        QFile sweep(file);
        QVERIFY(sweep.open(QIODevice::ReadOnly));
        const QString toml =
            QString::fromUtf8(sweep.readAll())
                .replace(
                    text("[\"sh\", \"-c\", '''@''', \"sh\", \"{n}\"]"),
                    text("[\"%1\", \"-c\", \"import sys; print(sys.prefix, file=open('prefix', 'w'))\"]").arg(python));
        file = fixture.write(text("sweep.toml"), toml);
        const auto launched = fixture.sweepctl({text("run"), file, text("--wait")});
        QVERIFY2(launched.exitCode == 0, qPrintable(launched.err + toml));
        QCOMPARE(fixture.lines(text("prefix")), QStringList{QFileInfo(fixture.path(text("env"))).canonicalFilePath()});
    }
};

QTEST_GUILESS_MAIN(TestControl)
#include "tst_control.moc"
