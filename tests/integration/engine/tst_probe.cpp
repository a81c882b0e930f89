#include "enginefixture.h"
#include "testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

namespace {

QString writeTraining(const EngineFixture &fixture)
{
    return fixture.write(text("train.toml"),
                         text("[sweep]\nname = \"train\"\nobjective = \"loss\"\ngoal = \"minimize\"\n"
                              "[space]\nbatch_size = [32, 64]\nlr = [0.1, 0.2]\n"
                              "[run]\ncommand = [\"python3\", \"%1\", \"900\"]\nretries = 2\n"
                              "[devices]\nkind = \"cpu\"\n")
                             .arg(text(MEASURES)));
}

QJsonObject resultOf(const EngineFixture &fixture, const char *sweep)
{
    return QJsonDocument::fromJson(fixture.sweepctl({text("probe"), text(sweep), text("--json")}).out.toUtf8())
        .object();
}

}  // namespace

/// The batch-size probe, with real engines, agents and ranks.
class TestProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outOfMemoryIsTheUpperBoundAndNoFailure()
    {
        EngineFixture fixture;
        const auto run = fixture.sweepctl({text("probe"), writeTraining(fixture), text("--measure"), text("1s"),
                                           text("--values"), text("3200,100,50,500,800,1600")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        // 10 ms and 0.1 ms a sample: 8333 samples/s at 500, 8889 at 800. On a busy machine, steps come irregularly.
        const QRegularExpression suggestion(
            text("suggested batch_size 500: 94% of peak throughput \\(8,889 samples/s( \\S+ \\d+%)? at 800\\)"));
        QVERIFY2(suggestion.match(run.out).hasMatch(), qPrintable(run.out));
        QVERIFY2(run.out.contains(text("batch_size 1,600 runs out of memory")), qPrintable(run.out));
        QVERIFY2(run.out.contains(text("\n1 trial was stopped before it started\n")), qPrintable(run.out));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("completed"), text("completed"),
                                                     text("completed"), text("stopped"), text("stopped")}));
        QCOMPARE(fixture.lines(text("began")),  // in alphabetical order
                 QStringList({text("100"), text("1600"), text("50"), text("500"), text("800")}));
        QCOMPARE(fixture.trialReason(6)[text("code")].toString(), text("beyond_memory"));
        QCOMPARE(fixture.trialReason(6)[text("value")].toDouble(), 1600.0);

        const QJsonObject result = resultOf(fixture, "train-probe");
        QCOMPARE(result[text("suggested")].toDouble(), 500.0);
        QCOMPARE(result[text("fastest")].toDouble(), 800.0);
        QCOMPARE(result[text("upper_bound")].toDouble(), 1600.0);
        const QJsonArray measurements = result[text("measurements")].toArray();
        QCOMPARE(measurements.size(), 6);
        const QJsonObject first = measurements[0].toObject();
        QVERIFY(qAbs(first[text("samples_per_second")].toDouble() - 50 / 0.015) < 1);
        QVERIFY(first[text("memory_bytes")].toDouble() > 1e6);
        QCOMPARE(measurements[4].toObject()[text("state")].toString(), text("out of memory"));
    }

    void probeContinuesAfterTheEngineIsKilled()
    {
        EngineFixture fixture;
        const QString file = fixture.write(text("probe.toml"),
                                           text("[sweep]\nname = \"probe\"\nobjective = \"loss\"\ngoal = \"minimize\"\n"
                                                "[space]\nbatch_size = [100, 200, 1600, 3200]\n"
                                                "[run]\ncommand = [\"python3\", \"%1\", \"900\"]\n"
                                                "[devices]\nkind = \"cpu\"\n[probe]\nmeasure = \"1s\"\n")
                                               .arg(text(MEASURES)));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForTrialState(2, text("completed")));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(),
                 QStringList({text("completed"), text("completed"), text("stopped"), text("stopped")}));
        QCOMPARE(fixture.trialReason(1)[text("code")].toString(), text("measured"));
        QVERIFY(!fixture.lines(text("began")).contains(text("3200")));
    }

    void impossibleProbesAreRefusedWithAMessage()
    {
        EngineFixture fixture;
        const QString file = writeTraining(fixture);
        const auto unknown = fixture.sweepctl({text("probe"), file, text("--parameter"), text("batch")});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains(text("has no parameter 'batch'")), qPrintable(unknown.err));
        for (const char *time : {"soon", "0.1s"}) {
            const auto refused = fixture.sweepctl({text("probe"), file, text("--measure"), text(time)});
            QCOMPARE(refused.exitCode, 2);
            QCOMPARE(refused.err, text("--measure must be a duration from 1s to 1h, not '%1'\n").arg(text(time)));
        }
    }
};

SWEEPSCOPE_TEST(TestProbe)
#include "tst_probe.moc"
