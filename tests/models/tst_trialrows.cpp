#include "testprogram.h"

#include "models/trialrowsfixture.h"

#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;

/// How rows are sorted and grouped, and how they follow their trials.
class TrialRowsTest : public TrialRowsFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { fill(); }
    void sortsFloatsByValue();
    void missingAndNanComeLastInBothOrders();
    void sortsStrings();
    void rowsEnterAndLeaveAsTheyChange();
    void tenThousandRowsSortAndFilter();
    void selectionIsKept();
    void rowsReappearAfterAnEmptyResult();
    void manyChangesAreSignalledTogether();
    void groupsShowCommonValuesOfTheirTrials();
    void divergedTrialIsNotTheBestOfAGroup();
    void groupsFollowTheirTrials();
    void groupsAreSortedByTheirBest();
};

void TrialRowsTest::sortsFloatsByValue()
{
    m_rows->sort(2, Qt::AscendingOrder);  // 0.1, 1e-05, 0.0046, 2
    QCOMPARE(numbers(), QList<int>({2, 3, 1, 4}));
    m_rows->sort(2, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({4, 1, 3, 2}));
}

void TrialRowsTest::missingAndNanComeLastInBothOrders()
{
    finish(m_trials[0], std::nan(""), 0, second);
    finish(m_trials[2], 0.1, 0, second);
    finish(m_trials[3], 0.9, 0, second);
    m_model->updateTrials(m_trials, 1, 4);
    const int best = m_model->section(TrialTableModel::Column::ObjectiveBest);
    m_rows->sort(best, Qt::AscendingOrder);
    QCOMPARE(numbers(), QList<int>({3, 4, 1, 2}));
    m_rows->sort(best, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({4, 3, 1, 2}));
}

void TrialRowsTest::sortsStrings()
{
    m_rows->sort(4, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({3, 1, 2, 4}));
}

void TrialRowsTest::rowsEnterAndLeaveAsTheyChange()
{
    m_rows->setStates({sweep::TrialState::Running});
    QCOMPARE(m_rows->rowCount(), 0);
    m_trials[1].state = sweep::TrialState::Running;
    m_model->updateTrials(m_trials, 2, 2);
    QCOMPARE(numbers(), QList<int>({2}));
    finish(m_trials[1], 0.5, 0, second);
    m_model->updateTrials(m_trials, 2, 2);
    QCOMPARE(m_rows->rowCount(), 0);
}

void TrialRowsTest::tenThousandRowsSortAndFilter()
{
    m_tester.reset();  // it visits every cell at every change: this test checks only the result
    const auto trials = sampleTrials(2, 10000);
    m_model->setSweep(sampleSweep(2, 10000), trials);
    m_rows->sort(2, Qt::DescendingOrder);
    m_rows->setFilterText(QStringLiteral("hidden=128 lr<1"));
    QCOMPARE(m_rows->rowCount(), 2500);
    double before = 1;
    for (int row = 0; row < m_rows->rowCount(); ++row) {
        const double rate = m_rows->index(row, 2).data(TrialTableModel::RawRole).toDouble();
        QVERIFY(rate <= before);
        before = rate;
    }
}

void TrialRowsTest::selectionIsKept()
{
    m_rows->sort(2, Qt::AscendingOrder);  // 2, 3, 1, 4
    const QPersistentModelIndex third = m_rows->index(1, 3);
    m_rows->sort(2, Qt::DescendingOrder);
    QCOMPARE(third.row(), 2);
    QCOMPARE(third.column(), 3);
    m_rows->setFilterText(QStringLiteral("lr<0.05"));
    QCOMPARE(third.row(), 0);
    QCOMPARE(m_rows->trialAt(third.row()), 3);
    m_rows->setFilterText(QStringLiteral("lr>1"));
    QVERIFY(!third.isValid());
}

void TrialRowsTest::rowsReappearAfterAnEmptyResult()
{
    QTableView table;
    table.setModel(m_rows.get());
    table.setSortingEnabled(true);
    table.sortByColumn(0, Qt::AscendingOrder);
    m_rows->setFilterText(QStringLiteral("nowhere"));
    QCOMPARE(m_rows->rowCount(), 0);
    m_rows->setFilterText(QStringLiteral("hidden = 8"));
    QCOMPARE(numbers(), QList<int>({1, 4}));
    m_rows->setFilterText(QStringLiteral("nowhere"));
    m_rows->setFilterText({});
    QCOMPARE(numbers().size(), 4);
}

void TrialRowsTest::manyChangesAreSignalledTogether()
{
    m_tester.reset();
    m_model->setSweep(sampleSweep(2, 10000), sampleTrials(2, 10000));
    QSignalSpy removed(m_rows.get(), &QAbstractItemModel::rowsRemoved);
    QSignalSpy reset(m_rows.get(), &QAbstractItemModel::modelReset);
    m_rows->setFilterText(QStringLiteral("hidden=8"));  // every third
    QCOMPARE(removed.count(), 0);
    QCOMPARE(reset.count(), 1);
    m_rows->setFilterText(QStringLiteral("hidden=8 trial>10"));
    QCOMPARE(removed.count(), 1);
    QCOMPARE(reset.count(), 1);
}

void TrialRowsTest::groupsShowCommonValuesOfTheirTrials()
{
    finish(m_trials[0], 0.5, 0, second);
    finish(m_trials[3], 0.7, 0, 3 * second);
    m_model->updateTrials(m_trials, 1, 4);
    m_rows->setGroupedBy(QStringLiteral("parameter.hidden"));
    QVERIFY(m_rows->isGrouped());
    QCOMPARE(m_rows->rowCount(), 3);  // 8, 32 and 128, folded
    QCOMPARE(m_rows->trialCount(), 4);
    const auto at = [this](int row, TrialTableModel::Column column, int role = Qt::DisplayRole) {
        return m_rows->index(row, m_model->section(column)).data(role);
    };
    using Column = TrialTableModel::Column;
    QVERIFY(m_rows->index(0, 0).data(TrialRows::GroupRole).toBool());
    QCOMPARE(m_rows->trialAt(0), 0);
    QCOMPARE(at(0, Column::Number).toString(), QStringLiteral("2 trials"));
    QCOMPARE(at(0, Column::State).toString(), QStringLiteral("2 completed"));
    QCOMPARE(m_rows->index(0, 3).data().toString(), QStringLiteral("8"));
    QCOMPARE(m_rows->index(0, 2).data().toString(), QStringLiteral("0.1 – 2"));  // lr
    QCOMPARE(at(0, Column::ObjectiveBest, TrialTableModel::RawRole).toDouble(), 0.7);
    QCOMPARE(at(0, Column::Duration, TrialTableModel::RawRole).toDouble(), 2.0);
    QVERIFY(!at(1, Column::ObjectiveBest, TrialTableModel::RawRole).isValid());
    QVERIFY(!m_rows->flags(m_rows->index(0, 0)).testFlag(Qt::ItemIsSelectable));
    // The median of three is the one in the middle.
    finish(m_trials[1], 0.9, 0, 100 * second);
    m_trials[1].parameters = m_trials[0].parameters;
    m_model->updateTrials(m_trials, 1, 4);
    QCOMPARE(at(0, Column::Duration, TrialTableModel::RawRole).toDouble(), 3.0);
    QVERIFY(at(0, Column::Duration).toString().startsWith(QStringLiteral("median")));
    m_trials[1] = sampleTrials(1, 4)[1];
    m_model->updateTrials(m_trials, 1, 4);

    m_trials[0].parameters[1].second = std::int64_t{1'234'567};
    m_model->updateTrials(m_trials, 1, 1);
    m_rows->setGroupedBy(QStringLiteral("state"));
    QStringList hidden;  // of those that ended and those that wait
    for (int row = 0; row < m_rows->rowCount(); ++row)
        hidden << m_rows->index(row, 3).data().toString();
    QVERIFY2(hidden.contains(QStringLiteral("8 – 1234567")), qPrintable(hidden.join(u'|')));
    m_trials[0].parameters[1].second = std::int64_t{8};
    m_model->updateTrials(m_trials, 1, 1);
    m_rows->setGroupedBy(QStringLiteral("parameter.hidden"));

    m_rows->setFolded(0, false);
    QCOMPARE(m_rows->rowCount(), 5);
    QCOMPARE(m_rows->trialAt(1), 1);
    QCOMPARE(m_rows->trialAt(2), 4);
    QCOMPARE(m_rows->rowOfTrial(4), 2);
    QCOMPARE(m_rows->rowOfTrial(2), -1);
    m_rows->setGroupedBy({});
    QCOMPARE(numbers(), QList<int>({1, 2, 3, 4}));
}

void TrialRowsTest::divergedTrialIsNotTheBestOfAGroup()
{
    finish(m_trials[0], 0.5, 0, second);
    finish(m_trials[3], 0.7, 0, 3 * second);
    m_trials[3].state = sweep::TrialState::Failed;
    m_model->updateTrials(m_trials, 1, 4);
    m_rows->setGroupedBy(QStringLiteral("parameter.hidden"));
    using Column = TrialTableModel::Column;
    const QModelIndex best = m_rows->index(0, m_model->section(Column::ObjectiveBest));
    QCOMPARE(best.data(TrialTableModel::RawRole).toDouble(), 0.5);
    QVERIFY2(best.data(Qt::ToolTipRole).toString().contains(QStringLiteral("1 failed excluded")),
             qPrintable(best.data(Qt::ToolTipRole).toString()));
    const QModelIndex duration = m_rows->index(0, m_model->section(Column::Duration));
    QCOMPARE(duration.data(TrialTableModel::RawRole).toDouble(), 2.0);  // it still took its time
}

void TrialRowsTest::groupsFollowTheirTrials()
{
    m_rows->setGroupedBy(QStringLiteral("state"));
    QCOMPARE(m_rows->rowCount(), 1);
    m_rows->setFolded(0, false);
    m_trials[2].state = sweep::TrialState::Failed;
    m_model->updateTrials(m_trials, 3, 3);
    QCOMPARE(m_rows->rowCount(), 5);  // the new group is folded
    QCOMPARE(m_rows->group(0)->members.size(), 3U);
    QCOMPARE(m_rows->group(4)->members.size(), 1U);
    m_rows->setFilterText(QStringLiteral("state=failed"));
    QCOMPARE(m_rows->rowCount(), 1);
    m_rows->setFilterText({});
    QVERIFY(!m_rows->isFolded(0));
}

void TrialRowsTest::groupsAreSortedByTheirBest()
{
    finish(m_trials[0], 0.5, 0, second);
    finish(m_trials[1], 0.9, 0, second);
    m_model->updateTrials(m_trials, 1, 2);
    m_rows->setGroupedBy(QStringLiteral("parameter.hidden"));
    m_rows->sort(m_model->section(TrialTableModel::Column::ObjectiveBest), Qt::DescendingOrder);
    QStringList widths;
    for (int row = 0; row < m_rows->rowCount(); ++row)
        widths << m_rows->index(row, 3).data().toString();
    QCOMPARE(widths, QStringList({QStringLiteral("32"), QStringLiteral("8"), QStringLiteral("128")}));
}

SWEEPSCOPE_TEST(TrialRowsTest)
#include "tst_trialrows.moc"
