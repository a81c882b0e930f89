#include "models/sampletrials.h"
#include "ui/models/trialfilterproxy.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using ui::TrialFilterProxy;
using ui::TrialTableModel;

class TrialFilterProxyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void sortsFloatsByValue();
    void missingAndNanComeLastBothWays();
    void sortsWords();
    void findsPartsOfAnyCell();
    void filters_data();
    void filters();
    void keepsTheChosenStates();
    void rowsEnterAndLeaveAsTheyChange();
    void tenThousandRowsSortAndFilter();

private:
    std::unique_ptr<TrialTableModel> m_model;
    std::unique_ptr<TrialFilterProxy> m_proxy;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::vector<sweep::TrialRecord> m_trials;

    QList<int> numbers() const
    {
        QList<int> result;
        for (int row = 0; row < m_proxy->rowCount(); ++row)
            result << m_proxy->index(row, 0).data(TrialTableModel::RawRole).toInt();
        return result;
    }
};

void TrialFilterProxyTest::init()
{
    m_tester.reset();
    m_proxy.reset();
    m_model = std::make_unique<TrialTableModel>();
    m_proxy = std::make_unique<TrialFilterProxy>(m_model.get());
    m_tester = std::make_unique<QAbstractItemModelTester>(m_proxy.get(),
                                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_trials = sampleTrials(1, 4);
    m_model->setSweep(sampleSweep(1, 4), m_trials);
}

void TrialFilterProxyTest::sortsFloatsByValue()
{
    m_proxy->sort(2, Qt::AscendingOrder);  // 0.1, 1e-05, 0.0046, 2
    QCOMPARE(numbers(), QList<int>({2, 3, 1, 4}));
    m_proxy->sort(2, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({4, 1, 3, 2}));
}

void TrialFilterProxyTest::missingAndNanComeLastBothWays()
{
    finish(m_trials[0], std::nan(""), 0, second);
    finish(m_trials[2], 0.1, 0, second);
    finish(m_trials[3], 0.9, 0, second);
    m_model->updateTrials(m_trials, 1, 4);
    const int best = m_model->section(TrialTableModel::Column::ObjectiveBest);
    m_proxy->sort(best, Qt::AscendingOrder);
    QCOMPARE(numbers(), QList<int>({3, 4, 1, 2}));
    m_proxy->sort(best, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({4, 3, 1, 2}));
}

void TrialFilterProxyTest::sortsWords()
{
    m_proxy->sort(4, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({3, 1, 2, 4}));
}

void TrialFilterProxyTest::findsPartsOfAnyCell()
{
    m_trials[1].cause = "rank 1 exited with code 7";
    m_model->updateTrials(m_trials, 2, 2);
    m_proxy->setFilterText(QStringLiteral("CODE 7"));
    QCOMPARE(numbers(), QList<int>({2}));
    QVERIFY(m_proxy->isFiltering());
    m_proxy->setFilterText(QStringLiteral("   "));
    QCOMPARE(numbers().size(), 4);
    QVERIFY(!m_proxy->isFiltering());
}

void TrialFilterProxyTest::filters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("expected");
    QTest::newRow("less") << QStringLiteral("lr<0.01") << QList<int>({2, 3});
    QTest::newRow("blanks around the sign") << QStringLiteral("lr >= 0.1") << QList<int>({1, 4});
    QTest::newRow("written otherwise") << QStringLiteral("lr=0.00001") << QList<int>({2});
    QTest::newRow("whole number") << QStringLiteral("hidden=8") << QList<int>({1, 4});
    QTest::newRow("two at once") << QStringLiteral("hidden=8 lr>1") << QList<int>({4});
    QTest::newRow("word") << QStringLiteral("optimizer=ADAM") << QList<int>({1});
    QTest::newRow("missing is unequal") << QStringLiteral("optimizer!=adam") << QList<int>({2, 3, 4});
    QTest::newRow("trial") << QStringLiteral("trial>3") << QList<int>({4});
    QTest::newRow("objective that is not there yet") << QStringLiteral("val_accuracy>0") << QList<int>();
    QTest::newRow("unknown name is text") << QStringLiteral("nothing=1") << QList<int>();
}

void TrialFilterProxyTest::filters()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, expected);
    m_proxy->setFilterText(text);
    QCOMPARE(numbers(), expected);
}

void TrialFilterProxyTest::keepsTheChosenStates()
{
    m_trials[2].state = sweep::TrialState::Failed;
    m_model->updateTrials(m_trials, 3, 3);
    m_proxy->setStates({sweep::TrialState::Failed, sweep::TrialState::Lost});
    QCOMPARE(numbers(), QList<int>({3}));
    m_proxy->setStates({});
    QCOMPARE(numbers().size(), 4);
}

void TrialFilterProxyTest::rowsEnterAndLeaveAsTheyChange()
{
    m_proxy->setStates({sweep::TrialState::Running});
    QCOMPARE(m_proxy->rowCount(), 0);
    m_trials[1].state = sweep::TrialState::Running;
    m_model->updateTrials(m_trials, 2, 2);
    QCOMPARE(numbers(), QList<int>({2}));
    finish(m_trials[1], 0.5, 0, second);
    m_model->updateTrials(m_trials, 2, 2);
    QCOMPARE(m_proxy->rowCount(), 0);
}

void TrialFilterProxyTest::tenThousandRowsSortAndFilter()
{
    m_tester.reset();  // it visits every cell at every change: this test looks at the result
    const auto trials = sampleTrials(2, 10000);
    m_model->setSweep(sampleSweep(2, 10000), trials);
    m_proxy->sort(2, Qt::DescendingOrder);
    m_proxy->setFilterText(QStringLiteral("hidden=128 lr<1"));
    QCOMPARE(m_proxy->rowCount(), 2500);
    double before = 1;
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const double rate = m_proxy->index(row, 2).data(TrialTableModel::RawRole).toDouble();
        QVERIFY(rate <= before);
        before = rate;
    }
}

QTEST_MAIN(TrialFilterProxyTest)
#include "tst_trialfilterproxy.moc"
