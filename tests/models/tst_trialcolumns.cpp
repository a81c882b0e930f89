#include "models/sampletrials.h"
#include "ui/models/trialrows.h"
#include "ui/trials/trialcolumns.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::TrialTableModel;

namespace {

/// A table of one sweep, whose trials say nothing at first.
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
    void metricsComeBesideTheObjective()
    {
        Table table(nullptr);
        const QStringList before = table.shown();
        table.report();
        QStringList expected = before;
        expected.insert(before.indexOf(u"last"_s) + 1, u"metric.loss"_s);  // not what tells of steps, nor ranges
        QCOMPARE(table.shown(), expected);
    }

    void whatIsChosenOfMetricsIsKept()
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
        QVERIFY(!again.shown().contains(u"metric.step_time"_s));  // nobody has reported it yet
        again.report();
        QVERIFY(!again.shown().contains(u"metric.loss"_s));
        QVERIFY(again.shown().contains(u"metric_max.loss"_s));
        QVERIFY(again.shown().contains(u"metric.step_time"_s));
        const QHeaderView *header = again.view.horizontalHeader();
        QCOMPARE(header->sortIndicatorSection(), again.model.metricSection(u"step_time"_s));
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(again.rows.index(0, 0).data().toInt(), 2);
    }
};

QTEST_MAIN(TrialColumnsTest)
#include "tst_trialcolumns.moc"
