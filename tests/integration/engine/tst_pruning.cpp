#include "engine/database.h"
#include "enginefixture.h"
#include "testprogram.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace sweepscope;

namespace {

constexpr const char *metrics = "[run.metrics]\nstep = 'step (\\d+)'\nseries = { loss = 'loss=(\\S+)' }\n";
constexpr const char *medianAtStep3 = "[prune]\nmethod = \"median\"\nfirst_step = 3\nmin_trials = 2\n";

/// Trial n reports n at every step, and runs long unless it is asked to end.
QString reports(const char *atTheEnd)
{
    return text("i=0; while [ $i -lt 5 ]; do i=$((i+1)); echo \"step $i loss=$1\"; done; ") + text(atTheEnd);
}

}  // namespace

/// Trials that are behind others, with real engines, agents and ranks.
class TestPruning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialsBehindTheMedianEndEarly()
    {
        EngineFixture fixture;
        const QString file =
            fixture.writeShellSweep(reports("test $1 = 1 || test -e whole || sleep 1000; echo $1 >> done"), 4,
                                    text(metrics), text(medianAtStep3));
        const auto run = fixture.sweepctl({text("run"), file, text("--wait")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.out + run.err));  // pruning is no failure
        QCOMPARE(fixture.trialStates(),
                 (QStringList{text("completed"), text("pruned"), text("pruned"), text("pruned")}));
        QCOMPARE(fixture.lines(text("done")), QStringList{text("1")});
        const QJsonObject reason = fixture.trialReason(4);
        QCOMPARE(reason[text("code")].toString(), text("pruned_by_median"));
        QCOMPARE(reason[text("step")].toInt(), 3);
        QCOMPARE(reason[text("value")].toDouble(), 4.0);
        QCOMPARE(reason[text("count")].toInt(), 4);
        QVERIFY(fixture.sweepctl({text("status")}).out.contains(text("1 completed, 3 pruned")));
        const auto history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("2")});
        QVERIFY2(history.out.contains(text("running -> pruned")), qPrintable(history.out));

        const auto replay = fixture.sweepctl({text("history"), text("1"), text("--replay")});
        QVERIFY2(replay.exitCode == 0, qPrintable(replay.out + replay.err));
        QVERIFY2(replay.out.contains(text("pruning decisions replayed, all identical")), qPrintable(replay.out));

        fixture.write(text("whole"), {});
        const auto retried = fixture.sweepctl({text("retry"), text("1"), text("-t"), text("2")});
        QVERIFY2(retried.exitCode == 0, qPrintable(retried.err));
        QVERIFY(fixture.waitForTrialState(2, text("completed")));  // a retried trial is not pruned again
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void eachRuleEndsTrialsWithItsReason()
    {
        struct Rule {
            const char *section;
            QStringList states;
            const char *code;
            const char *words;
        };
        const QString done = text("completed");
        const QString ended = text("pruned");
        const Rule rules[] = {
            {"method = \"threshold\"\nabove = 2.5", {done, done, ended}, "pruned_by_threshold", "value 3 is above 2.5"},
            {"method = \"patience\"\npatience = 2",
             {ended, ended, ended},
             "pruned_by_patience",
             "no new best for 2 comparisons (best value 3)"},
            {"method = \"percentile\"\npercentile = 25\nfirst_step = 3\nmin_trials = 2",
             {done, ended, ended},
             "pruned_by_percentile",
             "value 3, not among the best 25% of 3 trials (limit 1)"},
            {"method = \"hyperband\"\nmax_step = 5\nfirst_step = 3\nmin_trials = 2",
             {done, ended, ended},
             "pruned_by_rank",
             "value 3, not among the best 1/3 of 3 trials of bracket 1 (limit 1)"},
            {"method = \"wilcoxon\"\np_value = 0.2",
             {done, ended, ended},
             "pruned_by_wilcoxon",
             "worse than trial 1 at 3 common steps (p = 0.125)"},
        };
        for (const Rule &rule : rules) {
            EngineFixture fixture;
            // Five steps a second, so that a decision comes before the end.
            const QString script = text("for i in 1 2 3 4 5 6 7 8; do echo \"step $i loss=$1\"; sleep 0.2; done");
            const QString file = fixture.writeShellSweep(script, 3, text(metrics),
                                                         text("concurrent = 1\n[prune]\n") + text(rule.section));
            QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
            QVERIFY2(fixture.trialStates() == rule.states, qPrintable(fixture.trialStates().join(u' ')));
            QCOMPARE(fixture.trialReason(3)[text("code")].toString(), text(rule.code));
            const QString history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("3")}).out;
            QVERIFY2(history.contains(text(rule.words)), qPrintable(history));
            QCOMPARE(fixture.sweepctl({text("history"), text("1"), text("--replay")}).exitCode, 0);
        }
    }

    void anotherProgramPrunesAndMayDieWithTheEngine()
    {
        EngineFixture fixture;
        fixture.write(text("pruner.py"),
                      text("import json, os, sys, time\n"
                           "last = {}\n"
                           "for line in sys.stdin:\n"
                           "    line = json.loads(line)\n"
                           "    last[line.get('number')] = line.get('intermediate', {})\n"
                           "    if 'prune' not in line:\n"
                           "        continue\n"
                           "    if not os.path.exists('died'):\n"
                           "        open('died', 'w').close()\n"
                           "        os.kill(os.getpid(), 9)\n"
                           "    open('asked-%d' % line['prune'], 'w').close()\n"
                           "    while not os.path.exists('go'):\n"
                           "        time.sleep(0.02)\n"
                           "    value = last[line['prune']][str(line['step'])]\n"
                           "    print(json.dumps({'prune': value > 2.5, 'why': 'the reviewer'}), flush=True)\n"));
        const QString script = reports("test $1 != 3 || sleep 1000; until test -e go; do sleep 0.05; done");
        const QString prune = text("[prune]\nmethod = \"command\"\ncommand = [\"python3\", \"pruner.py\"]\n");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 3, text(metrics), prune)}).exitCode, 0);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(fixture.path(text("asked-1"))), 20000);
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), (QStringList{text("completed"), text("completed"), text("pruned")}));
        const QJsonObject reason = fixture.trialReason(3);
        QCOMPARE(reason[text("code")].toString(), text("pruned_by_command"));
        const QString history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("3")}).out;
        QVERIFY2(history.contains(text("runed at step 5: the reviewer (value 3)")), qPrintable(history));
        const auto replay = fixture.sweepctl({text("history"), text("1"), text("--replay")});
        QCOMPARE(replay.exitCode, 0);
        QVERIFY2(replay.out.contains(text("made by another program and cannot be replayed")), qPrintable(replay.out));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void sweepGoesOnWithoutItsPruningProgram()
    {
        EngineFixture fixture;
        const QString prune = text("[prune]\nmethod = \"command\"\n"
                                   "command = [\"sh\", \"-c\", \"echo no licence >&2; exit 3\"]\n");
        const QString script = reports("until test -e go; do sleep 0.05; done");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 3, text(metrics), prune)}).exitCode, 0);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.sweepctl({text("status")})
                                     .out.contains(text("o further trial is pruned, because the program that "
                                                        "decides failed: it exited with code 3: no licence")),
                                 20000);
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), (QStringList{text("completed"), text("completed"), text("completed")}));
    }

    void trialThatTurnsOutToBeGoodEnoughContinues()
    {
        EngineFixture fixture;
        const QString script =
            text("i=$(cat saved-$1 || echo 0); trap 'echo $i > saved-$1; exit 143' TERM; echo $1 >> begun; "
                 "while [ $i -lt 5 ]; do i=$((i+1)); echo \"step $i loss=$1\"; sleep 0.3; done");
        const QString file =
            fixture.writeShellSweep(script, 4, text(metrics),
                                    text("concurrent = 1\n[prune]\nmethod = \"halving\"\nfirst_step = 3\n"
                                         "factor = 2\nmin_trials = 2\npromote = true\n"));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        // Of two trials one is to continue, of three and four two.
        QCOMPARE(fixture.trialStates(),
                 (QStringList{text("completed"), text("completed"), text("pruned"), text("pruned")}));
        QCOMPARE(fixture.lines(text("begun")), (QStringList{text("1"), text("2"), text("2"), text("3"), text("4")}));
        const QString history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("2")}).out;
        QVERIFY2(history.contains(text("value 2 is now among the best 1/2 of 3 trials (limit 2)")),
                 qPrintable(history));
        const auto replay = fixture.sweepctl({text("history"), text("1"), text("--replay")});
        QVERIFY2(replay.exitCode == 0, qPrintable(replay.out + replay.err));
        QVERIFY2(replay.out.contains(text("5 pruning decisions replayed, all identical")), qPrintable(replay.out));
    }

    void replayNamesTheDecisionThatDiffers()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(reports("test $1 = 1 || sleep 1000"), 4, text(metrics),
                                                     text("concurrent = 1\n") + text(medianAtStep3));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        fixture.endEngine();
        {
            const auto database =
                engine::Database::openForWriting((fixture.workspace() + text("/sweepscope.db")).toStdString());
            QVERIFY(database.has_value());
            QVERIFY((*database)->execute("UPDATE prune_log SET best = 0.5 WHERE trial = 3").has_value());
        }
        const auto replay = fixture.sweepctl({text("history"), text("1"), text("--replay")});
        QCOMPARE(replay.exitCode, 2);
        QVERIFY2(replay.out.contains(text("the one about trial 3 at step 3 is the first that differs")),
                 qPrintable(replay.out));
    }

    void decisionOfAKilledEngineIsCarriedOut()
    {
        EngineFixture fixture;
        const QString script = text("trap 'until test -e go; do sleep 0.1; done; exit 0' TERM; ")
                               + reports("test $1 = 1 || while :; do sleep 0.1; done");
        const QString file = fixture.writeShellSweep(script, 2, text(metrics), text(medianAtStep3));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(2, text("pruned")));
        QCOMPARE(fixture.sweep().value(text("state")).toString(), text("running"));  // its ranks still run
        fixture.killEngine();
        fixture.write(text("go"), {});
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), (QStringList{text("completed"), text("pruned")}));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void enablingPruningComparesRunningTrialsAtPastSteps()
    {
        EngineFixture fixture;
        const QString script = reports("until test -e go; do sleep 0.05; done; echo $1 >> done");
        const QString file = fixture.writeShellSweep(script, 3, text(metrics), text("concurrent = 3\n"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        for (int trial = 1; trial <= 3; ++trial) {
            QVERIFY(QTest::qWaitFor(
                [&] {
                    const QJsonArray trials = fixture.sweep().value(text("trials")).toArray();
                    return trials.at(trial - 1).toObject().value(text("step")).toInt() == 5;
                },
                60'000));
        }
        const QString pruning =
            fixture.writeShellSweep(script, 3, text(metrics), text("concurrent = 3\n") + text(medianAtStep3));
        const auto edited = fixture.sweepctl({text("edit"), text("1"), pruning});
        QVERIFY2(edited.exitCode == 0, qPrintable(edited.err));
        QVERIFY(fixture.waitForTrialState(3, text("pruned")));
        QCOMPARE(fixture.trialReason(3)[text("step")].toInt(), 3);
        QCOMPARE(fixture.trialReason(3)[text("value")].toDouble(), 3.0);
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates().first(), text("completed"));
        QVERIFY(!fixture.lines(text("done")).contains(text("3")));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void rungsSurviveTheEngine()
    {
        EngineFixture fixture;
        const QString script = reports("case $1 in 2) until test -e go; do sleep 0.05; done;; 3) sleep 1000;; esac");
        const QString file =
            fixture.writeShellSweep(script, 3, text(metrics), text("[prune]\nfirst_step = 3\nmin_trials = 3\n"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("completed")));
        QVERIFY(fixture.waitForTrialState(2, text("running")));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        // Two trials were too few to compare; with the values that the dead engine had read there are three.
        QCOMPARE(fixture.trialStates(), (QStringList{text("completed"), text("completed"), text("pruned")}));
    }
};

SWEEPSCOPE_TEST(TestPruning)
#include "tst_pruning.moc"
