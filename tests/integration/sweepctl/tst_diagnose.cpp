#include "clients/fakenvml/fakedriver.h"
#include "enginefixture.h"
#include "testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>

namespace {

constexpr int patienceMs = 180'000;

/// Writes a sweep of trials with two ranks, one for each fault, all concurrent.
QString writeTraining(const EngineFixture &fixture, const QStringList &faults, int seconds, const char *kind)
{
    return fixture.write(text("training.toml"),
                         text("[sweep]\nname = \"training\"\nobjective = \"loss\"\n"
                              "[space]\nfault = [\"%1\"]\n"
                              "[run]\ncommand = [\"python3\", \"%2\", \"{fault}\", \"%3\"]\nranks = 2\n"
                              "[devices]\nkind = \"%4\"\nconcurrent = %5\n%6")
                             .arg(faults.join(text("\", \"")), text(TRAINS), QString::number(seconds), text(kind),
                                  QString::number(faults.size()),
                                  qstrcmp(kind, "cpu") == 0 ? text("cpu_slots = %1\n").arg(2 * faults.size())
                                                            : text("foreign = \"ignore\"\n")));
}

/// Returns "rule@rank", "rule@all" for one trial, in the order of the report.
QStringList findings(const QJsonObject &diagnosis, int trial)
{
    QStringList found;
    for (const QJsonValue attempt : diagnosis[text("attempts")].toArray()) {
        for (const QJsonValue finding : attempt[text("findings")].toArray()) {
            const QJsonValue rank = finding[text("rank")];
            if (finding[text("trial")].toInt() == trial)
                found.append(finding[text("rule")].toString() + text("@")
                             + (rank.isNull() ? text("all") : QString::number(rank.toInt())));
        }
    }
    return found;
}

QJsonObject ruleOf(const QJsonObject &diagnosis, int trial, const char *rule)
{
    for (const QJsonValue attempt : diagnosis[text("attempts")].toArray()) {
        for (const QJsonValue result : attempt[text("rules")].toArray()) {
            if (attempt[text("trial")].toInt() == trial && result[text("rule")].toString() == text(rule))
                return result.toObject();
        }
    }
    return {};
}

QString verdict(const QJsonObject &diagnosis, int trial, const char *rule)
{
    return ruleOf(diagnosis, trial, rule)[text("verdict")].toString();
}

QString missing(const QJsonObject &diagnosis, int trial, const char *rule)
{
    return ruleOf(diagnosis, trial, rule)[text("missing")].toString();
}

/// GPUs under the load of a training.
constexpr const char *healthyGpus = R"({"gpus": [
  {"uuid": "GPU-a", "name": "Fake H200", "memory": 140000000000, "utilization": {"curve": [97, 99, 96, 100]},
   "memory_used": 90000000000, "sm_clock": {"curve": [1905, 1890, 1920]}, "sm_clock_max": 1980, "throttle_reasons": 4,
   "pcie_generation": 5, "pcie_generation_max": 5, "pcie_width": 16, "pcie_width_max": 16, "sm_activity": 71,
   "dram_activity": 48, "processes": []},
  {"uuid": "GPU-b", "name": "Fake H200", "memory": 140000000000, "utilization": {"curve": [99, 95, 98]},
   "memory_used": 90000000000, "sm_clock": {"curve": [1890, 1905]}, "sm_clock_max": 1980, "throttle_reasons": 4,
   "pcie_generation": 5, "pcie_generation_max": 5, "pcie_width": 16, "pcie_width_max": 16, "sm_activity": 68,
   "dram_activity": 51, "processes": []}]})";

QJsonObject diagnose(const EngineFixture &fixture)
{
    const auto result = fixture.sweepctl({text("diagnose"), text("1"), text("--json")});
    return result.exitCode == 0 ? QJsonDocument::fromJson(result.out.toUtf8()).object() : QJsonObject();
}

}  // namespace

/// Real faults of ranks and GPUs are found, with the rank, and nothing is found in a healthy run.
class TestDiagnose : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachFaultOfARankIsNamedAndAHealthyTrialHasNone()
    {
        const EngineFixture fixture;
        const QStringList faults{text("none"),  text("straggler"), text("starved"), text("nan"),
                                 text("spike"), text("order"),     text("overlap"), text("diverged")};
        const auto run = fixture.sweepctl({text("run"), writeTraining(fixture, faults, 20, "cpu"), text("--wait")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        const QJsonObject diagnosis = diagnose(fixture);
        QCOMPARE(findings(diagnosis, 1), QStringList());
        QCOMPARE(findings(diagnosis, 2), QStringList{text("straggler@1")});
        QCOMPARE(findings(diagnosis, 3), QStringList{text("data-wait@1")});
        QCOMPARE(findings(diagnosis, 4), QStringList{text("not-finite@1")});
        QCOMPARE(findings(diagnosis, 5), QStringList{text("loss-spike@1")});
        QCOMPARE(findings(diagnosis, 6), QStringList{text("same-order@all")});
        QCOMPARE(findings(diagnosis, 7), QStringList{text("same-samples@all")});
        QCOMPARE(findings(diagnosis, 8), QStringList{text("diverged-replicas@1")});
        for (const char *rule : {"straggler", "data-wait", "loss-spike", "not-finite", "hang", "same-order"})
            QCOMPARE(verdict(diagnosis, 1, rule), text("clear"));
        QCOMPARE(verdict(diagnosis, 1, "no-objective"), text("clear"));
        QCOMPARE(verdict(diagnosis, 1, "thermal-throttle"), text("not applicable"));

        const auto words = fixture.sweepctl({text("diagnose"), text("training"), text("2"), text("1")});
        QCOMPARE(words.exitCode, 0);
        QVERIFY2(words.out.contains(text("trial 2, attempt 1\n  warning  straggler  rank 1 computes"))
                     && words.out.contains(text("hint: ")) && !words.out.contains(text("data-wait  "))
                     && words.out.contains(text("not applicable:\n  the trial uses no GPU: clock-mismatch, "))
                     && words.out.contains(text("2 attempts: 1 finding; 11 rules passed\n")),
                 qPrintable(words.out));
        const auto none = fixture.sweepctl({text("diagnose"), text("1"), text("9")});
        QCOMPARE(none.exitCode, 2);
        QVERIFY(none.err.contains(text("has no trial 9")));

        const QString file = fixture.path(text("findings.csv"));
        QCOMPARE(fixture.sweepctl({text("export"), text("1"), text("--findings"), file}).exitCode, 0);
        int found = 0;
        for (auto row : readCsv(file)) {
            if (row[text("verdict")] != text("found"))
                continue;
            ++found;
            if (row[text("rule")] == text("straggler")) {
                QCOMPARE(row[text("trial")], text("2"));
                QCOMPARE(row[text("rank")], text("1"));
                QVERIFY(row[text("value")].toDouble() > row[text("threshold")].toDouble());
            }
        }
        QCOMPARE(found, 7);
    }

    void stoppedRankIsNamedWhileTheTrialHangs()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine());
        const QString file = writeTraining(fixture, {text("stopped")}, 20, "cpu");
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QStringList found;
        QVERIFY(QTest::qWaitFor(
            [&] {
                found = findings(diagnose(fixture), 1);
                return !found.isEmpty();
            },
            patienceMs));
        QCOMPARE(found, QStringList{text("hang@1")});

        const auto status = fixture.sweepctl({text("status")});
        QVERIFY2(status.out.contains(text("\n    problem  hang  no step for ")), qPrintable(status.out));
        const QJsonValue trial = fixture.sweep()[text("trials")].toArray().first();
        QCOMPARE(trial[text("findings")].toArray().first()[text("rule")].toString(), text("hang"));
    }

    void eachFaultOfAGpuIsNamedAndMarkedAsSimulated()
    {
        const EngineFixture fixture;
        QProcess stranger;
        stranger.start(text("sleep"), {text("600")});
        QVERIFY(stranger.waitForStarted(patienceMs));
        const FakeDriver driver(text(R"({"gpus": [
  {"uuid": "GPU-a", "name": "Fake H200", "memory": 140000000000, "utilization": 97, "memory_used": 60000000000,
   "sm_clock": 1900, "sm_clock_max": 1980, "throttle_reasons": 4, "pcie_generation": 5, "pcie_generation_max": 5,
   "pcie_width": 16, "pcie_width_max": 16, "processes": []},
  {"uuid": "GPU-b", "name": "Fake H200", "memory": 140000000000, "utilization": 97, "memory_used": 137000000000,
   "sm_clock": 1300, "sm_clock_max": 1980, "throttle_reasons": 192, "pcie_generation": 5, "pcie_generation_max": 5,
   "pcie_width": 4, "pcie_width_max": 16, "processes": [{"pid": %1, "memory": 2000000000}]}]})")
                                    .arg(stranger.processId())
                                    .toStdString());
        const auto cleanUp = qScopeGuard([&stranger] {
            stranger.kill();
            stranger.waitForFinished(patienceMs);
        });
        const auto run =
            fixture.sweepctl({text("run"), writeTraining(fixture, {text("none")}, 25, "gpu"), text("--wait")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        const QJsonObject diagnosis = diagnose(fixture);
        QStringList found = findings(diagnosis, 1);
        found.sort();
        const QJsonArray attempts = diagnosis[text("attempts")].toArray();
        const QJsonArray list = attempts.first()[text("findings")].toArray();
        const QString rank = QString::number(list.first()[text("rank")].toInt());
        QStringList expected;
        for (const char *rule :
             {"clock-mismatch", "foreign-process", "memory-limit", "pcie-link", "power-brake", "thermal-throttle"})
            expected.append(text(rule) + text("@") + rank);
        QCOMPARE(found, expected);
        for (const QJsonValue finding : list) {
            QCOMPARE(finding[text("device")].toString(), text("GPU-b"));
            QVERIFY(finding[text("simulated")].toBool());
        }
    }

    void underusedAndIdleGpusAreNamed()
    {
        const EngineFixture fixture;
        const FakeDriver driver(R"({"gpus": [
  {"uuid": "GPU-a", "name": "Fake H200", "memory": 140000000000, "utilization": 97, "memory_used": 90000000000,
   "sm_activity": 12, "dram_activity": 6, "processes": []},
  {"uuid": "GPU-b", "name": "Fake H200", "memory": 140000000000, "utilization": {"curve": [20, 31, 44]},
   "memory_used": 9000000000, "processes": []}]})");
        const auto run =
            fixture.sweepctl({text("run"), writeTraining(fixture, {text("none")}, 25, "gpu"), text("--wait")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        QStringList found;
        const QJsonArray attempts = diagnose(fixture)[text("attempts")].toArray();
        for (const QJsonValue finding : attempts.first()[text("findings")].toArray())
            found.append(finding[text("rule")].toString() + text(" ") + finding[text("device")].toString());
        found.sort();
        QCOMPARE(found, (QStringList{text("hollow-gpu GPU-a"), text("low-utilization GPU-b")}));
    }

    void slowDriverIsNamedForCostlyMonitoring()
    {
        const EngineFixture fixture;
        const FakeDriver driver(
            text(healthyGpus)
                .replace(text("\"processes\""), text("\"burns\": {\"nvmlDeviceGetUtilizationRates\": "
                                                     "100}, \"processes\""))
                .toStdString());
        const auto run =
            fixture.sweepctl({text("run"), writeTraining(fixture, {text("none")}, 16, "gpu"), text("--wait")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        const QJsonObject diagnosis = diagnose(fixture);
        QCOMPARE(findings(diagnosis, 1), QStringList{text("monitor-cost@all")});
        const QJsonArray attempts = diagnosis[text("attempts")].toArray();
        const QJsonObject finding = attempts.first()[text("findings")][0].toObject();
        QVERIFY(finding[text("value")].toDouble() > finding[text("threshold")].toDouble());
    }

    void metricsThatAreNotReadAreNamed()
    {
        const EngineFixture fixture;
        const QString file =
            fixture.write(text("prints.toml"), text("[sweep]\nname = \"prints\"\nobjective = \"val_loss\"\n"
                                                    "[space]\nn = [1]\n"
                                                    "[run]\ncommand = [\"echo\", \"step {n} loss: 0.5 acc: 0.9\"]\n"
                                                    "[run.metrics]\nseries.val_loss = 'val_loss=(.*)'\n"
                                                    "[devices]\nkind = \"cpu\"\n"));
        const auto run = fixture.sweepctl({text("run"), file, text("--wait")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        const auto words = fixture.sweepctl({text("diagnose"), text("1")});
        QVERIFY2(words.out.contains(text("warning  no-objective  no values were reported, but the output contains "
                                         "loss and acc\n")),
                 qPrintable(words.out));
        const auto status = fixture.sweepctl({text("status")});
        QVERIFY2(status.out.contains(text("warning: no trial reported the objective val_loss; for the cause: sweepctl "
                                          "diagnose 0001-prints\n")),
                 qPrintable(status.out));
    }

    /// SWEEPSCOPE_CLEAN_SECONDS prolongs it.
    void healthyTrainingHasNoFindings()
    {
        const EngineFixture fixture;
        const FakeDriver driver(healthyGpus);
        const int seconds = std::max(20, qEnvironmentVariableIntValue("SWEEPSCOPE_CLEAN_SECONDS"));
        const auto run = fixture.sweepctl({text("run"), writeTraining(fixture, {text("none")}, seconds, "gpu")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err + run.out));
        QVERIFY(fixture.waitForSweepState(text("completed"), seconds * 1000 + patienceMs));
        const QJsonObject diagnosis = diagnose(fixture);
        QCOMPARE(findings(diagnosis, 1), QStringList());
        for (const char *rule :
             {"straggler", "data-wait", "loss-spike", "not-finite", "diverged", "hang", "diverged-replicas",
              "same-samples", "same-order", "script-mistake", "thermal-throttle", "power-brake", "clock-mismatch",
              "pcie-link", "foreign-process", "low-utilization", "hollow-gpu", "memory-limit", "monitor-cost"})
            QVERIFY2(verdict(diagnosis, 1, rule) == text("clear"),
                     qPrintable(text(rule) + text(" ") + missing(diagnosis, 1, rule)));
    }
};

SWEEPSCOPE_TEST(TestDiagnose)
#include "tst_diagnose.moc"
