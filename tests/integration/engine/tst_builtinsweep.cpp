#include "enginefixture.h"

#include "base/workspacelayout.h"
#include "launch/attemptevents.h"

#include <QJsonArray>
#include <QTest>

#include <set>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

QString text(const char *latin1)
{
    return QString::fromLatin1(latin1);
}

bool wasForked(const std::filesystem::path &attempt)
{
    bool forked = false;
    for (const AttemptEvent &event : AttemptEventReader(AttemptLayout{attempt}.eventsFile()).poll())
        forked = forked || (event.kind == AttemptEventKind::RankStarted && event.text == "forked");
    return forked;
}

}  // namespace

/// A real engine with the real worker.
class TestBuiltinSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trialsComeFromTheForkServerWhenItHasLoadedAndEndAsTheFirstDid()
    {
        EngineFixture fixture;
        // How often ranks are compared changes nothing of what they learn: all trials end alike.
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
};

QTEST_GUILESS_MAIN(TestBuiltinSweep)
#include "tst_builtinsweep.moc"
