#include "enginefixture.h"
#include "testprogram.h"

#include <QTest>

/// Sweeps that have spent their budget, with real engines, agents and ranks.
class TestSweepBudget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sweepEndsWhenItsDeviceTimeIsExhausted()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("test -e fast || sleep 2; echo $1 >> done"), 3, {},
                                                     text("[budget]\ndevice_time = 1"));
        const auto run = fixture.sweepctl({text("run"), file, text("--wait")});
        QVERIFY2(fixture.sweep().value(text("state")).toString() == text("completed"), qPrintable(run.out + run.err));
        // The first one completed although that exceeded the budget.
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("stopped"), text("stopped")}));
        QCOMPARE(fixture.lines(text("done")), QStringList{text("1")});
        QCOMPARE(fixture.trialReason(3)[text("code")].toString(), text("device_budget_spent"));

        // A later engine knows what was used.
        fixture.endEngine();
        QVERIFY(fixture.startEngine());
        const auto retry = fixture.sweepctl({text("retry"), text("1"), text("-t"), text("2")});
        QCOMPARE(retry.exitCode, 2);
        QVERIFY2(retry.err.contains(text("raise the limit first")), qPrintable(retry.err));
        QCOMPARE(fixture.sweepctl({text("enqueue"), text("1"), text("n=17")}).exitCode, 2);

        QString definition = fixture.sweepctl({text("edit"), text("1"), text("--print")}).out;
        QVERIFY2(definition.contains(text("device_time = 1")), qPrintable(definition));
        const QString little = fixture.write(
            text("little.toml"), QString(definition).replace(text("device_time = 1"), text("device_time = 2")));
        const auto inVain = fixture.sweepctl({text("edit"), text("1"), little});
        QVERIFY2(inVain.exitCode == 0 && !inVain.out.contains(text("restored")), qPrintable(inVain.out + inVain.err));
        const QString more =
            fixture.write(text("more.toml"), definition.replace(text("device_time = 1"), text("device_time = 1000")));
        fixture.write(text("fast"), {});
        const auto edit = fixture.sweepctl({text("edit"), text("1"), more});
        QVERIFY2(edit.out.contains(text("2 trials restored")), qPrintable(edit.out + edit.err));
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("completed"), text("completed")}));
        QCOMPARE(fixture.lines(text("done")), QStringList({text("1"), text("2"), text("3")}));
    }

    void killedEngineDoesNotResetTheBudget()
    {
        EngineFixture fixture;
        const QString file =
            fixture.writeShellSweep(text("until test -e go; do sleep 0.05; done"), 2, {}, text("[budget]\ntime = 2"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForTrialState(2, text("stopped")));
        QCOMPARE(fixture.trialStates().value(0), text("running"));  // a running trial completes
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("stopped")}));
    }
};

SWEEPSCOPE_TEST(TestSweepBudget)
#include "tst_sweepbudget.moc"
