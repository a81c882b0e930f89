#include "models/sampletrials.h"
#include "ui/models/sweeplistmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using ui::SweepListModel;

class SweepListModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newestComesFirst();
    void changedRecordKeepsItsRow();
    void vanishedSweepLeaves();
    void detailTellsHowFarAndTheBest();
    void progressCountsTheShareOfRunningTrials();
    void timeLeftNeedsACompletedTrial();
};

namespace {

struct Fixture {
    SweepListModel model{[] { return 100 * second; }};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
};

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

void SweepListModelTest::detailTellsHowFarAndTheBest()
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
    QCOMPARE(f.model.index(0).data(SweepListModel::DetailRole).toString(),
             QStringLiteral("3 of 4 · 1 failed · best 0.75"));
    f.model.setTrials(7, trials);
    QCOMPARE(changed.count(), 1);
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

QTEST_MAIN(SweepListModelTest)
#include "tst_sweeplistmodel.moc"
