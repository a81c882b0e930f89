#include "enginefixture.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace {

constexpr const char *metrics = "[run.metrics]\nstep = 'step (\\d+)'\nseries = { loss = 'loss=(\\S+)' }\n";
constexpr const char *medianAtStep3 = "[prune]\nmethod = \"median\"\nfirst_step = 3\nmin_trials = 2\n";

/// Trial n reports n at every step, and takes long only when it is not told to end.
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

        fixture.write(text("whole"), {});
        const auto retried = fixture.sweepctl({text("retry"), text("1"), text("-t"), text("2")});
        QVERIFY2(retried.exitCode == 0, qPrintable(retried.err));
        QVERIFY(fixture.waitForTrialState(2, text("completed")));  // whoever asks for it again gets it whole
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
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

    void trialsThatRunAreComparedWhereTheyHaveBeenWhenAnEditBringsPruning()
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

    void rungsOutliveTheEngine()
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
        // Two trials were too few to compare; with what the dead engine saw there are three.
        QCOMPARE(fixture.trialStates(), (QStringList{text("completed"), text("completed"), text("pruned")}));
    }
};

QTEST_GUILESS_MAIN(TestPruning)
#include "tst_pruning.moc"
