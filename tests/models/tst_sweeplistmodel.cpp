#include "testprogram.h"

#include "models/sampletrials.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "ui/models/sweeplistmodel.h"
#include "ui/models/sweeprows.h"
#include "ui/models/sweeptablemodel.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace sweepscope;
using namespace sweepscope::tests;
using ui::SweepListModel;

class SweepListModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newestComesFirst();
    void changedRecordKeepsItsRow();
    void vanishedSweepLeaves();
    void detailShowsProgressAndTheBestTrial();
    void trialsRemovedByAnEditDoNotCount();
    void singleTrialIsCountedInTheSingular();
    void sweepWithoutDevicesWaits();
    void largeNumbersAreGrouped();
    void endedSweepShowsTheOutcomesOfItsTrials();
    void completedSweepWithoutObjectiveSaysSo();
    void starAndTagsAreShown();
    void probeHasNoBestTrial();
    void progressCountsTheShareOfRunningTrials();
    void timeLeftNeedsACompletedTrial();
    void courseOfTheBestIsOrderedByEndTime();
    void tableShowsTheSameSweeps();
    void trialOfARunIsNotCounted();
    void runsAndSweepsAreGroupsWhereThereAreBoth();
};

namespace {

struct Fixture {
    SweepListModel model{[] { return 100 * second; }};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
};

sweep::SweepRecord sampleRun(std::int64_t id)
{
    sweep::SweepRecord run = sampleSweep(id, 1);
    run.toml = sweep::toToml(sweep::makeRun("train", {"python3", "train.py"}, {}));
    run.objective = "loss";
    return run;
}

}  // namespace

void SweepListModelTest::newestComesFirst()
{
    Fixture f;
    f.model.setSweeps({sampleSweep(1, 2)});
    f.model.setSweeps({sampleSweep(1, 2), sampleSweep(2, 3), sampleSweep(3, 3)});
    QCOMPARE(f.model.rowCount(), 3);
    QCOMPARE(f.model.sweepId(0), 3);
    QCOMPARE(f.model.rowOf(1), 2);
    QCOMPARE(f.model.rowOf(9), -1);
    QCOMPARE(f.model.index(0).data().toString(), QStringLiteral("sweep 3"));
}

void SweepListModelTest::changedRecordKeepsItsRow()
{
    Fixture f;
    auto sweeps = std::vector{sampleSweep(1, 2), sampleSweep(2, 2)};
    f.model.setSweeps(sweeps);
    QSignalSpy inserted(&f.model, &QAbstractItemModel::rowsInserted);
    QPersistentModelIndex first = f.model.index(1);
    sweeps[0].state = sweep::SweepState::Stopped;
    f.model.setSweeps(sweeps);
    QCOMPARE(inserted.count(), 0);
    QCOMPARE(first.data(SweepListModel::StateTextRole).toString(), QStringLiteral("Stopped"));
}

void SweepListModelTest::vanishedSweepLeaves()
{
    Fixture f;
    f.model.setSweeps({sampleSweep(1, 2), sampleSweep(2, 2), sampleSweep(3, 2)});
    f.model.setSweeps({sampleSweep(1, 2), sampleSweep(3, 2)});
    QCOMPARE(f.model.rowCount(), 2);
    QCOMPARE(f.model.rowOf(2), -1);
}

void SweepListModelTest::detailShowsProgressAndTheBestTrial()
{
    Fixture f;
    f.model.setSweeps({sampleSweep(1, 4)});
    QCOMPARE(f.model.index(0).data(SweepListModel::DetailRole).toString(), QStringLiteral("0 of 4"));
    auto trials = sampleTrials(1, 4);
    finish(trials[0], 0.25, 0, second);
    finish(trials[1], 0.75, 0, second);
    trials[2].state = sweep::TrialState::Lost;
    QSignalSpy changed(&f.model, &QAbstractItemModel::dataChanged);
    f.model.setTrials(1, trials);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(f.model.index(0).data(SweepListModel::DetailRole).toString(), QStringLiteral("2 of 4 · best 0.75"));
    QCOMPARE(f.model.index(0).data(SweepListModel::StateTextRole).toString(), QStringLiteral("Running, 1 failed"));
    f.model.setTrials(7, trials);
    QCOMPARE(changed.count(), 1);
    trials[2].objectiveBest = sweep::ObjectiveValue{0.99, 1};  // it diverged: its value is useless
    f.model.setTrials(1, trials);
    QCOMPARE(f.model.index(0).data(SweepListModel::DetailRole).toString(), QStringLiteral("2 of 4 · best 0.75"));
    trials[2].state = sweep::TrialState::Stopped;
    f.model.setTrials(1, trials);
    QCOMPARE(f.model.index(0).data(SweepListModel::DetailRole).toString(), QStringLiteral("2 of 4 · best 0.99"));
}

void SweepListModelTest::trialsRemovedByAnEditDoNotCount()
{
    auto trials = sampleTrials(1, 4);
    finish(trials[0], 0.25, 0, second);
    trials[1].state = sweep::TrialState::Stopped;
    trials[1].reason = facts::Code::Stopped;
    trials[2].state = sweep::TrialState::Stopped;
    trials[2].reason = facts::Code::RemovedByEdit;
    const ui::SweepSummary summary = ui::summarize(sampleSweep(1, 4), trials, 1, second);
    QCOMPARE(summary.total, 3);
    QCOMPARE(summary.stopped, 1);
    QCOMPARE(summary.waiting, 1);
    trials[0].state = sweep::TrialState::Starting;
    QCOMPARE(ui::summarize(sampleSweep(1, 4), trials, 1, second).inQueue, 0);
    trials[0].devices = {"job:0@lab"};
    QCOMPARE(ui::summarize(sampleSweep(1, 4), trials, 1, second).inQueue, 1);
}

void SweepListModelTest::singleTrialIsCountedInTheSingular()
{
    auto trials = sampleTrials(1, 1);
    QCOMPARE(ui::countsText(ui::summarize(sampleSweep(1, 1), trials, 1, second)),
             QStringLiteral("0 of 1 trial completed"));
    finish(trials[0], 0.25, 0, second);
    QCOMPARE(ui::countsText(ui::summarize(sampleSweep(1, 1), trials, 1, second)),
             QStringLiteral("1 of 1 trial completed"));
}

void SweepListModelTest::trialOfARunIsNotCounted()
{
    Fixture f;
    f.model.setSweeps({sampleRun(1)});
    QVERIFY(f.model.index(0).data(SweepListModel::IsRunRole).toBool());
    auto trials = sampleTrials(1, 1);
    f.model.setTrials(1, trials);
    const auto detail = [&f] { return f.model.index(0).data(SweepListModel::DetailRole).toString(); };
    QCOMPARE(detail(), QString());
    trials[0].state = sweep::TrialState::Running;
    trials[0].progress = 0.42;
    f.model.setTrials(1, trials);
    QCOMPARE(detail(), QStringLiteral("42%"));
    QCOMPARE(ui::countsText(f.model.summary(1, trials)), QStringLiteral("42%"));
    finish(trials[0], 0.25, 0, second);
    f.model.setTrials(1, trials);
    QCOMPARE(detail(), QStringLiteral("loss 0.25"));
    QVERIFY(!f.model.summary(1, trials).ranSeconds);
    sweep::SweepRecord record = sampleRun(1);
    record.created = 0;
    record.ended = 60 * second;
    f.model.setSweeps({record});
    trials[0].attempts = 1;
    trials[0].started = trials[0].attemptStarted = 50 * second;
    trials[0].ended = trials[0].attemptEnded = 59 * second;
    f.model.setTrials(1, trials);
    QCOMPARE(f.model.index(0).data(SweepListModel::SecondsRole).toDouble(), 9.0);  // it waited for the rest
    QCOMPARE(ui::countsText(f.model.summary(1, trials)), QString());
}

void SweepListModelTest::runsAndSweepsAreGroupsWhereThereAreBoth()
{
    Fixture f;
    ui::SweepTableModel table(&f.model);
    ui::SweepRows rows(&table);
    const QAbstractItemModelTester rowsTester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
    rows.setGroupedBy(ui::SweepTableModel::Column::Kind);
    f.model.setSweeps({sampleSweep(1, 2), sampleSweep(2, 1)});
    QCOMPARE(rows.rowCount(), 2);
    QVERIFY(!rows.isGroup(0));
    f.model.setSweeps({sampleSweep(1, 2), sampleSweep(2, 1), sampleRun(3)});
    QCOMPARE(rows.rowCount(), 5);
    QCOMPARE(rows.index(0, 0).data().toString(), QStringLiteral("Runs (1)"));
    QCOMPARE(rows.sweepAt(1), 3);
    QCOMPARE(rows.index(2, 0).data().toString(), QStringLiteral("Sweeps (2)"));
    f.model.setSweeps({sampleRun(3)});
    QCOMPARE(rows.rowCount(), 1);
}

void SweepListModelTest::sweepWithoutDevicesWaits()
{
    Fixture f;
    sweep::SweepRecord sweep = sampleSweep(1, 2);
    auto trials = sampleTrials(1, 2);
    f.model.setSweeps({sweep});
    f.model.setTrials(1, trials);
    const auto state = [&f] { return f.model.index(0).data(SweepListModel::StateTextRole).toString(); };
    QCOMPARE(state(), QStringLiteral("Running"));  // between two trials
    sweep.held = sweep::HeldTrial{1, facts::Code::WaitingForDevices};
    f.model.setSweeps({sweep});
    QCOMPARE(state(), QStringLiteral("Queued"));
    trials[0].state = sweep::TrialState::Running;
    f.model.setTrials(1, trials);
    QCOMPARE(state(), QStringLiteral("Running"));
}

void SweepListModelTest::largeNumbersAreGrouped()
{
    const QLocale before;
    const auto back = qScopeGuard([&before] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    ui::SweepSummary summary;
    summary.total = 10'000;
    summary.completed = 1234;
    summary.running = 1000;
    QCOMPARE(ui::countsText(summary), QStringLiteral("1,234 of 10,000 trials completed, 1,000 running"));
    summary.inQueue = 990;
    QCOMPARE(ui::countsText(summary),
             QStringLiteral("1,234 of 10,000 trials completed, 10 running, 990 in Slurm's queue"));
    summary.inQueue = 1000;
    QCOMPARE(ui::countsText(summary), QStringLiteral("1,234 of 10,000 trials completed, 1,000 in Slurm's queue"));
    Fixture f;
    f.model.setSweeps({sampleSweep(1, 10'000)});
    QVERIFY(f.model.index(0).data(SweepListModel::DetailRole).toString().startsWith(QStringLiteral("0 of 10,000")));
}

void SweepListModelTest::endedSweepShowsTheOutcomesOfItsTrials()
{
    Fixture f;
    auto record = sampleSweep(1, 2);
    record.state = sweep::SweepState::Completed;
    f.model.setSweeps({record});
    auto trials = sampleTrials(1, 2);
    finish(trials[0], 0.25, 0, second);
    trials[1].state = sweep::TrialState::Failed;
    f.model.setTrials(1, trials);
    QCOMPARE(f.model.index(0).data(SweepListModel::StateTextRole).toString(), QStringLiteral("Completed, 1 failed"));
    QCOMPARE(f.model.index(0).data(SweepListModel::DetailRole).toString(), QStringLiteral("1 of 2 · best 0.25"));
    trials[0].state = sweep::TrialState::Pruned;
    f.model.setTrials(1, trials);
    QVERIFY(
        f.model.index(0).data(SweepListModel::DetailRole).toString().startsWith(QStringLiteral("0 of 2, 1 pruned")));
    record.state = sweep::SweepState::Failed;
    f.model.setSweeps({record});
    QCOMPARE(f.model.index(0).data(SweepListModel::StateTextRole).toString(), QStringLiteral("Failed"));
}

void SweepListModelTest::completedSweepWithoutObjectiveSaysSo()
{
    Fixture f;
    auto record = sampleSweep(1, 2);
    record.state = sweep::SweepState::Completed;
    record.objective = "val_loss";
    f.model.setSweeps({record});
    auto trials = sampleTrials(1, 2);
    for (sweep::TrialRecord &trial : trials)
        trial.state = sweep::TrialState::Completed;
    trials[0].metrics.push_back({"loss", 0.5, 3, 0.5, 0.5});
    f.model.setTrials(1, trials);
    const auto state = [&f] { return f.model.index(0).data(SweepListModel::StateTextRole).toString(); };
    QCOMPARE(state(), QStringLiteral("Completed, no val_loss"));
    QCOMPARE(f.model.summary(1, trials).reported, QStringList{QStringLiteral("loss")});
    trials[1].objectiveLast = sweep::ObjectiveValue{std::numeric_limits<double>::quiet_NaN(), 3};
    f.model.setTrials(1, trials);
    QCOMPARE(state(), QStringLiteral("Completed"));  // a value that is never best was reported, though
    trials[1].objectiveLast.reset();
    record.toml = "[probe]\nparameter = \"batch_size\"\n";
    f.model.setSweeps({record});
    f.model.setTrials(1, trials);
    QCOMPARE(state(), QStringLiteral("Completed"));
}

void SweepListModelTest::starAndTagsAreShown()
{
    Fixture f;
    auto record = sampleSweep(1, 2);
    f.model.setSweeps({record});
    const auto data = [&f](int role) { return f.model.index(0).data(role); };
    QVERIFY(!data(SweepListModel::StarredRole).toBool());
    QVERIFY(!data(Qt::ToolTipRole).toString().contains(QStringLiteral("Tags")));
    record.mark.starred = true;
    record.mark.tags = {"cifar", "wide"};
    f.model.setSweeps({record});
    QVERIFY(data(SweepListModel::StarredRole).toBool());
    QCOMPARE(data(SweepListModel::TagsRole).toString(), QStringLiteral("cifar, wide"));
    QVERIFY(data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("Tags: cifar, wide")));
    QVERIFY(data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("starred")));
}

void SweepListModelTest::probeHasNoBestTrial()
{
    Fixture f;
    auto record = sampleSweep(1, 1);
    auto trials = sampleTrials(1, 1);
    finish(trials[0], 0.25, 0, second);
    f.model.setSweeps({record});
    f.model.setTrials(1, trials);
    QVERIFY(f.model.index(0).data(SweepListModel::DetailRole).toString().contains(QStringLiteral("best")));
    record.toml = "[probe]\nparameter = \"batch_size\"\n";
    f.model.setSweeps({record});
    f.model.setTrials(1, trials);
    QVERIFY(!f.model.index(0).data(SweepListModel::DetailRole).toString().contains(QStringLiteral("best")));
    QCOMPARE(f.model.summary(1, trials).bestTrial, 0);
}

void SweepListModelTest::progressCountsTheShareOfRunningTrials()
{
    Fixture f;
    f.model.setSweeps({sampleSweep(1, 4)});
    auto trials = sampleTrials(1, 4);
    finish(trials[0], 0.25, 0, second);
    trials[1].state = sweep::TrialState::Running;
    trials[1].progress = 0.5;
    f.model.setTrials(1, trials);
    QCOMPARE(f.model.index(0).data(SweepListModel::ProgressRole).toDouble(), 0.375);
}

void SweepListModelTest::timeLeftNeedsACompletedTrial()
{
    Fixture f;
    f.model.setSweeps({sampleSweep(1, 3)});
    auto trials = sampleTrials(1, 3);
    QVERIFY(!f.model.summary(1, trials).secondsLeft);
    finish(trials[0], 0.25, 60 * second, 100 * second);
    const auto left = f.model.summary(1, trials).secondsLeft;
    QVERIFY(left);
    QCOMPARE(*left, 80.0);
}

void SweepListModelTest::courseOfTheBestIsOrderedByEndTime()
{
    auto trials = sampleTrials(1, 5);
    finish(trials[0], 0.5, 0, 9 * second);
    finish(trials[1], 0.3, 0, 2 * second);
    finish(trials[2], 0.9, 0, 12 * second);
    finish(trials[3], 0.4, 0, 4 * second);
    trials[4].objectiveBest = sweep::ObjectiveValue{1.0, 3};  // still running
    const sweep::SweepRecord sweep = sampleSweep(1, 5);
    QVERIFY(ui::summarize(sweep, trials, 1, 0).bestSoFar == std::vector<double>({0.3, 0.4, 0.5, 0.9}));
    sweep::SweepRecord minimized = sweep;
    minimized.goal = sweep::Goal::Minimize;
    QVERIFY(ui::summarize(minimized, trials, 1, 0).bestSoFar == std::vector<double>({0.3, 0.3, 0.3, 0.3}));

    // Of many, only some, including the last.
    auto many = sampleTrials(1, 5000);
    for (int i = 0; i < 5000; ++i)
        finish(many[static_cast<std::size_t>(i)], i, 0, (i + 1) * second);
    const std::vector<double> course = ui::summarize(sampleSweep(1, 5000), many, 1, 0).bestSoFar;
    QVERIFY(course.size() <= 122);
    QCOMPARE(course.back(), 4999.0);
}

void SweepListModelTest::tableShowsTheSameSweeps()
{
    Fixture f;
    ui::SweepTableModel table(&f.model);
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    f.model.setSweeps({sampleSweep(1, 2), sampleSweep(2, 2)});
    QCOMPARE(table.rowCount(), 2);
    auto trials = sampleTrials(2, 2);
    finish(trials[0], 0.25, 0, second);
    f.model.setTrials(2, trials);
    using Column = ui::SweepTableModel::Column;
    const auto text = [&](int row, Column column) {
        return table.index(row, static_cast<int>(column)).data().toString();
    };
    QCOMPARE(text(0, Column::Name), QStringLiteral("sweep 2"));
    QCOMPARE(text(0, Column::Progress), QStringLiteral("1 of 2"));
    QCOMPARE(text(0, Column::Best), QStringLiteral("0.25"));
    QCOMPARE(text(1, Column::Best), QStringLiteral("–"));
    QCOMPARE(text(0, Column::Duration), QStringLiteral("1 min 40 s"));
    f.model.setSweeps({sampleSweep(1, 2)});
    QCOMPARE(table.rowCount(), 1);
}

SWEEPSCOPE_TEST(SweepListModelTest)
#include "tst_sweeplistmodel.moc"
