#include "testprogram.h"

#include "models/sampletrials.h"
#include "ui/models/trialrows.h"
#include "ui/trials/trialcolumns.h"
#include "ui/trials/trialfilterbar.h"
#include "ui/trials/trialtable.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::TrialTableModel;

namespace {

/// A table of one sweep, whose trials have no values at first.
struct Table {
    TrialTableModel model;
    ui::TrialRows rows{&model};
    QTableView view;
    ui::TrialColumns columns;
    std::vector<sweep::TrialRecord> trials = sampleTrials(1, 3);

    explicit Table(QSettings *settings) : columns((view.setModel(&rows), &view), &model, settings)
    {
        view.setSortingEnabled(true);
        model.setSweep(sampleSweep(1, 3), trials);
        columns.restore(u"sweep"_s);
    }
    void report()
    {
        trials[1].metrics = {{"loss", 2, 1, 2, 2}, {"step_time", 1, 1, 1, 1}};
        model.updateTrials(trials, 2, 2);
    }
    QStringList shown() const
    {
        QStringList ids;
        for (const int section : columns.shownSections())
            ids << model.columnId(section);
        return ids;
    }
    QAction *action(QMenu &menu, const QString &id)
    {
        menu.clear();
        columns.fillMenu(&menu);
        QList<QAction *> all = menu.actions();
        for (const QMenu *more : menu.findChildren<QMenu *>())
            all += more->actions();
        const auto found = std::ranges::find(all, QVariant(id), &QAction::data);
        return found == all.end() ? nullptr : *found;
    }
};

}  // namespace

class TrialColumnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void longNameLeavesRoomForOtherColumns()
    {
        Table table(nullptr);
        table.view.resize(1200, 300);
        table.view.show();
        table.trials[1].metrics = {{std::string(120, 'x'), 2, 1, 2, 2}};
        table.model.updateTrials(table.trials, 2, 2);
        int section = 0;
        while (table.model.columnKind(section) != TrialTableModel::Column::Metric)
            ++section;
        QCOMPARE(table.model.headerData(section, Qt::Horizontal).toString().size(), 120);
        table.columns.restore(u"sweep"_s);
        table.view.setColumnHidden(section, false);
        QVERIFY2(table.view.columnWidth(section) <= 220, qPrintable(QString::number(table.view.columnWidth(section))));
        table.columns.fit();
        QVERIFY2(table.view.columnWidth(section) <= 220, qPrintable(QString::number(table.view.columnWidth(section))));
        QVERIFY(table.model.headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString().contains(u"xxxxxxxx"_s));
    }

    void shownColumnFitsItsTitle()
    {
        Table table(nullptr);
        table.view.resize(1200, 300);
        table.view.show();
        for (const QString &id : {u"tags"_s, u"note"_s}) {
            QMenu menu;
            QAction *action = table.action(menu, id);
            QVERIFY2(action, qPrintable(id));
            QVERIFY(!action->isChecked());
            action->trigger();
            int section = 0;
            while (table.model.columnId(section) != id)
                ++section;
            const QString name = table.model.headerData(section, Qt::Horizontal).toString();
            QVERIFY(table.view.columnWidth(section)
                    > table.view.horizontalHeader()->fontMetrics().horizontalAdvance(name));
        }
    }

    void reasonsAreHiddenWhileThereAreNone()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        Table table(&settings);
        for (sweep::TrialRecord &trial : table.trials)
            trial.reason = {};
        table.model.updateTrials(table.trials, 1, 3);
        table.columns.grow();
        const QString cause = table.model.columnId(table.model.section(TrialTableModel::Column::Cause));
        QVERIFY(!table.shown().contains(cause));
        QMenu menu;
        QVERIFY(table.action(menu, cause)->isChecked());
        table.action(menu, u"note"_s)->trigger();  // stores the columns
        table.trials[2].reason = facts::Fact(facts::Code::OtherFailure);
        table.model.updateTrials(table.trials, 3, 3);
        table.columns.grow();
        QVERIFY(table.shown().contains(cause));
        table.columns.restore(u"other"_s);
        QVERIFY(table.shown().contains(cause));
        table.action(menu, cause)->trigger();
        table.columns.grow();
        QVERIFY(!table.shown().contains(cause));
    }

    void longCauseGetsTheFreeSpace()
    {
        Table table(nullptr);
        table.trials[0].state = sweep::TrialState::Failed;
        table.trials[0].reason =
            facts::Fact(facts::Code::OtherFailure).with(facts::Field::Detail, std::string(120, 'x'));
        table.model.updateTrials(table.trials, 1, 1);
        const QAbstractItemView &view = table.view;
        const int cause = table.model.section(TrialTableModel::Column::Cause);
        table.view.resize(900, 300);
        table.view.show();
        table.columns.fit();
        const int narrow = table.view.columnWidth(cause);
        QVERIFY(narrow < view.sizeHintForColumn(cause));
        table.view.resize(3000, 300);
        QTRY_COMPARE(table.view.columnWidth(cause), view.sizeHintForColumn(cause));
        QTRY_VERIFY(!table.view.horizontalScrollBar()->isVisible());
        table.view.resize(900, 300);
        QTRY_COMPARE(table.view.columnWidth(cause), narrow);
    }

    void columnWidenedByGroupsShrinksAgain()
    {
        Table table(nullptr);
        const int state = table.model.section(TrialTableModel::Column::State);
        const int before = table.view.columnWidth(state);
        table.rows.setGroupedBy(table.model.columnId(state));
        QTableView &view = table.view;
        {
            QSignalBlocker quiet(view.horizontalHeader());  // not resized by the user
            view.setColumnWidth(state, before + 300);
        }
        table.rows.setGroupedBy({});
        table.columns.fit();
        QVERIFY(view.columnWidth(state) < before + 100);
    }

    void explanationsFollowTheObjective()
    {
        Table table(nullptr);
        table.trials[0].state = sweep::TrialState::Failed;
        table.trials[0].reason =
            facts::Fact(facts::Code::OtherFailure).with(facts::Field::Detail, std::string(120, 'x'));
        table.trials[1].chosen =
            facts::Fact(facts::Code::ChosenToStart).with(facts::Field::Count, 1).with(facts::Field::Needed, 10);
        table.trials[1].metrics = {{"accuracy", 2, 1, 2, 2}};
        table.model.setSweep(sampleSweep(1, 3), table.trials);
        table.columns.restore(u"sweep"_s);
        const QStringList shown = table.shown();
        const QStringList expected{u"last"_s, u"why"_s, u"duration"_s, u"choice"_s, u"metric.accuracy"_s};
        QCOMPARE(shown.sliced(shown.indexOf(u"last"_s), expected.size()), expected);
        // Neither of the two texts pushes the other out of a window of ordinary width.
        table.view.resize(1024, 300);
        table.view.show();
        table.columns.fit();
        const int choice = table.model.section(TrialTableModel::Column::Choice);
        QTRY_VERIFY(table.view.columnViewportPosition(choice) + 100 < table.view.viewport()->width());
    }

    void metricsFollowTheExplanations()
    {
        Table table(nullptr);
        const QStringList before = table.shown();
        table.report();
        QStringList expected = before;
        expected.insert(before.indexOf(u"duration"_s) + 1, u"metric.loss"_s);  // neither step metrics nor ranges
        QCOMPARE(table.shown(), expected);
    }

    void anotherSweepKeepsTheColumnOrder()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        Table table(&settings);
        table.view.resize(2400, 400);
        table.view.show();
        const QStringList usual = table.shown();
        sweep::SweepRecord other = sampleSweep(2, 3);
        other.parameterNames = {"a"};
        for (const auto &[record, key] : {std::pair(other, u"other"_s), std::pair(sampleSweep(1, 3), u"sweep"_s),
                                          std::pair(other, u"other"_s), std::pair(sampleSweep(1, 3), u"sweep"_s)}) {
            table.model.setSweep(record, table.trials);
            QVERIFY(!settings.contains(u"trials/last/order"_s));  // the user has not arranged columns
            table.columns.restore(key);
            QCoreApplication::processEvents();
        }
        QCOMPARE(table.shown(), usual);

        // The user moves a column: the next new sweep has the same order, with its own parameters in their place.
        QHeaderView *header = table.view.horizontalHeader();
        header->moveSection(header->visualIndex(table.model.section(TrialTableModel::Column::Duration)), 1);
        QCOMPARE(table.shown().at(1), u"duration"_s);
        table.model.setSweep(other, table.trials);
        table.columns.restore(u"other"_s);
        QCOMPARE(table.shown().at(1), u"duration"_s);
        QCOMPARE(table.shown().indexOf(u"parameter.a"_s), table.shown().indexOf(u"state"_s) + 1);
        QVERIFY(table.shown().indexOf(u"best"_s) > table.shown().indexOf(u"parameter.a"_s));
    }

    void selectedMetricsAreRemembered()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        {
            Table table(&settings);
            table.report();
            QMenu menu;
            table.action(menu, u"metric.loss"_s)->setChecked(false);
            table.action(menu, u"metric_max.loss"_s)->setChecked(true);
            table.action(menu, u"metric.step_time"_s)->setChecked(true);
            table.view.sortByColumn(table.model.metricSection(u"step_time"_s), Qt::DescendingOrder);
        }
        Table again(&settings);
        QVERIFY(!again.shown().contains(u"metric.step_time"_s));  // it has not been reported yet
        again.report();
        QVERIFY(!again.shown().contains(u"metric.loss"_s));
        QVERIFY(again.shown().contains(u"metric_max.loss"_s));
        QVERIFY(again.shown().contains(u"metric.step_time"_s));
        const QHeaderView *header = again.view.horizontalHeader();
        QCOMPARE(header->sortIndicatorSection(), again.model.metricSection(u"step_time"_s));
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(again.rows.index(0, 0).data().toInt(), 2);
    }

    void causeIsVisibleInASmallWindow()
    {
        Table table(nullptr);
        table.trials[0].reason = facts::Fact(facts::Code::OtherFailure);
        table.model.updateTrials(table.trials, 1, 1);
        table.columns.grow();
        // One attempt each needs no column, and where a trial ran matters less than why it failed.
        QVERIFY(!table.shown().contains(u"attempts"_s));
        QCOMPARE(table.shown().indexOf(u"why"_s), table.shown().indexOf(u"last"_s) + 1);
        QCOMPARE(table.shown().last(), u"devices"_s);
        table.trials[2].attempts = 2;
        table.model.updateTrials(table.trials, 3, 3);
        table.columns.restore(u"sweep"_s);
        QVERIFY(table.shown().contains(u"attempts"_s));
    }

    void controlsStayWhereTheyAreWhenTheCountChanges()
    {
        Table table(nullptr);
        ui::TrialFilterBar bar(&table.model, nullptr, nullptr);
        bar.resize(800, 40);
        bar.show();
        bar.setCount(300, 300, 0);
        QTest::qWait(0);
        const int before = bar.curvesButton()->x();
        bar.setCount(12, 300, 0, 11);
        QTest::qWait(0);
        QCOMPARE(bar.curvesButton()->x(), before);
        bar.setCount(0, 300, 0);
        QTest::qWait(0);
        QCOMPARE(bar.curvesButton()->x(), before);
    }

    void noteShowsThatThereAreMoreMetricsThanColumns()
    {
        Table table(nullptr);
        ui::TrialFilterBar bar(&table.model, nullptr, nullptr);
        bar.setCount(3, 3, 0);
        auto *count = bar.findChild<QLabel *>(u"trialsCount"_s);
        QCOMPARE(count->text(), u"3 trials"_s);
        for (std::size_t trial = 0; trial < 3; ++trial) {
            for (int i = 0; i < 100; ++i)
                table.trials[trial].metrics.push_back(
                    {"m" + std::to_string(trial * 100) + std::to_string(i), 1, 1, 1, 1});
        }
        table.model.updateTrials(table.trials, 1, 3);
        bar.setCount(3, 3, 0);
        QCOMPARE(count->text(), u"3 trials, 256 metrics"_s);
        QVERIFY(count->toolTip().contains(u"first 256 metrics"_s));
        bar.setCount(1, 1, 0);
        QCOMPARE(count->text(), u"1 trial, 256 metrics"_s);
        bar.setCount(2, 5, 2);
        QCOMPARE(count->text(), u"2 of 5 trials, 2 removed, 256 metrics"_s);
        QMenu menu;
        table.columns.fillMenu(&menu);
        QVERIFY(std::ranges::any_of(menu.actions(),
                                    [](const QAction *action) { return action->text().contains(u"first 256"_s); }));
    }

    void selectionIncludesColumnsAddedLater()
    {
        Table table(nullptr);
        ui::TrialTable view(&table.rows);
        view.setCurrentTrial(2);
        table.report();
        const int row = table.rows.rowOfTrial(2);
        QVERIFY(view.selectionModel()->isSelected(table.rows.index(row, table.model.metricSection(u"loss"_s))));
        QVERIFY(view.selectionModel()->isRowSelected(row, {}));
        QCOMPARE(view.selectedTrials(), std::vector<int>{2});
    }

    void trialSelectedElsewhereReplacesACurrentGroup()
    {
        Table table(nullptr);
        ui::TrialTable view(&table.rows);
        table.rows.setGroupedBy(table.model.columnId(table.model.section(TrialTableModel::Column::State)));
        table.rows.setFolded(0, false);
        view.setCurrentIndex(table.rows.index(0, 0));
        QVERIFY(view.isOnGroup());
        view.setCurrentTrial(2);
        QCOMPARE(view.currentTrial(), 2);
        QCOMPARE(view.selectedTrials(), std::vector<int>{2});
        view.setCurrentTrial(99);
        QCOMPARE(view.currentTrial(), 0);
        QVERIFY(!view.isOnGroup());
    }

    void shownTableScrollsToTheRowButNoColumn()
    {
        Table table(nullptr);
        ui::TrialTable view(&table.rows);
        view.setMinimumSize(200, 60);
        view.resize(200, 60);
        view.horizontalHeader()->moveSection(0, table.rows.columnCount() - 1);
        view.setCurrentTrial(3);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(view.horizontalScrollBar()->maximum() > 0);
        QCOMPARE(view.horizontalScrollBar()->value(), 0);
        QVERIFY(view.verticalScrollBar()->value() > 0);
        table.model.setSweep(sampleSweep(1, 3), table.trials);
        QCOMPARE(view.currentTrial(), 3);
        QCOMPARE(view.horizontalScrollBar()->value(), 0);
    }

    void columnsAreMovedPastHiddenOnes()
    {
        Table table(nullptr);
        const QStringList before = table.shown();
        const auto place = [&](const QString &id) { return table.shown().indexOf(id); };
        const int section = table.model.section(TrialTableModel::Column::State);
        table.columns.move(section, 1);
        QCOMPARE(place(u"state"_s), before.indexOf(u"state"_s) + 1);
        table.columns.move(section, -1);
        QCOMPARE(table.shown(), before);
        for (int i = 0; i < 40; ++i)
            table.columns.move(section, 1);
        QCOMPARE(table.shown().last(), u"state"_s);
        table.columns.move(-1, 1);  // an invalid column
    }
};

SWEEPSCOPE_TEST(TrialColumnsTest)
#include "tst_trialcolumns.moc"
