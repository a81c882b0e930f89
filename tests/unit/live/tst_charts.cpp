// Charts: what they show, how they are arranged, and that they are found again.
#include "attemptfixture.h"

#include "ui/live/chart.h"
#include "ui/live/chartfeeds.h"
#include "ui/live/chartlayout.h"
#include "ui/live/chartsmenu.h"
#include "ui/live/legendmodel.h"
#include "ui/live/liveplot.h"
#include "ui/live/livetoolbar.h"
#include "ui/live/plotcursor.h"
#include "ui/live/showncharts.h"
#include "ui/live/trialplots.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr WallNs t0 = AttemptFixture::start;
constexpr WallNs second = AttemptFixture::second;

QString seriesId(const QStringList &names, const TrialChoice &pinned = {})
{
    Chart chart;
    chart.kind = Chart::Kind::Series;
    chart.series = names;
    chart.pinned = pinned;
    return chart.id();
}

QString partsId()
{
    Chart chart;
    chart.kind = Chart::Kind::StepParts;
    return chart.id();
}

/// Two ranks with all that a worker reports, a value a second.
void report(AttemptFixture &attempt, int steps, WallNs begun = t0, double loss = 1)
{
    for (int step = 0; step < steps; ++step) {
        const WallNs time = begun + step * second;
        for (int rank = 0; rank < 2; ++rank) {
            attempt.rank(rank, "loss", step, time, loss + rank);
            attempt.rank(rank, "accuracy", step, time, 0.5);
            attempt.rank(rank, "data_wait", step, time, 0.1 + 0.1 * rank);
            attempt.rank(rank, "compute_time", step, time, 0.3);
            attempt.rank(rank, "comm_wait", step, time, 0.2);
            attempt.rank(rank, "step_time", step, time, 0.8);
        }
        attempt.host("rank0.cpu", time, 90);
        attempt.host("rank1.cpu", time, 80);
        attempt.host("rank0.memory", time, 1e9, "B");
        attempt.host("rank1.memory", time, 1e9, "B");
        attempt.device("cpu:0.utilization", time, 70);
    }
    attempt.flush();
}

PlotFrame frameOf(PlotFeeds &feeds, const PlotRequest &request)
{
    while (feeds.poll()) {
    }
    return feeds.frame(request);
}

/// Each in a row of its own, below the chosen series.
ChartRows below(const QStringList &ids)
{
    ChartRows rows{{chosenChart()}};
    for (const QString &id : ids)
        rows.append(QStringList(id));
    return rows;
}

QStringList idsOf(const PlotFrame &frame)
{
    QStringList ids;
    for (const PlotPanel &panel : frame.strips)
        ids << panel.id;
    return ids;
}

/// What a person has before them: the plots of an attempt in a window.
struct Plots {
    AttemptFixture attempt{2};
    TrialPlots plots;

    Plots()
    {
        report(attempt, 60);
        plots.resize(1000, 700);
        plots.showSource(attempt.source());
        plots.show();
    }
    bool isReady() { return QTest::qWaitForWindowExposed(&plots) && waitFor({u"rank.cpu"_s, u"core.utilization"_s}); }
    ChartRows shown() const
    {
        ChartRows rows;
        for (const ShownChart &chart : shownCharts(plots.plot()->frame())) {
            rows.resize(chart.row + 1);
            rows.last().append(chart.id);
        }
        return rows;
    }
    bool waitFor(const ChartRows &rows)
    {
        const bool isThere = QTest::qWaitFor([&] { return shown() == rows; }, 10'000);
        plots.plot()->replot();  // charts that stay have their former places until then
        return isThere && titlesArePlaced();
    }
    /// Below the chosen series.
    bool waitFor(const QStringList &ids) { return waitFor(below(ids)); }
    bool titlesArePlaced() const
    {
        const auto &panes = plots.plot()->panes();
        return panes.size() == shownCharts(plots.plot()->frame()).size()
               && std::ranges::all_of(panes, [](const auto &pane) { return pane->titleArea().height() > 0; });
    }
    PlotPane &pane(const QString &id) const
    {
        for (const auto &pane : plots.plot()->panes()) {
            if (plots.plot()->chartOf(*pane) == id)
                return *pane;
        }
        qFatal("there is no such chart");
    }
    void drag(const QPoint &from, const QPoint &to)
    {
        LivePlot *plot = plots.plot();
        QTest::mouseMove(plot, from);
        QTest::mousePress(plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(plot, (from + to) / 2);
        QTest::mouseMove(plot, to);
        QTest::mouseRelease(plot, Qt::LeftButton, {}, to);
    }
};

}  // namespace

class ChartsTest : public QObject {
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

    void changesAreUndoneAndRedone()
    {
        using Side = ChartPlace::Side;
        ChartLayout layout;
        layout.setUsual({{u"a"_s}, {u"b"_s}});
        QSignalSpy changed(&layout, &ChartLayout::changed);
        layout.add(u"c"_s);
        layout.add(u"c"_s);  // it is there
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
        layout.replace(u"e"_s, u"c"_s);  // which is there
        QCOMPARE(layout.rows(), ChartRows({{u"c"_s}, {u"b"_s}, {u"d"_s}}));
        for (const QString &id : {u"c"_s, u"b"_s, u"d"_s})
            layout.remove(id);
        QCOMPARE(layout.rows(), ChartRows({{u"d"_s}}));  // the last one stays
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

    void onlySoManyStandBesideEachOther()
    {
        ChartLayout layout;
        layout.restore({{u"0"_s}});
        for (int i = 1; i <= mostBeside; ++i)
            layout.add(QString::number(i), {ChartPlace::Side::Right, QString::number(i - 1)});
        QCOMPARE(layout.rows(), ChartRows({{u"0"_s, u"1"_s, u"2"_s, u"3"_s}, {u"4"_s}}));
    }

    void rowsAreKeptAsLines()
    {
        const ChartRows rows{{chosenChart(), seriesId({u"val loss"_s})}, {u"rank.cpu"_s}, {partsId(), u"a"_s, u"b"_s}};
        QCOMPARE(fromLines(toLines(rows)), rows);
        QCOMPARE(fromLines({}), ChartRows());
        // Somebody else wrote them.
        QCOMPARE(fromLines({u"| a"_s, u"a"_s, {}, u"| "_s, u"| b"_s}), ChartRows({{u"a"_s, u"b"_s}}));
    }

    void damagedLinesAreChartsOfNothing()
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

    void seriesStandBelowInTheOrderThatIsAskedFor()
    {
        AttemptFixture attempt(2);
        report(attempt, 20);
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        const QStringList wanted{seriesId({u"accuracy"_s}), u"rank.memory"_s, seriesId({u"loss"_s, u"accuracy"_s}),
                                 u"rank.cpu"_s, seriesId({u"not reported"_s})};
        request.charts = below(wanted);
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(idsOf(frame), wanted);
        QCOMPARE(frame.strips[0].curves.size(), std::size_t{2});  // a curve for each rank
        QCOMPARE(frame.strips[0].curves[1].name, u"rank 1"_s);
        QVERIFY(!frame.strips[0].isStrip);
        QVERIFY(frame.strips[1].isStrip);
        QCOMPARE(frame.strips[2].curves.size(), std::size_t{2});  // a curve for each series
        QCOMPARE(frame.strips[2].curves[0].name, u"loss"_s);
        QCOMPARE(frame.strips[2].curves[0].columns.back().mean, 1.5);
        QVERIFY(frame.strips[4].curves.empty());
        // Devices have no steps, series do.
        request.axis = series::XAxis::Step;
        QCOMPARE(idsOf(feeds.frame(request)), QStringList({wanted[0], wanted[2], wanted[4]}));
    }

    void partsOfAStepStandOnEachOther()
    {
        AttemptFixture attempt(2);
        report(attempt, 20);
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.charts = {{partsId()}};
        const PlotFrame frame = frameOf(feeds, request);
        const PlotPanel &panel = frame.strips.front();
        QStringList names;
        for (const PlotCurve &curve : panel.curves)
            names << curve.name;
        QCOMPARE(names, QStringList({u"data wait"_s, u"compute"_s, u"communication"_s, u"other"_s}));
        const double edges[] = {0, 0.15, 0.45, 0.65, 0.8};  // means of both ranks
        for (std::size_t i = 0; i < panel.curves.size(); ++i) {
            QVERIFY(!panel.curves[i].stack.empty());
            for (const series::Column &column : panel.curves[i].stack) {
                QVERIFY(std::abs(column.min - edges[i]) < 1e-9);
                QVERIFY(std::abs(column.max - edges[i + 1]) < 1e-9);
            }
        }
        // What is read off is the part, not the pile.
        QVERIFY(std::abs(*panel.curves[2].newest - 0.2) < 1e-9);
        QVERIFY(std::abs(*panel.curves[3].newest - 0.15) < 1e-9);
        QVERIFY(std::abs(panel.curves[3].columns.back().last - 0.15) < 1e-9);
        LegendModel legend;
        legend.setFrame(frame, std::nullopt, {});
        for (int row = 0; row < legend.rowCount(); ++row) {
            if (legend.index(row).data().toString() == u"compute"_s)
                QCOMPARE(legend.index(row).data(LegendModel::ValueRole).toString(), u"300\u202fms"_s);
        }
    }

    void aStepThatIsItsPartsHasNoOther()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 50; ++step) {
            const double wait = 0.1 * (1 + step % 7);
            const double compute = 0.7 / (1 + step % 3);
            attempt.rank(0, "data_wait", step, t0 + step * second, wait);
            attempt.rank(0, "compute_time", step, t0 + step * second, compute);
            attempt.rank(0, "step_time", step, t0 + step * second, wait + compute);
        }
        attempt.flush();
        TrialSource source = attempt.source();
        TrialFeeds feeds(source);
        PlotRequest request;
        request.charts = {{partsId()}};
        const PlotFrame frame = frameOf(feeds, request);
        const PlotCurve &other = frame.strips.front().curves.back();
        QCOMPARE(*other.newest, 0.0);  // and not what the sum is rounded by
        QVERIFY(std::ranges::all_of(other.columns, [](const series::Column &column) { return column.last == 0; }));
    }

    void aPinnedChartStaysWithItsTrial()
    {
        AttemptFixture shown(2);
        AttemptFixture other(2, t0 + 100 * second);
        report(shown, 20, t0, 1);
        report(other, 40, t0 + 100 * second, 7);
        TrialSource pinned = other.source();
        pinned.trial = 2;
        ChartFeeds feeds({shown.source(), pinned});
        PlotRequest request;
        const QStringList wanted{u"rank.cpu"_s, seriesId({u"loss"_s}, {1, 2}), u"@1/2 rank.cpu"_s, u"@1/2 chosen"_s,
                                 seriesId({u"loss"_s}, {1, 99})};
        request.charts = below(wanted);
        request.series = u"loss"_s;
        PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(idsOf(frame), wanted.first(4));
        QCOMPARE(panelTitle(frame.strips[3]), u"loss · trial 2"_s);
        QCOMPARE(frame.strips[3].curves.front().columns.back().mean, 7.0);
        QCOMPARE(frame.strips[1].curves.front().columns.back().mean, 7.0);
        QCOMPARE(panelTitle(frame.strips[1].id), u"loss · trial 2"_s);
        // By the clock it stands where it ran, and the view shows both.
        QCOMPARE(frame.from, toSeconds(t0));
        QVERIFY(frame.to >= toSeconds(t0 + 139 * second));
        QVERIFY(std::abs(frame.strips[1].curves.front().columns.front().x - toSeconds(t0 + 100 * second)) < 1.5);
        // Since the start, both begin there.
        request.relative = true;
        frame = feeds.frame(request);
        QVERIFY(std::abs(frame.strips[1].curves.front().columns.front().x - toSeconds(t0)) < 1.5);
        QVERIFY(frame.to < toSeconds(t0 + 45 * second));
        QCOMPARE(frame.strips[2].curves.size(), std::size_t{2});
        // Not pinned any more: it is gone, and what is shown goes on.
        feeds.updateSources({shown.source()});
        frame = feeds.frame(request);
        QCOMPARE(idsOf(frame), QStringList(u"rank.cpu"_s));
        QCOMPARE(frame.main.curves.size(), std::size_t{2});
    }

    void chartsAreAddedByTheKeyboard()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.plot()->setFocus();
        // A menu runs a loop of its own as long as it is open.
        bool isOpened = false;
        QTimer::singleShot(0, &p.plots, [&isOpened] {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            isOpened = menu != nullptr;
            if (!menu)
                return;
            auto *series = menu->findChild<QMenu *>(u"addSeries"_s);
            for (QAction *action : series->actions()) {
                if (action->text() == u"accuracy"_s)
                    action->trigger();
            }
            menu->close();
        });
        QTest::keyClick(p.plots.plot(), Qt::Key_C);
        QTRY_VERIFY(isOpened);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s, seriesId({u"accuracy"_s})}));
    }

    void aChartIsDraggedByItsTitle()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.charts()->add(partsId());
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s, partsId()}));
        const auto titleOf = [&p](const QString &id) { return p.pane(id).titleArea().center(); };
        const QCPRange before = p.plots.plot()->xRange();
        p.drag(titleOf(partsId()), titleOf(u"rank.cpu"_s));
        QVERIFY(p.waitFor({partsId(), u"rank.cpu"_s, u"core.utilization"_s}));
        p.drag(titleOf(partsId()), p.pane(u"rank.cpu"_s).area()->rect().bottomLeft() + QPoint(100, -2));
        QVERIFY(p.waitFor({u"rank.cpu"_s, partsId(), u"core.utilization"_s}));
        p.drag(titleOf(u"rank.cpu"_s), QPoint(200, p.plots.plot()->height() - 5));
        QVERIFY(p.waitFor({partsId(), u"core.utilization"_s, u"rank.cpu"_s}));
        QVERIFY(p.plots.plot()->isFollowing());  // nothing was zoomed
        QCOMPARE(p.plots.plot()->xRange().lower, before.lower);
        // A click on a title is no drag.
        const ChartRows charts = p.shown();
        QTest::mouseClick(p.plots.plot(), Qt::LeftButton, {}, titleOf(partsId()));
        QCOMPARE(p.shown(), charts);
        QVERIFY(!p.plots.charts()->canRedo());
    }

    void chartsStandBesideEachOther()
    {
        Plots p;
        QVERIFY(p.isReady());
        const auto titleOf = [&p](const QString &id) { return p.pane(id).titleArea().center(); };
        const auto rightHalf = [&p](const QString &id) {
            return p.pane(id).area()->center() + QPoint(p.pane(id).area()->width() / 4, 0);
        };
        p.drag(titleOf(u"rank.cpu"_s), rightHalf(chosenChart()));
        QVERIFY(p.waitFor(ChartRows{{chosenChart(), u"rank.cpu"_s}, {u"core.utilization"_s}}));
        LivePlot *plot = p.plots.plot();
        const auto isBeside = [&p] {
            const QRect left = p.pane(chosenChart()).area()->rect();
            const QRect right = p.pane(u"rank.cpu"_s).area()->rect();
            return left.right() < right.left() && left.top() == right.top() && left.bottom() == right.bottom();
        };
        QTRY_VERIFY(isBeside());
        QVERIFY(p.pane(u"core.utilization"_s).area()->width() > p.pane(chosenChart()).area()->width());
        // One axis for all of them, and the cursor stands at one time in each.
        plot->setXRange(QCPRange(toSeconds(t0), toSeconds(t0 + 30 * second)));
        QCOMPARE(p.pane(u"rank.cpu"_s).xAxis()->range().upper, toSeconds(t0 + 30 * second));
        QTest::mouseMove(plot, rightHalf(u"rank.cpu"_s));
        const auto *cursor = plot->findChild<PlotCursor *>();
        QTRY_VERIFY(cursor->position().has_value());
        QVERIFY(std::abs(*cursor->position() - toSeconds(t0) - 22.5) < 0.2);
        plot->follow();
        // The first one is a chart like the others.
        p.drag(titleOf(chosenChart()), QPoint(titleOf(chosenChart()).x(), plot->height() - 5));
        QVERIFY(p.waitFor(ChartRows{{u"rank.cpu"_s}, {u"core.utilization"_s}, {chosenChart()}}));
        p.plots.charts()->undo();
        p.plots.charts()->undo();
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s}));
        QVERIFY(p.plots.charts()->isUsual());
    }

    void chartsAreAddedBesideAndBelowAnother()
    {
        Plots p;
        QVERIFY(p.isReady());
        auto *charts = p.plots.findChild<ChartsMenu *>(u"chartsMenu"_s);
        const auto add = [charts](const QString &to, const QString &where) {
            QMenu menu;
            charts->addAdditionsAround(to, &menu);
            for (QAction *action : menu.findChild<QMenu *>(where)->findChild<QMenu *>(u"addSeries"_s)->actions()) {
                if (action->text() == (where == "addRight"_L1 ? u"accuracy"_s : u"data_wait"_s))
                    action->trigger();
            }
        };
        add(chosenChart(), u"addRight"_s);
        QVERIFY(
            p.waitFor(ChartRows{{chosenChart(), seriesId({u"accuracy"_s})}, {u"rank.cpu"_s}, {u"core.utilization"_s}}));
        add(seriesId({u"accuracy"_s}), u"addBelow"_s);
        QVERIFY(p.waitFor(ChartRows{{chosenChart(), seriesId({u"accuracy"_s})},
                                    {seriesId({u"data_wait"_s})},
                                    {u"rank.cpu"_s},
                                    {u"core.utilization"_s}}));
    }

    void theFirstChartIsPinnedRemovedAndComesBack()
    {
        Plots p;
        QVERIFY(p.isReady());
        const auto trigger = [&p](const QString &id, const QString &name) {
            QMenu menu;
            p.plots.findChild<ChartsMenu *>(u"chartsMenu"_s)->addActionsOf(id, &menu);
            menu.findChild<QAction *>(name)->trigger();
        };
        const TrialSource source = p.attempt.source();
        const QString pinned = u"@%1/%2 chosen"_s.arg(source.sweepId).arg(source.trial);
        p.plots.setPinned({source});
        trigger(chosenChart(), u"chartPin"_s);
        QVERIFY(p.waitFor(ChartRows{{pinned}, {u"rank.cpu"_s}, {u"core.utilization"_s}}));
        // It shows what is chosen above, of its trial.
        auto *series = p.plots.findChild<QComboBox *>(u"seriesChooser"_s);
        series->setCurrentText(u"accuracy"_s);
        Q_EMIT series->activated(series->currentIndex());
        QTRY_COMPARE(panelTitle(p.pane(pinned).panel()), u"accuracy · trial %1"_s.arg(source.trial));
        trigger(pinned, u"chartPin"_s);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s}));
        trigger(chosenChart(), u"chartRemove"_s);
        QVERIFY(p.waitFor(ChartRows{{u"rank.cpu"_s}, {u"core.utilization"_s}}));
        trigger(u"rank.cpu"_s, u"chartRemove"_s);
        QVERIFY(p.waitFor(ChartRows{{u"core.utilization"_s}}));
        // By steps there is nothing of this one: the chosen series stands in.
        p.plots.findChild<QComboBox *>(u"xScale"_s)->setCurrentIndex(2);
        QVERIFY(p.waitFor(ChartRows{{chosenChart()}}));
        p.plots.findChild<QComboBox *>(u"xScale"_s)->setCurrentIndex(0);
        QVERIFY(p.waitFor(ChartRows{{u"core.utilization"_s}}));
        QMenu menu;
        auto *charts = p.plots.findChild<ChartsMenu *>(u"chartsMenu"_s);
        charts->addAdditions(&menu, {ChartPlace::Side::Above, u"core.utilization"_s});
        for (QAction *action : menu.actions()) {
            if (action->data() == chosenChart())
                action->trigger();
        }
        QVERIFY(p.waitFor(ChartRows{{chosenChart()}, {u"core.utilization"_s}}));
    }

    void deleteRemovesTheChartUnderThePointerAndCtrlZBringsItBack()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.plot()->setFocus();
        const auto pointAt = [&p](const PlotPane &pane) {
            QTest::mouseMove(p.plots.plot(), pane.area()->center() + QPoint(1, 0));
            QTest::mouseMove(p.plots.plot(), pane.area()->center());
        };
        pointAt(p.pane(u"rank.cpu"_s));
        QTest::keyClick(p.plots.plot(), Qt::Key_Delete);
        QVERIFY(p.waitFor({u"core.utilization"_s}));
        QTest::keyClick(p.plots.plot(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s}));
        QTest::keyClick(p.plots.plot(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(p.waitFor({u"core.utilization"_s}));
    }

    void everyChartHasRoomAndTheRestScrolls()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.resize(800, 300);
        for (const QString &name : {u"accuracy"_s, u"data_wait"_s, u"step_time"_s, u"comm_wait"_s})
            p.plots.charts()->add(seriesId({name}));
        QTRY_COMPARE(p.shown().size(), 7);
        QTRY_VERIFY(p.plots.plot()->height() > 400);
        QTRY_VERIFY(std::ranges::all_of(p.plots.plot()->panes(),
                                        [](const auto &pane) { return pane->area()->height() >= 20; }));
    }

    void whatAPersonArrangedIsFoundAgain()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        const ChartRows charts{
            {chosenChart(), seriesId({u"accuracy"_s})}, {u"rank.cpu"_s}, {seriesId({u"loss"_s}, {1, 2})}};
        {
            Plots p;
            p.plots.restore(&settings, u"one"_s);
            QVERIFY(p.isReady());
            p.plots.charts()->add(seriesId({u"accuracy"_s}), {ChartPlace::Side::Right, chosenChart()});
            p.plots.charts()->remove(u"core.utilization"_s);
            p.plots.charts()->add(charts.last().first());
            p.plots.findChild<QComboBox *>(u"xScale"_s)->setCurrentIndex(1);
            p.plots.findChild<QComboBox *>(u"rankView"_s)->setCurrentIndex(2);
        }
        Plots again;
        again.plots.restore(&settings, u"one"_s);
        QCOMPARE(again.plots.charts()->rows(), charts);
        QVERIFY(!again.plots.charts()->canUndo());
        QCOMPARE(again.plots.plot()->xScale(), XScale::Relative);
        QCOMPARE(again.plots.toolBar()->rankView(), RankView::Spread);
        QCOMPARE(again.plots.pinnedTrials(), std::vector<TrialChoice>({{1, 2}}));
        QVERIFY(again.waitFor(charts.first(2)));  // the pinned trial is not there
        // A new sweep begins as the last one was left, but for trials that it does not have.
        again.plots.restore(&settings, u"two"_s);
        QCOMPARE(again.plots.charts()->rows(), charts.first(2));
        again.plots.charts()->useUsual();
        again.plots.restore(&settings, u"one"_s);
        QCOMPARE(again.plots.charts()->rows(), charts);
    }

    void severalSeriesAreChosenInADialog()
    {
        Plots p;
        QVERIFY(p.isReady());
        auto *menu = p.plots.findChild<QMenu *>(u"chartsMenu"_s);
        Q_EMIT menu->aboutToShow();
        menu->findChild<QAction *>(u"severalSeries"_s)->trigger();
        auto *dialog = p.plots.findChild<QDialog *>(u"seriesDialog"_s);
        QVERIFY(dialog && dialog->isVisible());
        auto *add = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
        QVERIFY(!add->isEnabled());
        auto *list = dialog->findChild<QListWidget *>();
        list->setFocus();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Space);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Space);
        QTest::mouseClick(add, Qt::LeftButton);
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s, seriesId({u"loss"_s, u"accuracy"_s})}));
    }
};

QTEST_MAIN(ChartsTest)
#include "tst_charts.moc"
