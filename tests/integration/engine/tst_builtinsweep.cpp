#include "enginefixture.h"
#include "testprogram.h"

#include "base/workspacelayout.h"
#include "launch/attemptevents.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <set>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

bool wasForked(const std::filesystem::path &attempt)
{
    bool forked = false;
    for (const AttemptEvent &event : AttemptEventReader(AttemptLayout{attempt}.eventsFile()).poll())
        forked = forked || (event.kind == AttemptEventKind::RankStarted && event.forked);
    return forked;
}

}  // namespace

/// A real engine with the real worker.
class TestBuiltinSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialsFromTheForkServerHaveTheSameResults()
    {
        EngineFixture fixture;
        // How often ranks are compared does not affect training: all trials end with equal results.
        const QString file = fixture.write(text("same.toml"), text(R"(
[sweep]
name = "same"
objective = "val_loss"
[space]
seed = [7]
check_every = { values = [1, 2, 3, 4, 5, 6, 7, 8] }
[search]
method = "grid"
[run]
worker = "builtin"
dataset = "digits"
model = "mlp"
epochs = 2
ranks = 2
[devices]
kind = "cpu"
cpu_slots = 4
concurrent = 1
)"));
        const auto launched = fixture.sweepctl({text("run"), file});
        QVERIFY2(launched.exitCode == 0, qPrintable(launched.err));
        QVERIFY(fixture.waitForSweepState(text("completed"), 300'000));

        const QJsonArray trials = fixture.sweep().value(text("trials")).toArray();
        QCOMPARE(trials.size(), 8);
        std::set<double> objectives;
        int forked = 0;
        for (const auto &trial : trials) {
            objectives.insert(
                trial.toObject().value(text("objective_last")).toObject().value(text("value")).toDouble());
            const int number = trial.toObject().value(text("number")).toInt();
            const WorkspaceLayout workspace{fixture.workspace().toStdString()};
            forked += wasForked(workspace.attempt("0001-same", number, 1).folder) ? 1 : 0;
        }
        QCOMPARE(objectives.size(), 1U);
        QVERIFY(*objectives.begin() > 0);
        QVERIFY(forked > 0);
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void populationContinuesWeightsWithOtherSettings()
    {
        EngineFixture fixture;
        const QString file = fixture.write(text("population.toml"), text(R"(
[sweep]
name = "population"
objective = "val_loss"
[search]
method = "pbt"
trials = 12
[space]
lr = { log = [1e-4, 1.0] }
momentum = { float = [0.0, 0.95] }
hidden = [16, 32]
[run]
worker = "builtin"
dataset = "digits"
model = "mlp"
epochs = 100
checkpoint_every = 20
ranks = 2
[prune]
method = "percentile"
percentile = 60
first_step = 60
every = 60
min_trials = 3
[devices]
kind = "cpu"
cpu_slots = 8
concurrent = 4
)"));
        const auto launched = fixture.sweepctl({text("run"), file});
        QVERIFY2(launched.exitCode == 0, qPrintable(launched.err));
        QVERIFY(fixture.waitForSweepState(text("completed"), 300'000));

        const WorkspaceLayout workspace{fixture.workspace().toStdString()};
        const QJsonArray trials = fixture.sweep().value(text("trials")).toArray();
        QVERIFY(trials.size() > 4);
        std::set<QString> parameters;
        for (const QJsonValue &trial : trials) {
            const int number = trial[text("number")].toInt();
            parameters.insert(QString::number(trial[text("parameters")][text("lr")].toDouble(), 'g', 17));
            QFile log(QString::fromStdString(workspace.attempt("0001-population", number, 1).rankLog(0).string()));
            QVERIFY(log.open(QIODevice::ReadOnly));
            const QByteArray output = log.readAll();
            QCOMPARE(output.contains("/parent/last.pt after step "), number > 4);
            QVERIFY2(!output.contains("training starts over"), output.constData());
            QVERIFY2(trial[text("state")].toString() != text("failed"), output.constData());
        }
        QCOMPARE(parameters.size(), static_cast<std::size_t>(trials.size()));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    /// Paused, the engine killed, resumed, stopped at a checkpoint, retried: the curve equals that of an undisturbed
    /// trial.
    void bestTrialTrainsForMoreEpochs()
    {
        EngineFixture fixture;
        const QString file = fixture.write(text("more.toml"), text(R"(
[sweep]
name = "more"
objective = "val_loss"
[space]
lr = [0.1, 0.000001]
[run]
worker = "builtin"
dataset = "digits"
model = "mlp"
epochs = 2
[devices]
kind = "cpu"
)"));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        const auto changed =
            fixture.sweepctl({text("continue"), text("1"), text("hidden=8"), text("--best"), text("1")});
        QCOMPARE(changed.exitCode, 2);
        QVERIFY2(changed.err.contains(text("hidden cannot change")), qPrintable(changed.err));
        const auto more = fixture.sweepctl({text("continue"), text("1"), text("epochs=4"), text("--best"), text("1")});
        QVERIFY2(more.exitCode == 0, qPrintable(more.err));
        QVERIFY(fixture.waitForSweepState(text("completed"), 300'000));
        const QJsonArray trials = fixture.sweep().value(text("trials")).toArray();
        QCOMPARE(trials.size(), 3);
        QCOMPARE(trials[2][text("parameters")][text("lr")].toDouble(), 0.1);
        QCOMPARE(trials[2][text("seed")], trials[0][text("seed")]);
        QCOMPARE(trials[2][text("step")].toInt(), 2 * trials[0][text("step")].toInt());
        const WorkspaceLayout workspace{fixture.workspace().toStdString()};
        QFile log(QString::fromStdString(workspace.attempt("0001-more", 3, 1).rankLog(0).string()));
        QVERIFY(log.open(QIODevice::ReadOnly));
        QVERIFY(log.readAll().contains("/parent/last.pt after step "));
    }

    void interruptedTrialLearnsTheSame()
    {
        EngineFixture fixture;
        const auto start = [&fixture](const char *name) {
            const QString file = fixture.write(text(name) + text(".toml"), text(R"(
[sweep]
name = "%1"
objective = "val_loss"
[space]
seed = [3]
[search]
method = "grid"
[run]
worker = "builtin"
dataset = "digits"
model = "mlp"
epochs = 40
batch_size = 8
ranks = 2
[devices]
kind = "cpu"
cpu_slots = 2
)")
                                                                               .arg(text(name)));
            return fixture.sweepctl({text("run"), file});
        };
        const auto undisturbed = start("undisturbed");
        QVERIFY2(undisturbed.exitCode == 0, qPrintable(undisturbed.err));
        QVERIFY(fixture.waitForSweepState(text("completed"), 300'000));

        constexpr int id = 2;
        const auto trial = [&fixture] { return fixture.sweep(id).value(text("trials")).toArray().at(0).toObject(); };
        const auto isIn = [&](const char *state) {
            return QTest::qWaitFor([&] { return trial().value(text("state")).toString() == text(state); }, 120'000);
        };
        const auto steps = [&trial] { return trial().value(text("step")).toInt(); };
        const auto advances = [&] {
            const int from = steps();
            return QTest::qWaitFor([&] { return steps() > from + 20; }, 120'000);
        };
        QCOMPARE(start("disturbed").exitCode, 0);
        QVERIFY(isIn("running"));
        QVERIFY(advances());
        const auto paused = fixture.sweepctl({text("pause"), text("2"), text("-t"), text("1")});
        QVERIFY2(paused.exitCode == 0, qPrintable(paused.err));
        QVERIFY2(paused.out.contains(text("checkpoint")), qPrintable(paused.out));
        QVERIFY(isIn("paused"));
        const int whenPaused = steps();
        // It released its devices: a trial that needs all of them runs meanwhile.
        QCOMPARE(start("meanwhile").exitCode, 0);
        QVERIFY(QTest::qWaitFor([&] { return fixture.sweep(3).value(text("state")).toString() == text("completed"); },
                                120'000));
        QCOMPARE(trial().value(text("state")).toString(), text("paused"));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("resume"), text("2"), text("-t"), text("1")}).exitCode, 0);
        QVERIFY(isIn("running"));
        QVERIFY(QTest::qWaitFor([&] { return steps() > whenPaused; }, 120'000));

        const auto stopped = fixture.sweepctl({text("stop"), text("2"), text("--checkpoint")});
        QVERIFY2(stopped.exitCode == 0, qPrintable(stopped.err));
        QVERIFY(isIn("stopped"));
        QCOMPARE(fixture.sweepctl({text("retry"), text("2"), text("-t"), text("1")}).exitCode, 0);
        QVERIFY(isIn("completed"));
        QCOMPARE(trial().value(text("attempts")).toInt(), 3);

        const auto lossOf = [&fixture](int sweepId) {
            const QJsonObject first = fixture.sweep(sweepId).value(text("trials")).toArray().at(0).toObject();
            return first.value(text("objective_last")).toObject().value(text("value")).toDouble();
        };
        QVERIFY(lossOf(1) > 0);
        QCOMPARE(lossOf(id), lossOf(1));
    }
};

SWEEPSCOPE_TEST(TestBuiltinSweep)
#include "tst_builtinsweep.moc"
