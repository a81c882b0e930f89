#include "enginefixture.h"
#include "testprogram.h"

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "sweep/tracerequest.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace sweepscope;

/// Requests for running sweeps and trials, with real engines, agents and ranks.
class TestControl : public QObject {
    Q_OBJECT

    /// Returns whether a file that a running rank extends continuously is growing.
    static bool grows(const EngineFixture &fixture, const QString &name, int timeoutMs)
    {
        const qint64 before = QFile(fixture.path(name)).size();
        return QTest::qWaitFor([&] { return QFile(fixture.path(name)).size() > before; }, timeoutMs);
    }

private Q_SLOTS:
    void finishingStopLetsRunningTrialsComplete()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text(waitsForGo), 4)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        const auto answer = fixture.sweepctl({text("stop"), text("1"), text("--finish")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        QVERIFY2(answer.out.contains(text("3 queued trials are stopped")), qPrintable(answer.out));
        QVERIFY2(answer.out.contains(text("1 running trial may finish")), qPrintable(answer.out));
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("stopping"));
        fixture.killEngine();  // the next one knows how to stop it
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        QCOMPARE(fixture.trialStates(),
                 QStringList({text("completed"), text("stopped"), text("stopped"), text("stopped")}));
    }

    void tracesAreRequestedFromRunningTrials()
    {
        EngineFixture fixture;
        const QString rank =
            text(R"(until test -e $SWEEPSCOPE_ATTEMPT_FOLDER/trace-request -o -e go; do sleep 0.05; done
cp $SWEEPSCOPE_ATTEMPT_FOLDER/trace-request $SWEEPSCOPE_ATTEMPT_FOLDER/trace-rank-0.json
until test -e go; do sleep 0.05; done)");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(rank, 2)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        const auto refused = fixture.sweepctl({text("trace"), text("1"), text("2")});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains(text("none of these trials is running"), Qt::CaseInsensitive),
                 qPrintable(refused.err));
        const auto answer =
            fixture.sweepctl({text("trace"), text("shell"), text("1"), text("2"), text("--steps"), text("25")});
        QVERIFY2(answer.exitCode == 0, qPrintable(answer.err));
        QCOMPARE(answer.out, text("0001-shell: Trace of 25 steps requested. 1 running trial was asked; PyTorch's "
                                  "profiler writes a file per "
                                  "rank to its folder. Not traced, because they are not running: 2.\n"));

        const QString folder = fixture.workspace() + text("/sweeps/0001-shell/trials/0001/1/");
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(folder + text("trace-rank-0.json")); }, 30'000));
        QFile request(folder + text("trace-request"));
        QVERIFY(request.open(QIODevice::ReadOnly));
        const auto read = sweep::traceRequestFromJson(request.readAll().toStdString());
        QVERIFY(read && read->steps == 25 && read->time > 0 && read->time <= wallNow());
        const QString history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("1")}).out;
        QVERIFY2(history.contains(text("  trial 1  running  Trace of 25 steps requested\n")), qPrintable(history));
        QVERIFY2(history.contains(text("  trace        ") + folder + text("trace-rank-0.json\n")), qPrintable(history));
        QVERIFY(QFile::remove(folder + text("trace-request")) && QDir().mkdir(folder + text("trace-request")));
        QCOMPARE(fixture.sweepctl({text("trace"), text("1"), text("1")}).exitCode, 0);  // which cannot be passed on
        const QString failed = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("1")}).out;
        QVERIFY2(failed.contains(text("No trace was requested: cannot write ")), qPrintable(failed));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
    }

    /// Of a Python script: its ranks say in their feeds what became of a request.
    void scriptReportsWhyItRecordsNoTrace()
    {
        EngineFixture fixture;
        const QString script = fixture.write(text("train.py"), text(R"(
import os, sweepscope, time
run, step = sweepscope.init(), 0
while not os.path.exists("go"):
    run.log(step, loss=1)
    step += 1
    time.sleep(0.01)
)"));
        const QString python = text("exec " SWEEPSCOPE_PYTHON " train.py");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(python, 1)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QCOMPARE(fixture.sweepctl({text("trace"), text("1"), text("1")}).exitCode, 0);
        QString history;
        const auto isReported = [&] {
            history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("1")}).out;
            return history.contains(text(": no trace: this script has not imported torch\n"));
        };
        QVERIFY2(QTest::qWaitFor(isReported, 30'000), qPrintable(history));
        const QJsonObject attempt =
            fixture.json({text("history"), text("1"), text("--trial"), text("1"), text("--json")})
                .value(text("attempts"))
                .toArray()
                .at(0)
                .toObject();
        const QJsonObject event = attempt.value(text("events")).toArray().at(0).toObject();
        QCOMPARE(event.value(text("kind")).toString(), text("warning"));
        QCOMPARE(event.value(text("rank")).toInt(-1), 0);
        QVERIFY(attempt.value(text("traces")).toArray().isEmpty());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
    }

    void stopCanBeEscalated()
    {
        EngineFixture fixture;
        const QString stubborn = text("trap '' TERM; echo $1 began >> ran; while :; do sleep 0.05; done");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(stubborn, 1)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(QTest::qWaitFor([&] { return !fixture.lines(text("ran")).isEmpty(); }, 30'000));
        QCOMPARE(fixture.sweepctl({text("stop"), text("1"), text("--finish")}).exitCode, 0);
        const auto again = fixture.sweepctl({text("stop"), text("1"), text("--finish")});
        QVERIFY2(again.out.contains(text("already being stopped")), qPrintable(again.out));
        fixture.killEngine();  // the rank continues, and the stop request starts an engine
        const auto killed = fixture.sweepctl({text("stop"), text("1"), text("--kill")});
        QVERIFY2(killed.out.contains(text("1 running trial is killed")), qPrintable(killed.out));
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        QCOMPARE(fixture.trialReason(1)[text("code")].toString(), text("killed_on_request"));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void stoppingOneTrialLeavesTheOthersRunning()
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
        QVERIFY2(again.out.contains(text("Trial 3 has already ended.")), qPrintable(again.out));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList({text("stopped"), text("completed"), text("stopped")}));
    }

    void stopOfOneTrialSurvivesTheEngine()
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
        QCOMPARE(ran.count(text("1 began")), 1);  // a trial stopped on request is not retried
        QCOMPARE(ran.count(text("2 began")), 4);
    }

    void pausedCommandIsFrozenAndContinues()
    {
        EngineFixture fixture;
        const QString beats = text("while [ ! -e go ]; do echo beat >> beats; sleep 0.02; done; echo $1 >> done");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(beats, 2)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(grows(fixture, text("beats"), 30'000));
        const auto paused = fixture.sweepctl({text("pause"), text("1")});
        QVERIFY2(paused.exitCode == 0, qPrintable(paused.err));
        QVERIFY2(paused.out.contains(text("is frozen and keeps its devices")), qPrintable(paused.out));
        QVERIFY(fixture.waitForTrialState(1, text("paused")));
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("paused"));
        QVERIFY(QTest::qWaitFor([&] { return !grows(fixture, text("beats"), 500); }, 30'000));

        QCOMPARE(fixture.trialReason(2)[text("code")].toString(), text("sweep_paused"));

        fixture.killEngine();  // it stays paused, and the next engine knows
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.trialReason(2)[text("code")].toString(), text("sweep_paused"));
        QVERIFY(!grows(fixture, text("beats"), 1000));
        QCOMPARE(fixture.trialStates(), QStringList({text("paused"), text("queued")}));

        fixture.killEngine();  // the resume request starts an engine
        const auto resumed = fixture.sweepctl({text("resume"), text("1")});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err));
        QVERIFY(grows(fixture, text("beats"), 30'000));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("2")}));
        const QJsonObject first = fixture.sweep().value(text("trials")).toArray().at(0).toObject();
        QCOMPARE(first.value(text("attempts")).toInt(), 1);
        const double lay = first.value(text("paused_seconds")).toDouble();
        QVERIFY2(lay >= 1, qPrintable(QString::number(lay)));  // it was checked this long, beyond the end of its engine
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
        QVERIFY2(nothing.err.contains(text("Nothing is paused")), qPrintable(nothing.err));
        const auto unknown = fixture.sweepctl({text("pause"), text("1"), text("-t"), text("9")});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains(text("no trial 9")), qPrintable(unknown.err));
        QCOMPARE(fixture.sweepctl({text("stop"), text("1")}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        QCOMPARE(fixture.trialStates(), QStringList({text("stopped"), text("stopped"), text("stopped")}));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void runningSweepIsEditedAndTheEditUndone()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text(waitsForGo), 3);
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QString definition = fixture.sweepctl({text("edit"), text("1"), text("--print")}).out;
        QVERIFY(definition.contains(text("int = [1, 3]")));
        // 1 (running) and 2 are removed, 4 and 5 are new.
        const QString changed =
            fixture.write(text("changed.toml"), definition.replace(text("int = [1, 3]"), text("int = [3, 5]")));
        const auto dry = fixture.sweepctl({text("edit"), text("1"), changed, text("--dry-run")});
        QVERIFY2(dry.exitCode == 0, qPrintable(dry.err));
        QVERIFY2(dry.out.contains(text("Would add 2 trials (4, 5). Would remove 1 queued trial (2).")),
                 qPrintable(dry.out));
        QVERIFY2(dry.out.contains(text("Would change space.n from { int = [1, 3]")), qPrintable(dry.out));
        QCOMPARE(fixture.trialStates().size(), 3);
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), changed}).exitCode, 0);
        QCOMPARE(fixture.trialStates(),
                 QStringList({text("running"), text("stopped"), text("queued"), text("queued"), text("queued")}));
        QCOMPARE(fixture.trialReason(2)[text("code")].toString(), text("removed_by_edit"));
        QCOMPARE(fixture.sweep().value(text("edits")).toInt(), 1);

        for (const QStringList &change : {QStringList{changed}, {text("--concurrent"), text("1")}}) {
            const auto same = fixture.sweepctl(QStringList{text("edit"), text("1")} + change);
            QVERIFY2(same.out.endsWith(text(": Nothing changed.\n")), qPrintable(same.out + same.err));
        }
        QCOMPARE(fixture.sweep().value(text("edits")).toInt(), 1);
        const auto number = fixture.sweepctl({text("edit"), text("1"), text("--trials"), text("5")});
        QCOMPARE(number.exitCode, 2);
        QVERIFY2(number.err.startsWith(text("--trials does not apply to a grid")), qPrintable(number.err));

        QCOMPARE(fixture.sweepctl({text("enqueue"), text("1"), text("n=17")}).exitCode, 0);
        const auto unknown = fixture.sweepctl({text("enqueue"), text("1"), text("m=17")});
        QCOMPARE(unknown.exitCode, 2);
        const auto undone = fixture.sweepctl({text("edit"), text("1"), text("--undo")});
        QVERIFY2(undone.exitCode == 0, qPrintable(undone.err));
        QCOMPARE(fixture.trialStates(), QStringList({text("running"), text("queued"), text("queued"), text("stopped"),
                                                     text("stopped"), text("queued")}));
        QCOMPARE(fixture.sweep().value(text("edits")).toInt(), 0);
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), text("--undo")}).exitCode, 2);

        const auto refused = fixture.sweepctl(
            {text("edit"), text("1"),
             fixture.write(text("ranks.toml"), definition.replace(text("[run]"), text("[run]\nranks = 2")))});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains(text("the number of ranks cannot be changed")), qPrintable(refused.err));

        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("17"), text("2"), text("3")}));
    }

    void objectiveIsCorrectedFromWhatTrialsHaveReported()
    {
        EngineFixture fixture;
        // Trial n: acc rises to n at step 2 and falls. Trial 3 runs on.
        const QString script =
            text("echo step=1 acc=0 loss=9; echo step=2 acc=$1 loss=$1; echo step=3 acc=0.5 loss=8; "
                 "if [ $1 = 3 ]; then while [ ! -e go ]; do sleep 0.05; done; echo step=4 acc=7 loss=1; fi");
        const QString file = fixture.writeShellSweep(script, 3, text("[run.metrics]\nformat = \"auto\""));
        QFile sweep(file);
        QVERIFY(sweep.open(QIODevice::ReadWrite));
        const QString misspelt = QString::fromUtf8(sweep.readAll()).replace(text("\"loss\""), text("\"val_acc\""));
        sweep.resize(0);
        sweep.write(misspelt.toUtf8());
        sweep.close();
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(2, text("completed")));
        QVERIFY(fixture.waitForTrialState(3, text("running")));
        const auto best = [&fixture](int trial) {
            const QJsonObject value =
                fixture.sweep()[text("trials")].toArray()[trial - 1].toObject()[text("objective_best")].toObject();
            return value.isEmpty()
                       ? QString()
                       : text("%1 at %2").arg(value[text("value")].toDouble()).arg(value[text("step")].toInt());
        };
        QCOMPARE(best(1), QString());
        QCOMPARE(fixture.trialReason(1)[text("code")].toString(), text("objective_missing"));

        const auto edit = [&](const char *objective, const char *goal) {
            QString toml = misspelt;
            toml.replace(text("\"val_acc\""), text("\"%1\"").arg(text(objective)))
                .replace(text("\"minimize\""), text("\"%1\"").arg(text(goal)));
            return fixture.sweepctl({text("edit"), text("1"), fixture.write(text("changed.toml"), toml)});
        };
        const auto edited = edit("acc", "maximize");
        QVERIFY2(edited.exitCode == 0, qPrintable(edited.err));
        QVERIFY2(edited.out.endsWith(text("sweep.objective changed from \"val_acc\" to \"acc\". "
                                          "sweep.goal changed from \"minimize\" to \"maximize\".\n")),
                 qPrintable(edited.out));
        QCOMPARE(fixture.sweep()[text("objective")].toString(), text("acc"));
        QCOMPARE(best(1), text("1 at 2"));
        QCOMPARE(best(2), text("2 at 2"));
        QVERIFY(fixture.trialReason(1).isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(best(3), text("3 at 2"), 10'000);  // its attempt is read again
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(best(3), text("7 at 4"));

        // After the end, and with another goal.
        QCOMPARE(edit("acc", "minimize").exitCode, 0);
        QCOMPARE(best(2), text("0 at 1"));
        QCOMPARE(edit("loss", "minimize").exitCode, 0);
        QCOMPARE(QStringList({best(1), best(2), best(3)}),
                 QStringList({text("1 at 2"), text("2 at 2"), text("1 at 4")}));
        QCOMPARE(fixture.sweep()[text("state")].toString(), text("completed"));  // nothing runs again
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), text("--undo")}).exitCode, 0);
        QCOMPARE(best(2), text("0 at 1"));
        // What is stored must do where the files are gone.
        const WorkspaceLayout workspace{fixture.workspace().toStdString()};
        std::filesystem::remove_all(workspace.trialFolder(fixture.sweep()[text("folder")].toString().toStdString(), 2));
        QCOMPARE(edit("loss", "maximize").exitCode, 0);
        QCOMPARE(best(2).section(text(" at "), 0, 0), text("9"));
    }

    void undoneEditLeavesNoRowsOfTrialsThatNeverStarted()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text(waitsForGo), 3)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QString definition = fixture.sweepctl({text("edit"), text("1"), text("--print")}).out;
        const QString changed =
            fixture.write(text("changed.toml"), definition.replace(text("int = [1, 3]"), text("int = [1, 9]")));
        const QString said = fixture.sweepctl({text("edit"), text("1"), changed, text("--dry-run")}).out;
        QVERIFY2(said.contains(text("Would add 6 trials (4 to 9).")), qPrintable(said));
        const auto edited = fixture.sweepctl({text("edit"), text("1"), changed});
        QVERIFY2(edited.out.contains(text("6 trials added.")), qPrintable(edited.out));
        QCOMPARE(fixture.trialStates().size(), 9);
        const QString undo = fixture.sweepctl({text("edit"), text("1"), text("--undo"), text("--dry-run")}).out;
        QVERIFY2(undo.contains(text("Would remove 6 queued trials (4 to 9).")), qPrintable(undo));
        QVERIFY(
            fixture.sweepctl({text("edit"), text("1"), text("--undo")}).out.contains(text("6 queued trials removed.")));
        QCOMPARE(fixture.trialStates(), QStringList({text("running"), text("queued"), text("queued")}));
        QCOMPARE(fixture.sweep().value(text("trials_total")).toInt(), 3);
        QCOMPARE(fixture.sweepctl({text("history"), text("1"), text("--trial"), text("4")}).exitCode, 2);

        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), changed}).exitCode, 0);
        QCOMPARE(fixture.trialStates().size(), 9);
        QCOMPARE(fixture.sweepctl({text("edit"), text("1"), text("--undo")}).exitCode, 0);
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("2"), text("3")}));
    }

    void bestTrialsAreContinuedAndOnlyTheirCheckpointsKept()
    {
        EngineFixture fixture;
        const QString script = text("from=0; [ -n \"$SWEEPSCOPE_PARENT_CHECKPOINT\" ] && "
                                    "from=$(cat $SWEEPSCOPE_PARENT_CHECKPOINT/step); "
                                    "mkdir $SWEEPSCOPE_ATTEMPT_FOLDER/checkpoint; step=$((from+1)); "
                                    "echo step=$step loss=$1; echo $step > $SWEEPSCOPE_ATTEMPT_FOLDER/checkpoint/step; "
                                    "echo $1 from $from >> ran");
        const QString file = fixture.writeShellSweep(script, 4, text("[run.metrics]\nformat = \"auto\""));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        const auto run = [&fixture](const QString &arguments) {
            return fixture.sweepctl(arguments.split(QLatin1Char(' ')));
        };
        const auto continued = run(text("continue 1 --best 2"));
        QVERIFY2(continued.exitCode == 0, qPrintable(continued.err));
        QVERIFY2(continued.out.contains(text("2 trials added")), qPrintable(continued.out));
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("ran")), QStringList({text("1 from 0"), text("1 from 1"), text("2 from 0"),
                                                          text("2 from 1"), text("3 from 0"), text("4 from 0")}));
        const auto again = run(text("continue 1 --trial 2"));
        QCOMPARE(again.exitCode, 2);
        QVERIFY2(again.err.contains(text("rial 6")), qPrintable(again.err));
        QCOMPARE(run(text("continue 1")).exitCode, 2);
        QCOMPARE(run(text("continue 1 --trial 99")).exitCode, 2);
        QCOMPARE(run(text("continue 1 epochs=60 --best 1")).exitCode, 2);

        QCOMPARE(run(text("mark 1 --trial 6 --star")).exitCode, 0);
        const auto preview =
            fixture.json({text("checkpoint"), text("1"), text("--keep-best"), text("1"), text("--json")});
        QCOMPARE(preview.value(text("bytes")).toInt(), 6);  // of trials 3, 4 and 5: others continue 1 and 2
        QCOMPARE(preview.value(text("trials")).toArray().size(), 3);
        const auto saved = [&fixture](int trial) {
            return QFile::exists(fixture.workspace()
                                 + text("/sweeps/0001-shell/trials/000%1/1/checkpoint/step").arg(trial));
        };
        QVERIFY(saved(3));
        const auto removed = run(text("checkpoint 1 --keep-best 1 --yes"));
        QVERIFY2(removed.exitCode == 0, qPrintable(removed.err));
        QVERIFY2(removed.out.contains(text("removed the checkpoints of 3 trials, 6 B")), qPrintable(removed.out));
        for (int trial = 1; trial <= 6; ++trial)
            QCOMPARE(saved(trial), trial <= 2 || trial == 6);
        const auto without = run(text("continue 1 --trial 3"));
        QCOMPARE(without.exitCode, 2);
        QVERIFY2(without.err.contains(text("rial 3 has saved no checkpoint")), qPrintable(without.err));
    }

    void enqueuedTrialTakesOnlyTheActiveParametersOfAnother()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            text("sweep.toml"), text("[sweep]\nname = \"s\"\nobjective = \"loss\"\n[space]\nkind = [\"a\"]\n"
                                     "m = { values = [0.5], when = \"kind = a\" }\n"
                                     "[run]\ncommand = [\"true\", \"{kind}\", \"{m}\"]\n[devices]\nkind = \"cpu\"\n"));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        const auto enqueue = [&fixture](const QStringList &values) {
            return fixture.sweepctl(QStringList{text("enqueue"), text("1")} + values);
        };
        const auto same = enqueue({text("--from"), text("1")});
        QCOMPARE(same.exitCode, 2);
        QCOMPARE(same.err, text("Trial 1 has the same parameters; change one of them\n"));
        const auto off = enqueue({text("kind=b"), text("m=0.5")});
        QCOMPARE(off.exitCode, 2);
        QCOMPARE(off.err, text("The condition of m (kind = a) does not hold; leave out m\n"));
        const auto other = enqueue({text("--from"), text("1"), text("kind=b")});
        QVERIFY2(other.exitCode == 0 && other.out.contains(text("The sweep, which had ended, runs again.")),
                 qPrintable(other.out + other.err));
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
};

SWEEPSCOPE_TEST(TestControl)
#include "tst_control.moc"
