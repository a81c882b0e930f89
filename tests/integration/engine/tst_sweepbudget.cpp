#include "clients/fakenvml/fakedriver.h"
#include "enginefixture.h"
#include "testprogram.h"

#include <QFile>
#include <QTest>

namespace {

/// Writes a sweep whose first trial takes two seconds on a GPU, and whose others wait for the file "go".
QString writeGpuSweep(const EngineFixture &fixture, const QString &budget)
{
    QFile file(fixture.writeShellSweep(text("test $1 = 1 && exec sleep 2; while ! test -e go; do sleep 0.05; done"), 3,
                                       {}, budget));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read a test's file");
    return fixture.write(
        text("gpus.toml"),
        QString::fromUtf8(file.readAll()).replace(text("kind = \"cpu\"\ncpu_slots = 8"), text("kind = \"gpu\"")));
}

}  // namespace

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

    void sweepEndsWhenItsEnergyIsUsed()
    {
        const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "memory": 1000, "power": 40000}]})");
        EngineFixture fixture;
        const QString file = writeGpuSweep(fixture, text("[budget]\nenergy_kwh = 0.01"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        // The second one began before the energy of the first was known.
        QVERIFY(fixture.waitForTrialState(3, text("stopped")));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("running"), text("stopped")}));
        const QJsonObject reason = fixture.trialReason(3);
        QCOMPARE(reason[text("code")].toString(), text("energy_budget_spent"));
        QCOMPARE(reason[text("kilowatt_hours")].toDouble(), 0.01);
        QVERIFY(fixture.sweepctl({text("status")}).out.contains(text(" of 0.01 kWh (integrated power)")));
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));

        // A later engine knows what was used.
        fixture.endEngine();
        QVERIFY(fixture.startEngine());
        const auto retry = fixture.sweepctl({text("retry"), text("1"), text("-t"), text("3")});
        QCOMPARE(retry.exitCode, 2);
        QVERIFY2(retry.err.contains(text("nergy budget spent: 0.01 kWh; raise the limit first")),
                 qPrintable(retry.err));
        QString definition = fixture.sweepctl({text("edit"), text("1"), text("--print")}).out;
        const QString more = fixture.write(text("more.toml"), definition.replace(text("= 0.01"), text("= 1000")));
        const auto edit = fixture.sweepctl({text("edit"), text("1"), more});
        QVERIFY2(edit.out.contains(text("1 trial restored")), qPrintable(edit.out + edit.err));
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("completed"), text("completed")}));
    }

    void energyBudgetWithoutReadingsIsAWarning()
    {
        const FakeDriver driver(R"({"gpus": [{"uuid": "GPU-a", "memory": 1000}]})");
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), writeGpuSweep(fixture, text("[budget]\nenergy_kwh = 0.01"))}).exitCode,
                 0);
        const QString warning = text("energy of 1 attempt is unknown and does not count toward the energy budget");
        QTRY_VERIFY_WITH_TIMEOUT(fixture.sweepctl({text("status")}).out.contains(warning), 60'000);
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
    }

    void energyBudgetOnCpusIsRefused()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 2, {}, text("[budget]\nenergy_kwh = 0.01"));
        const auto run = fixture.sweepctl({text("run"), file});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains(text("budget.energy_kwh: would never end the sweep")), qPrintable(run.err));
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
