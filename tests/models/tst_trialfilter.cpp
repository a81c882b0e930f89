#include "testprogram.h"

#include "models/trialrowsfixture.h"
#include "ui/models/trialfilter.h"
#include "ui/trials/cellcondition.h"

#include <QTest>

#include <iterator>
#include <limits>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::tests;

/// What the trial table's filter accepts, and which rows it shows.
class TrialFilterTest : public TrialRowsFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { fill(); }
    void findsPartsOfAnyCell();
    void filters_data();
    void filters();
    void keepsTheChosenStates();
    void divergedTrialsAreMarkedAndFound();
    void invalidFilterChangesNothing_data();
    void invalidFilterChangesNothing();
    void unknownNamesAreReported();
    void marksAreFound();
    void metricsAreFilteredSortedAndGrouped();
    void quotedValuesAreStrings_data();
    void quotedValuesAreStrings();
    void ambiguousNamesCanBeQualified();
    void conditionOfACellFindsItsTrial();
};

void TrialFilterTest::findsPartsOfAnyCell()
{
    m_trials[1].reason =
        facts::Fact(facts::Code::RankExited).with(facts::Field::Rank, 1).with(facts::Field::ExitCode, 7);
    m_model->updateTrials(m_trials, 2, 2);
    m_rows->setFilterText(QStringLiteral("CODE 7"));
    QCOMPARE(numbers(), QList<int>({2}));
    QVERIFY(m_rows->isFiltering());
    m_rows->setFilterText(QStringLiteral("   "));
    QCOMPARE(numbers().size(), 4);
    QVERIFY(!m_rows->isFiltering());
}

void TrialFilterTest::filters_data()
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
    QTest::newRow("state") << QStringLiteral("state = queued") << QList<int>({1, 2, 3, 4});
    QTest::newRow("no state") << QStringLiteral("state = fail") << QList<int>();
    QTest::newRow("in quotes") << QStringLiteral("\"adam\"") << QList<int>({1});
    QTest::newRow("quotes keep words together") << QStringLiteral("'a d a m'") << QList<int>();
    QTest::newRow("unset") << QStringLiteral("optimizer = unset") << QList<int>({2, 4});
    QTest::newRow("not unset") << QStringLiteral("optimizer != unset") << QList<int>({1, 3});
    QTest::newRow("no value yet") << QStringLiteral("best = unset lr<1") << QList<int>({1, 2, 3});
    QTest::newRow("title of two words") << QStringLiteral("Best val_accuracy = unset lr<1") << QList<int>({1, 2, 3});
    QTest::newRow("other names of columns")
        << QStringLiteral("duration=unset Devices!=gpu tags!=odd hidden=32") << QList<int>({2});
    QTest::newRow("is") << QStringLiteral("optimizer is ADAM and hidden is not 32") << QList<int>({1});
    QTest::newRow("is unset") << QStringLiteral("optimizer is not unset") << QList<int>({1, 3});
    QTest::newRow("is, a word") << QStringLiteral("adam is") << QList<int>();
    QTest::newRow("in") << QStringLiteral("optimizer in [adam, none] or trial in [3,9]") << QList<int>({1, 3});
    QTest::newRow("not in") << QStringLiteral("trial not in [1, 7]") << QList<int>({2, 3, 4});
    QTest::newRow("contains") << QStringLiteral("optimizer contains da") << QList<int>({1});
    QTest::newRow("signs of other languages") << QStringLiteral("hidden <> 8 AND trial<>2") << QList<int>({3});
    QTest::newRow("value first") << QStringLiteral("0.01 > lr and adam != optimizer") << QList<int>({2, 3});
    QTest::newRow("arithmetic") << QStringLiteral("hidden * trial <= 32") << QList<int>({1, 4});
    QTest::newRow("arithmetic without blanks") << QStringLiteral("hidden*trial<=32") << QList<int>({1, 4});
    QTest::newRow("functions") << QStringLiteral("max(hidden, trial*10)>=40") << QList<int>({3, 4});
    QTest::newRow("two columns") << QStringLiteral("trial < hidden and lr > hidden") << QList<int>();
    QTest::newRow("arithmetic with what is missing")
        << QStringLiteral("best * 2 > 0 or best * 2 != 3") << QList<int>({1, 2, 3, 4});
    QTest::newRow("words with signs") << QStringLiteral("lr-hidden - adam") << QList<int>();
    QTest::newRow("function that is a word") << QStringLiteral("max(adam or sgd)") << QList<int>();
    QTest::newRow("unknown name is text") << QStringLiteral("nothing=1") << QList<int>();
}

void TrialFilterTest::filters()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, expected);
    m_rows->setFilterText(text);
    QCOMPARE(numbers(), expected);
}

void TrialFilterTest::keepsTheChosenStates()
{
    m_trials[2].state = sweep::TrialState::Failed;
    m_model->updateTrials(m_trials, 3, 3);
    m_rows->setStates({sweep::TrialState::Failed, sweep::TrialState::Lost});
    QCOMPARE(numbers(), QList<int>({3}));
    m_rows->setStates({});
    QCOMPARE(numbers().size(), 4);
}

void TrialFilterTest::divergedTrialsAreMarkedAndFound()
{
    m_trials[1].state = sweep::TrialState::Completed;
    m_trials[1].objectiveLast = sweep::ObjectiveValue{std::numeric_limits<double>::quiet_NaN(), 7};
    m_trials[3].state = sweep::TrialState::Completed;
    m_model->updateTrials(m_trials, 2, 4);
    m_rows->setFilterText(QStringLiteral("state = diverged"));
    QCOMPARE(numbers(), QList<int>({2}));
    m_rows->setFilterText(QStringLiteral("last = nan"));
    QCOMPARE(numbers(), QList<int>({2}));
    m_rows->setFilterText(QStringLiteral("state = diverged"));
    m_model->setDiverged({4});  // by a finding: its value is large, but finite
    QCOMPARE(numbers(), QList<int>({2, 4}));
    const int state = m_model->section(TrialTableModel::Column::State);
    QCOMPARE(m_model->index(3, state).data().toString(), QStringLiteral("Completed, diverged"));
    QCOMPARE(m_model->index(0, state).data().toString(), QStringLiteral("Queued"));
    m_rows->setFilterText(QStringLiteral("state = completed"));
    QCOMPARE(numbers(), QList<int>({2, 4}));
}

void TrialFilterTest::invalidFilterChangesNothing_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"lr <", "lr < <", "(adam", "adam)", "()", "\"adam", "adam or", "not", "lr=1..x", "= 3"})
        QTest::newRow(text) << QString::fromLatin1(text);
    QTest::newRow("deep") << QString(5000, u'(');
}

void TrialFilterTest::invalidFilterChangesNothing()
{
    QFETCH(QString, text);
    const ui::TrialFilter filter(text);
    QVERIFY(!filter.problem().isEmpty());
    QVERIFY(filter.isEmpty());
    m_rows->setFilterText(QStringLiteral("hidden=8"));
    m_rows->setFilter(filter);
    QCOMPARE(numbers(), QList<int>({1, 4}));
}

void TrialFilterTest::unknownNamesAreReported()
{
    const ui::TrialFilter filter(QStringLiteral("lr>1 or (nothing=2 and nothing<3) or Best>1"));
    QCOMPARE(filter.unknownNames(*m_model), QStringList(QStringLiteral("nothing")));
}

void TrialFilterTest::marksAreFound()
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

void TrialFilterTest::metricsAreFilteredSortedAndGrouped()
{
    m_rows->setFilterText(QStringLiteral("loss < 3"));
    QCOMPARE(numbers().size(), 0);
    // The filter uses the columns as soon as they exist.
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = 1.0 + static_cast<double>(i);
        m_trials[i].metrics = {{"loss", value, 5, value / 2, value * 2}, {"step", 9 - value, 5, 0, 1}};
    }
    m_model->updateTrials(m_trials, 1, 4);
    QCOMPARE(numbers(), QList<int>({1, 2}));
    m_rows->setFilterText(QStringLiteral("min.loss > 0.5 and max.loss = 4..6"));
    QCOMPARE(numbers(), QList<int>({2, 3}));
    m_rows->setFilterText(QStringLiteral("Min loss > 0.5 and Max loss = 4..6"));
    QCOMPARE(numbers(), QList<int>({2, 3}));
    m_rows->setFilterText(QStringLiteral("metric.step = 8"));
    QCOMPARE(numbers(), QList<int>({1}));
    m_rows->setFilterText({});
    const int loss = m_model->metricSection(QStringLiteral("loss"));
    m_rows->sort(loss, Qt::DescendingOrder);
    QCOMPARE(numbers(), QList<int>({3, 2, 1, 4}));
    m_rows->sort(0, Qt::AscendingOrder);
    m_rows->setGroupedBy(QStringLiteral("state"));
    QCOMPARE(m_rows->index(0, loss).data().toString(), QStringLiteral("median 2"));
    const int low = m_model->metricSection(QStringLiteral("loss"), TrialTableModel::Column::MetricLow);
    QCOMPARE(m_rows->index(0, low).data().toString(), QStringLiteral("0.5"));
    QCOMPARE(m_rows->index(0, low + 1).data().toString(), QStringLiteral("6"));
}

void TrialFilterTest::quotedValuesAreStrings_data()
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
    row("optimizer == \"C:\\Sgd\"", {});  // an undocumented escape: a plain backslash
    row("hidden == \"8\"", {1, 4, 7});
    row("hidden == \"8.0\"", {});
    row("hidden == 8.0", {1, 4, 7});
}

void TrialFilterTest::quotedValuesAreStrings()
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

void TrialFilterTest::ambiguousNamesCanBeQualified()
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
        {"Trial.State = queued", {1, 2, 3}},
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

void TrialFilterTest::conditionOfACellFindsItsTrial()
{
    int conditions = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        for (int section = 0; section < m_model->columnCount(); ++section) {
            const QString condition = ui::cellCondition(*m_model, m_model->index(row, section));
            const auto kind = m_model->columnKind(section);
            const bool isState = kind == TrialTableModel::Column::State;
            QVERIFY(condition.isEmpty() || isState || kind == TrialTableModel::Column::Parameter);
            QVERIFY(!isState || !condition.isEmpty());
            if (condition.isEmpty())
                continue;
            ++conditions;
            m_rows->setFilterText(condition);
            QVERIFY2(numbers().contains(m_model->trial(row).number), qPrintable(condition));
        }
    }
    QVERIFY(conditions > m_model->rowCount());
}

SWEEPSCOPE_TEST(TrialFilterTest)
#include "tst_trialfilter.moc"
