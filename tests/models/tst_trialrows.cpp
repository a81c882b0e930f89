#include "models/sampletrials.h"
#include "ui/models/trialrows.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using ui::TrialRows;
using ui::TrialTableModel;

class TrialRowsTest : public QObject {
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
    void filterThatIsWrongChangesNothing_data();
    void filterThatIsWrongChangesNothing();
    void namesThatAreNoColumnAreTold();
    void marksAreFound();
    void whatIsSelectedStaysSelected();
    void rowsComeBackAfterNoneFitted();
    void manyChangesAreToldAtOnce();
    void groupsTellWhatTheirTrialsHaveInCommon();
    void groupsFollowTheirTrials();
    void groupsAreSortedByTheirBest();
    void metricsAreFilteredSortedAndGrouped();
    void quotedValuesAreTexts_data();
    void quotedValuesAreTexts();
    void namesThatMeanTwoThingsCanBeTold();

private:
    std::unique_ptr<TrialTableModel> m_model;
    std::unique_ptr<TrialRows> m_rows;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::vector<sweep::TrialRecord> m_trials;

    QList<int> numbers() const
    {
        QList<int> result;
        for (int row = 0; row < m_rows->rowCount(); ++row)
            result << m_rows->index(row, 0).data(TrialTableModel::RawRole).toInt();
        return result;
    }
};

void TrialRowsTest::init()
{
    m_tester.reset();
    m_rows.reset();
    m_model = std::make_unique<TrialTableModel>();
    m_rows = std::make_unique<TrialRows>(m_model.get());
    m_tester = std::make_unique<QAbstractItemModelTester>(m_rows.get(),
                                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_trials = sampleTrials(1, 4);
    m_model->setSweep(sampleSweep(1, 4), m_trials);
}

void TrialRowsTest::sortsFloatsByValue()
{
    m_rows->sort(2, Qt::AscendingOrder);  // 0.1, 1e-05, 0.0046, 2
    QCOMPARE(numbers(), QList<int>({2, 3, 1, 4}));
    m_rows->sort(2, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({4, 1, 3, 2}));
}

void TrialRowsTest::missingAndNanComeLastBothWays()
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

void TrialRowsTest::sortsWords()
{
    m_rows->sort(4, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({3, 1, 2, 4}));
}

void TrialRowsTest::findsPartsOfAnyCell()
{
    m_trials[1].cause = "rank 1 exited with code 7";
    m_model->updateTrials(m_trials, 2, 2);
    m_rows->setFilterText(QStringLiteral("CODE 7"));
    QCOMPARE(numbers(), QList<int>({2}));
    QVERIFY(m_rows->isFiltering());
    m_rows->setFilterText(QStringLiteral("   "));
    QCOMPARE(numbers().size(), 4);
    QVERIFY(!m_rows->isFiltering());
}

void TrialRowsTest::filters_data()
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
    QTest::newRow("or") << QStringLiteral("lr>1 or hidden=32") << QList<int>({2, 4});
    QTest::newRow("and binds closer") << QStringLiteral("lr>1 or hidden=8 and lr<1") << QList<int>({1, 4});
    QTest::newRow("parentheses") << QStringLiteral("(lr>1 || hidden=8) && lr<1") << QList<int>({1});
    QTest::newRow("not") << QStringLiteral("not (hidden=8)") << QList<int>({2, 3});
    QTest::newRow("exclamation mark") << QStringLiteral("!adam !sgd") << QList<int>({2, 4});
    QTest::newRow("range") << QStringLiteral("lr = 1e-5..0.1") << QList<int>({1, 2, 3});
    QTest::newRow("outside a range") << QStringLiteral("lr != 1e-5..0.1") << QList<int>({4});
    QTest::newRow("state") << QStringLiteral("state = waiting") << QList<int>({1, 2, 3, 4});
    QTest::newRow("no state") << QStringLiteral("state = fail") << QList<int>();
    QTest::newRow("in quotes") << QStringLiteral("\"adam\"") << QList<int>({1});
    QTest::newRow("quotes keep words together") << QStringLiteral("'a d a m'") << QList<int>();
    QTest::newRow("unset") << QStringLiteral("optimizer = unset") << QList<int>({2, 4});
    QTest::newRow("not unset") << QStringLiteral("optimizer != unset") << QList<int>({1, 3});
    QTest::newRow("no value yet") << QStringLiteral("best = unset lr<1") << QList<int>({1, 2, 3});
    QTest::newRow("unknown name is text") << QStringLiteral("nothing=1") << QList<int>();
}

void TrialRowsTest::filters()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, expected);
    m_rows->setFilterText(text);
    QCOMPARE(numbers(), expected);
}

void TrialRowsTest::keepsTheChosenStates()
{
    m_trials[2].state = sweep::TrialState::Failed;
    m_model->updateTrials(m_trials, 3, 3);
    m_rows->setStates({sweep::TrialState::Failed, sweep::TrialState::Lost});
    QCOMPARE(numbers(), QList<int>({3}));
    m_rows->setStates({});
    QCOMPARE(numbers().size(), 4);
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
    m_tester.reset();  // it visits every cell at every change: this test looks at the result
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

void TrialRowsTest::filterThatIsWrongChangesNothing_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"lr <", "lr < <", "(adam", "adam)", "()", "\"adam", "adam or", "not", "lr=1..x", "= 3"})
        QTest::newRow(text) << QString::fromLatin1(text);
    QTest::newRow("deep") << QString(5000, u'(');
}

void TrialRowsTest::filterThatIsWrongChangesNothing()
{
    QFETCH(QString, text);
    const ui::TrialFilter filter(text);
    QVERIFY(!filter.problem().isEmpty());
    QVERIFY(filter.isEmpty());
    m_rows->setFilterText(QStringLiteral("hidden=8"));
    m_rows->setFilter(filter);
    QCOMPARE(numbers(), QList<int>({1, 4}));
}

void TrialRowsTest::namesThatAreNoColumnAreTold()
{
    const ui::TrialFilter filter(QStringLiteral("lr>1 or (nothing=2 and nothing<3) or Best>1"));
    QCOMPARE(filter.unknownNames(*m_model), QStringList(QStringLiteral("nothing")));
}

void TrialRowsTest::marksAreFound()
{
    m_trials[1].mark = {true, {"base", "baseline"}, "Look at the\nsecond line"};
    m_model->updateTrials(m_trials, 2, 2);
    for (const char *text :
         {"starred", "star=true", "tag=base", "tag=BASELINE", "note=second", "second line", "baseline"}) {
        m_rows->setFilterText(QString::fromLatin1(text));
        QVERIFY2(numbers() == QList<int>({2}), text);
    }
    m_rows->setFilterText(QStringLiteral("tag=bas"));
    QCOMPARE(m_rows->rowCount(), 0);
    m_rows->setFilterText(QStringLiteral("tag!=base"));
    QCOMPARE(numbers(), QList<int>({1, 3, 4}));
}

void TrialRowsTest::whatIsSelectedStaysSelected()
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

void TrialRowsTest::rowsComeBackAfterNoneFitted()
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

void TrialRowsTest::manyChangesAreToldAtOnce()
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

void TrialRowsTest::groupsTellWhatTheirTrialsHaveInCommon()
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

void TrialRowsTest::metricsAreFilteredSortedAndGrouped()
{
    m_rows->setFilterText(QStringLiteral("loss < 3"));
    QCOMPARE(numbers().size(), 0);
    // The filter means the columns as soon as they are there.
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = 1.0 + static_cast<double>(i);
        m_trials[i].metrics = {{"loss", value, 5, value / 2, value * 2}, {"step", 9 - value, 5, 0, 1}};
    }
    m_model->updateTrials(m_trials, 1, 4);
    QCOMPARE(numbers(), QList<int>({1, 2}));
    m_rows->setFilterText(QStringLiteral("min.loss > 0.5 and max.loss = 4..6"));
    QCOMPARE(numbers(), QList<int>({2, 3}));
    m_rows->setFilterText(QStringLiteral("metric.step = 8"));
    QCOMPARE(numbers(), QList<int>({1}));
    m_rows->setFilterText({});
    const int loss = m_model->metricSection(QStringLiteral("loss"));
    m_rows->sort(loss, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({3, 2, 1, 4}));
    m_rows->sort(0, Qt::AscendingOrder);
    m_rows->setGroupedBy(QStringLiteral("state"));
    QCOMPARE(m_rows->index(0, loss).data().toString(), QStringLiteral("mean 2"));
    const int low = m_model->metricSection(QStringLiteral("loss"), TrialTableModel::Column::MetricLow);
    QCOMPARE(m_rows->index(0, low).data().toString(), QStringLiteral("0.5"));
    QCOMPARE(m_rows->index(0, low + 1).data().toString(), QStringLiteral("6"));
}

void TrialRowsTest::quotedValuesAreTexts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("expected");
    const auto row = [](const char *text, const QList<int> &expected) {
        QTest::newRow(text) << QString::fromLatin1(text) << expected;
    };
    row("optimizer = sgd", {1, 2});
    row("optimizer == sgd", {1});
    row("optimizer == \"Sgd\"", {2});
    row("optimizer = \"and\"", {3});
    row("optimizer = 'and'", {3});
    row("optimizer = \"1..2\"", {4});
    row("optimizer = \"unset\"", {5});
    row("optimizer = unset", {8});
    row("optimizer != unset", {1, 2, 3, 4, 5, 6, 7});
    row("optimizer = \"a \\\"b\\\" 'c'\"", {6});
    row("optimizer = \"C:\\\\new\"", {7});
    row("optimizer = 'C:\\new'", {7});
    row("optimizer == \"C:\\Sgd\"", {});  // not one that is told: a backslash
    row("hidden == \"8\"", {1, 4, 7});
    row("hidden == \"8.0\"", {});
    row("hidden == 8.0", {1, 4, 7});
}

void TrialRowsTest::quotedValuesAreTexts()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, expected);
    auto trials = sampleTrials(1, 8);
    const char *values[] = {"sgd", "Sgd", "and", "1..2", "unset", "a \"b\" 'c'", "C:\\new"};
    for (std::size_t i = 0; i < trials.size(); ++i) {
        std::erase_if(trials[i].parameters, [](const auto &parameter) { return parameter.first == "optimizer"; });
        if (i < std::size(values))
            trials[i].parameters.emplace_back("optimizer", std::string(values[i]));
    }
    m_model->setSweep(sampleSweep(1, 8), trials);
    QVERIFY2(ui::TrialFilter(text).problem().isEmpty(), qPrintable(ui::TrialFilter(text).problem()));
    m_rows->setFilterText(text);
    QCOMPARE(numbers(), expected);
}

void TrialRowsTest::namesThatMeanTwoThingsCanBeTold()
{
    sweep::SweepRecord sweep = sampleSweep(1, 4);
    sweep.parameterNames = {"state", "trial", "parameter.state"};
    for (sweep::TrialRecord &trial : m_trials)
        trial.parameters = {{"state", std::int64_t{trial.number}}, {"trial", 0.5}, {"parameter.state", 7.0}};
    m_trials[3].state = sweep::TrialState::Completed;
    m_model->setSweep(sweep, m_trials);
    const std::pair<const char *, QList<int>> expected[] = {
        {"parameter.state >= 3 and trial.state = completed", {4}},
        {"state >= 3", {3, 4}},
        {"Trial.State = waiting", {1, 2, 3}},
        {"trial = 0.5 and trial.trial = 2", {2}},
        {"parameter.parameter.state = 7 and parameter.trial < 1", {1, 2, 3, 4}},
        {"parameter.state = 7", {}},
    };
    for (const auto &[text, trials] : expected) {
        const ui::TrialFilter filter{QString::fromLatin1(text)};
        QVERIFY2(filter.problem().isEmpty() && filter.unknownNames(*m_model).isEmpty(), text);
        m_rows->setFilter(filter);
        QVERIFY2(numbers() == trials, text);
    }
}

QTEST_MAIN(TrialRowsTest)
#include "tst_trialrows.moc"
