#include "testprogram.h"

#include "ui/trial/factsmodel.h"
#include "ui/trial/facttable.h"
#include "ui/trial/trialtexts.h"

#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

Fact fact(const QString &name, const QString &value)
{
    return {{name, value}, {}, {}, 0, {}};
}

}  // namespace

class FactsModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsGrowChangeAndShrink()
    {
        FactsModel model({u"Name"_s, u"Value"_s}, 1);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFacts({fact(u"lr"_s, u"1"_s)});
        model.setFacts({fact(u"lr"_s, u"1"_s), fact(u"wd"_s, u"2"_s), fact(u"n"_s, u"3"_s)});
        QCOMPARE(model.rowCount(), 3);
        QSignalSpy changed(&model, &FactsModel::dataChanged);
        model.setFacts({fact(u"lr"_s, u"1"_s), fact(u"wd"_s, u"9"_s)});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(changed.size(), 1);  // the unchanged row stays
        QCOMPARE(model.index(1, 1).data().toString(), u"9"_s);
        model.setFacts({});
        QCOMPARE(model.rowCount(), 0);
    }

    void historyNamesAStateOnlyWhereItChanges()
    {
        sweep::TrialHistory history;
        history.entries = {{1, 1, "running", "completed", {}},
                           {2, 1, "completed", "completed", facts::Fact(facts::Code::Starred)}};
        const std::vector<Fact> rows = historyFacts(history);
        QCOMPARE(rows[0].cells[1], u"Completed"_s);
        QCOMPARE(rows[1].cells[1], QString());
        QCOMPARE(rows[1].cells[2], u"Starred"_s);
        QVERIFY(!rows[0].icon.isNull() && rows[1].icon.isNull());
    }

    void tableUsesFreeSpaceForItsRows()
    {
        FactsModel few({u"Name"_s, u"Value"_s}, 1);
        FactsModel other({u"Name"_s, u"Value"_s}, 1);
        QSplitter column(Qt::Vertical);
        auto *table = new FactTable(u"facts"_s, &few, 0);
        table->setAsTallAsItsRows(&column);
        column.addWidget(titledTable(u"Parameters"_s, table));
        column.addWidget(titledTable(u"Metrics"_s, new FactTable(u"others"_s, &other, 0)));
        column.setStretchFactor(1, 1);
        column.resize(300, 600);
        column.show();
        QVERIFY(QTest::qWaitForWindowExposed(&column));
        const auto setRows = [&few](int rows) {
            std::vector<Fact> facts;
            for (int row = 0; row < rows; ++row)
                facts.push_back(fact(u"p%1"_s.arg(row), u"1"_s));
            few.setFacts(std::move(facts));
        };
        setRows(2);
        QTRY_VERIFY(table->height() < 120);
        setRows(9);
        QTRY_VERIFY(table->height() > 9 * table->rowHeight(0));
        QTRY_COMPARE(table->verticalScrollBar()->maximum(), 0);
        setRows(90);  // the other one stays visible
        QTRY_VERIFY(table->verticalScrollBar()->maximum() > 0);
        QVERIFY(column.sizes()[1] >= column.height() / 4);
    }

    void metricsAreSaidToBeOfTheRanksThatReport()
    {
        QCOMPARE(metricsTitle({}, 2), u"Metrics"_s);
        QCOMPARE(metricsTitle({0}, 1), u"Metrics"_s);
        QCOMPARE(metricsTitle({0}, 2), u"Metrics (rank 0 only)"_s);
        QCOMPARE(metricsTitle({0, 2}, 3), u"Metrics (2 of 3 ranks)"_s);
        QCOMPARE(metricsTitle({0, 1}, 2), u"Metrics (all ranks)"_s);
    }

    void commandsAreQuotedForAShell()
    {
        QCOMPARE(commandText({"python3", "a b.py", "", "it's"}), u"python3 'a b.py' '' 'it'\\''s'"_s);
    }

    void attemptIsDescribedWithItsOutcome()
    {
        sweep::AttemptRecord attempt;
        attempt.created = 0;
        QCOMPARE(attemptText(attempt, false, 3'000'000'000), u"running for 3.0 s"_s);
        QCOMPARE(attemptText(attempt, true, 3'000'000'000), u"queued for 3.0 s"_s);
        attempt.ended = 12'000'000'000;
        attempt.outcome = "failed";
        attempt.failure = "exit_code";  // the history has the code
        QCOMPARE(attemptText(attempt, false, 0), u"Failed after 12 s"_s);
        attempt.failure = "early_exit";
        QCOMPARE(attemptText(attempt, false, 0), u"Failed after 12 s · early exit"_s);
    }

    void sourceListsUncommittedChanges()
    {
        QCOMPARE(sourceText({"c0ffee", "main", false}), u"c0ffee (main)"_s);
        QVERIFY(sourceText({"c0ffee", "", true}).contains(u"uncommitted"_s));
        QVERIFY(sourceText({}).contains(u"not a git repository"_s));
    }

    void snapshotIsNamedOrItsAbsenceExplained()
    {
        QCOMPARE(snapshotText({"c0ffee", "main", true, "7a442552", "exp", ""}), u"7a442552"_s);
        QCOMPARE(snapshotText({"", "", false, "", "", "too large"}), u"none: too large"_s);
        QVERIFY(snapshotText({"c0ffee", "main", true}).isEmpty());
    }
};

SWEEPSCOPE_TEST(FactsModelTest)
#include "tst_factsmodel.moc"
