#include "chartsamples.h"
#include "feedframes.h"
#include "testprogram.h"
#include "unit/live/attemptfixture.h"

#include "ui/plot/chart.h"
#include "ui/plot/chartlayout.h"
#include "ui/plot/trialfeeds.h"

#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// Rows of charts without a window: names, undo and redo, and storing.
class ChartLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void chartsAreFoundByTheirIds_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("chosen") << chosenChart();
        QTest::newRow("devices") << u"gpu.utilization"_s;
        QTest::newRow("series") << seriesId({u"loss"_s});
        QTest::newRow("several with blanks") << seriesId({u"val loss"_s, u"top-5 @ 1/2 %"_s, u"Verlust (ü)"_s});
        QTest::newRow("parts") << partsId();
        QTest::newRow("pinned series") << seriesId({u"loss"_s}, {3, 17});
        QTest::newRow("pinned chosen") << u"@3/17 chosen"_s;
        QTest::newRow("pinned devices") << u"@3/17 rank.cpu"_s;
    }
    void chartsAreFoundByTheirIds()
    {
        QFETCH(QString, id);
        const Chart chart = Chart::fromId(id);
        QCOMPARE(chart.id(), id);
        QCOMPARE(Chart::fromId(chart.id()), chart);
        QVERIFY(!chart.title().contains(u'@') || chart.series.size() > 1);
    }

    void allMetricsAreShownInAGrid()
    {
        const auto metric = [](const QString &name) { return seriesId({name}); };
        const QStringList devices{u"rank.cpu"_s, u"core.utilization"_s, u"rank.memory"_s};
        QCOMPARE(usualCharts({u"loss"_s}, u"loss"_s, devices),
                 ChartRows({{chosenChart()}, {u"rank.cpu"_s}, {u"core.utilization"_s}}));
        QCOMPARE(usualCharts({u"loss"_s, u"acc"_s, u"lr"_s, u"f1"_s, u"ppl"_s}, u"loss"_s, devices),
                 ChartRows({{chosenChart()},
                            {metric(u"acc"_s), metric(u"lr"_s)},
                            {metric(u"f1"_s), metric(u"ppl"_s)},
                            {u"rank.cpu"_s, u"core.utilization"_s}}));
        // Each section has its own rows, and those are balanced.
        QCOMPARE(
            usualCharts({u"val/loss"_s, u"lr"_s, u"val/acc"_s, u"train/acc"_s, u"val/f1"_s, u"val/auc"_s, u"loss"_s},
                        u"loss"_s, {}),
            ChartRows({{chosenChart()},
                       {metric(u"lr"_s)},
                       {metric(u"val/loss"_s), metric(u"val/acc"_s)},
                       {metric(u"val/f1"_s), metric(u"val/auc"_s)},
                       {metric(u"train/acc"_s)}}));
        // The parts of a step are one chart.
        QCOMPARE(usualCharts({u"loss"_s, u"step_time"_s, u"data_wait"_s, u"compute_time"_s, u"comm_overlap"_s, u"lr"_s},
                             u"loss"_s, {}),
                 ChartRows({{chosenChart()}, {metric(u"lr"_s), partsId()}}));
        QCOMPARE(usualCharts({u"loss"_s, u"step_time"_s}, u"loss"_s, {}),
                 ChartRows({{chosenChart()}, {metric(u"step_time"_s)}}));
    }

    void changesAreUndoneAndRedone()
    {
        using Side = ChartPlace::Side;
        ChartLayout layout;
        layout.setUsual({{u"a"_s}, {u"b"_s}});
        QSignalSpy changed(&layout, &ChartLayout::changed);
        layout.add(u"c"_s);
        layout.add(u"c"_s);  // already present
        QCOMPARE(changed.size(), 1);
        QCOMPARE(layout.rows(), ChartRows({{u"a"_s}, {u"b"_s}, {u"c"_s}}));
        layout.move(u"c"_s, {Side::Above, u"a"_s});
        QCOMPARE(layout.rows(), ChartRows({{u"c"_s}, {u"a"_s}, {u"b"_s}}));
        layout.move(u"c"_s, {Side::Above, u"a"_s});
        layout.move(u"c"_s, {Side::Above, u"c"_s});
        layout.move(u"nothing"_s, {Side::Above, u"a"_s});
        QCOMPARE(changed.size(), 2);
        layout.move(u"a"_s, {Side::Right, u"b"_s});
        QCOMPARE(layout.rows(), ChartRows({{u"c"_s}, {u"b"_s, u"a"_s}}));
        layout.add(u"d"_s, {Side::Left, u"a"_s});
        QCOMPARE(layout.rows(), ChartRows({{u"c"_s}, {u"b"_s, u"d"_s, u"a"_s}}));
        layout.move(u"d"_s, {Side::Below, u"a"_s});
        QCOMPARE(layout.rows(), ChartRows({{u"c"_s}, {u"b"_s, u"a"_s}, {u"d"_s}}));
        layout.replace(u"a"_s, u"e"_s);
        QCOMPARE(layout.present(), QStringList({u"c"_s, u"b"_s, u"e"_s, u"d"_s}));
        layout.replace(u"e"_s, u"c"_s);  // which is already present
        QCOMPARE(layout.rows(), ChartRows({{u"c"_s}, {u"b"_s}, {u"d"_s}}));
        for (const QString &id : {u"c"_s, u"b"_s, u"d"_s})
            layout.remove(id);
        QCOMPARE(layout.rows(), ChartRows({{u"d"_s}}));  // the last chart cannot be removed
        layout.undo();
        QCOMPARE(layout.present(), QStringList({u"b"_s, u"d"_s}));
        layout.redo();
        QCOMPARE(layout.present(), QStringList(u"d"_s));
        layout.useUsual();
        QCOMPARE(layout.present(), QStringList({u"a"_s, u"b"_s}));
        layout.undo();
        QCOMPARE(layout.present(), QStringList(u"d"_s));
        while (layout.canUndo())
            layout.undo();
        QVERIFY(layout.isUsual());
        layout.restore({{u"x"_s}});
        QVERIFY(!layout.canUndo() && !layout.canRedo());
    }

    void numberOfChartsPerRowIsLimited()
    {
        ChartLayout layout;
        layout.restore({{u"0"_s}});
        for (int i = 1; i <= mostBeside; ++i)
            layout.add(QString::number(i), {ChartPlace::Side::Right, QString::number(i - 1)});
        QCOMPARE(layout.rows(), ChartRows({{u"0"_s, u"1"_s, u"2"_s, u"3"_s}, {u"4"_s}}));
    }

    void rowsAreStoredAsLines()
    {
        const ChartRows rows{{chosenChart(), seriesId({u"val loss"_s})}, {u"rank.cpu"_s}, {partsId(), u"a"_s, u"b"_s}};
        QCOMPARE(fromLines(toLines(rows)), rows);
        QCOMPARE(fromLines({}), ChartRows());
        // Lines that toLines() never writes.
        QCOMPARE(fromLines({u"| a"_s, u"a"_s, {}, u"| "_s, u"| b"_s}), ChartRows({{u"a"_s, u"b"_s}}));
    }

    void damagedLinesGiveEmptyCharts()
    {
        QStringList lines{u"@/ x"_s,
                          u"@99999999999999999999/-1 chosen"_s,
                          u"series:%%%00%zz"_s,
                          u"@"_s,
                          u"| @ "_s,
                          QString(100'000, u'x'),
                          QString(QChar(0)) + u"\n\r\u202e"_s};
        for (int i = 0; i < 10'000; ++i)
            lines << u"line %1"_s.arg(i);
        const ChartRows rows = fromLines(lines);
        QVERIFY(rows.size() <= mostKept);
        AttemptFixture attempt(1);
        report(attempt, 20);
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.charts = rows;
        const PlotFrame frame = frameOf(feeds, request);
        for (const auto &strip : frame.strips)
            QVERIFY(strip.curves.empty());
        ChartLayout layout;
        layout.restore(rows);
        layout.useUsual();
        QVERIFY(layout.isUsual());
    }
};

SWEEPSCOPE_TEST(ChartLayoutTest)
#include "tst_chartlayout.moc"
