#include "attemptfixture.h"

#include "ui/live/curvelegend.h"
#include "ui/live/liveplot.h"
#include "ui/live/livetoolbar.h"
#include "ui/live/plotcursor.h"
#include "ui/live/plotgestures.h"
#include "ui/live/plotkeys.h"
#include "ui/live/trialplots.h"
#include "ui/theme/palettes.h"
#include "ui/theme/trialcolors.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

constexpr WallNs t0 = AttemptFixture::start;
constexpr WallNs second = AttemptFixture::second;
const double start = toSeconds(t0);
const double notANumber = std::numeric_limits<double>::quiet_NaN();

series::Column column(double x, double value)
{
    return {x, value, value, value, value, 1, !std::isfinite(value)};
}

/// `seconds` long, one rank, a straight line from 0 to 1.
PlotFrame frameOf(int seconds, int ranks = 1)
{
    PlotFrame frame;
    frame.from = start;
    frame.to = start + seconds;
    frame.start = start;
    frame.main.id = QStringLiteral("loss");
    frame.seriesNames = QStringList{QStringLiteral("loss")};
    for (int rank = 0; rank < ranks; ++rank) {
        PlotCurve curve;
        curve.name = QStringLiteral("rank %1").arg(rank);
        curve.color = rank;
        for (int i = 0; i <= seconds; ++i)
            curve.columns.push_back(column(start + i, static_cast<double>(i) / seconds + rank));
        curve.newest = 1.0 + rank;
        frame.main.curves.push_back(curve);
    }
    return frame;
}

PlotPanel cpuStrip()
{
    PlotPanel strip;
    strip.id = QStringLiteral("rank.cpu");
    strip.unit = QStringLiteral("%");
    PlotCurve curve;
    curve.name = QStringLiteral("rank 0");
    curve.columns = {column(start, 50), column(start + 10, 60)};
    strip.curves.push_back(curve);
    return strip;
}

/// Whether a pixel within `reach` of the point has nearly this colour.
bool isColored(const QImage &image, const QPointF &point, const QColor &color, int reach = 1)
{
    for (int y = qRound(point.y()) - reach; y <= qRound(point.y()) + reach; ++y) {
        for (int x = qRound(point.x()) - reach; x <= qRound(point.x()) + reach; ++x) {
            if (!image.rect().contains(x, y))
                continue;
            const QColor pixel = image.pixelColor(x, y);
            if (std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green())
                    + std::abs(pixel.blue() - color.blue())
                < 90)
                return true;
        }
    }
    return false;
}

struct Plot {
    LivePlot plot;
    PlotCursor cursor{&plot};
    PlotGestures gestures{&plot};
    PlotKeys plotKeys{&plot, &cursor};

    Plot()
    {
        plot.resize(800, 500);
        plot.show();
        show(frameOf(100));
    }
    void show(const PlotFrame &frame)
    {
        PlotRequest request;
        plot.fillRequest(request);
        PlotFrame answered = frame;
        answered.view = request.view;
        plot.setFrame(answered);
        plot.replot();
    }
    PlotPane &curves() { return *plot.panes()[0]; }
    QPointF center() const { return plot.panes()[0]->area()->center(); }
    QImage image() { return plot.toPixmap(800, 500).toImage(); }
    QPointF pixel(double x, double value)
    {
        return {curves().xAxis()->coordToPixel(x), curves().yAxis()->coordToPixel(value)};
    }
    void wheel(const QPointF &at, int notches)
    {
        QWheelEvent event(at, plot.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&plot, &event);
    }
    void drag(QPointF from, QPointF to, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
              Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mousePress(&plot, button, modifiers, from.toPoint());
        QTest::mouseMove(&plot, to.toPoint());
        QTest::mouseRelease(&plot, button, modifiers, to.toPoint());
    }
};

}  // namespace

class LivePlotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSpikeOfOneSampleReachesItsPixelRow()
    {
        // Through the whole chain: samples, pyramid, columns, pixels; the spike is neither first nor last of its
        // column.
        series::Series curve("loss", "");
        for (int i = 0; i < 10'000'000; ++i)
            curve.append({i, t0 + i * 30'000LL, i == 5'000'200 ? 10.0 : 1.0});
        PlotFrame frame = frameOf(300);
        frame.main.curves[0].columns = curve.columns(series::XAxis::WallTime, start, start + 300, 700);
        Plot p;
        p.show(frame);
        const QImage image = p.image();
        QVERIFY(isColored(image, p.pixel(start + 150, 10.0), rankColor(0), 2));
        QVERIFY(isColored(image, p.pixel(start + 150, 5.0), rankColor(0), 2));
        QVERIFY(!isColored(image, p.pixel(start + 120, 5.0), rankColor(0), 2));

        // The same among so many ranks that they are drawn together; the last one is on top of the others.
        frame.main.curves[0].columns = curve.columns(series::XAxis::WallTime, start, start + 300, 700);
        curve = series::Series("loss", "");
        for (int i = 0; i < 300'000; ++i)
            curve.append({i, t0 + i * 1'000'000LL, 1.0});
        const auto flat = curve.columns(series::XAxis::WallTime, start, start + 300, 700);
        for (int rank = 1; rank < 64; ++rank) {
            frame.main.curves.push_back(frame.main.curves[0]);
            frame.main.curves.back().name = QStringLiteral("rank %1").arg(rank);
            frame.main.curves.back().color = rank;
            frame.main.curves.back().columns = flat;
        }
        p.show(frame);
        const QImage together = p.image();
        QVERIFY(isColored(together, p.pixel(start + 150, 10.0), rankColor(0), 2));
        QVERIFY(isColored(together, p.pixel(start + 150, 5.0), rankColor(0), 2));
        QVERIFY(isColored(together, p.pixel(start + 120, 1.0), rankColor(63), 1));
        QVERIFY(!isColored(together, p.pixel(start + 120, 5.0), rankColor(0), 2));
    }

    void aResumedRankIsNotJoinedToItsPast()
    {
        // Steps 0 to 100 at 0, then again from 50 on, at 1: no line may come back across the plot.
        series::Series curve("loss", "");
        for (int step = 0; step <= 100; ++step)
            curve.append({step, t0 + step * second, 0.0});
        for (int step = 50; step <= 100; ++step)
            curve.append({step, t0 + (step + 60) * second, 1.0});
        for (const int ranks : {1, 64}) {
            PlotFrame frame = frameOf(100, ranks);
            frame.from = 0;
            frame.to = 100;
            for (PlotCurve &shown : frame.main.curves) {
                shown.color = 0;
                shown.columns = curve.columns(series::XAxis::Step, 0, 100, 700);
            }
            Plot p;
            p.plot.setXScale(XScale::Step);
            p.show(frame);
            const QImage image = p.image();
            QVERIFY(isColored(image, p.pixel(25, 0), rankColor(0), 2));
            QVERIFY(isColored(image, p.pixel(75, 1), rankColor(0), 2));
            QVERIFY(!isColored(image, p.pixel(75, 0.5), rankColor(0), 3));
        }
    }

    void anotherSeriesGetsAnAxisOfItsOwn()
    {
        Plot p;
        p.show(frameOf(100));
        p.plot.setXRange(QCPRange(start + 10, start + 50));
        p.show(frameOf(100));
        p.plot.setYRange(p.curves(), QCPRange(0.2, 0.3));
        PlotFrame other = frameOf(100);
        other.main.id = QStringLiteral("samples_per_second");
        for (series::Column &column : other.main.curves[0].columns)
            column.first = column.min = column.max = column.last = 5000;
        p.show(other);
        QVERIFY(p.curves().yAxis()->range().contains(5000));
        QCOMPARE(p.plot.xRange().upper, start + 50);
    }

    void aPlotWithoutValuesHasNoNumbersAtItsAxis()
    {
        PlotFrame frame = frameOf(100);
        frame.strips = {cpuStrip()};
        Plot p;
        p.show(frame);
        QVERIFY(p.plot.panes()[1]->yAxis()->tickLabels());
        frame.strips[0].curves[0].columns.clear();
        p.show(frame);
        QVERIFY(p.plot.panes()[0]->yAxis()->tickLabels());
        QVERIFY(!p.plot.panes()[1]->yAxis()->tickLabels());
    }

    void nanIsMarkedAtTheEdgeAndTheLineBreaks()
    {
        PlotFrame frame = frameOf(100);
        for (int i = 40; i <= 60; ++i)
            frame.main.curves[0].columns[static_cast<std::size_t>(i)] = column(start + i, notANumber);
        Plot p;
        p.show(frame);
        const QImage image = p.image();
        const double x = p.pixel(start + 50, 0.5).x();
        QVERIFY(isColored(image, QPointF(x, p.curves().area()->top() + 4), rankColor(0)));
        QVERIFY(!isColored(image, p.pixel(start + 50, 0.5), rankColor(0), 3));
        QVERIFY(isColored(image, p.pixel(start + 20, 0.2), rankColor(0), 2));
    }

    void whatALogarithmCannotShowIsMarkedBelow()
    {
        PlotFrame frame = frameOf(100);
        frame.main.curves[0].columns[50] = column(start + 50, -1);
        Plot p;
        p.plot.setLogarithmic(true);
        p.show(frame);
        QVERIFY(p.curves().yAxis()->range().lower > 0);
        const double x = p.pixel(start + 50, 0.5).x();
        QVERIFY(isColored(p.image(), QPointF(x, p.curves().area()->bottom() - 4), rankColor(0)));
    }

    void extentsThatComeWithAFrameChangeNothing()
    {
        PlotFrame frame = frameOf(100, 2);
        frame.main.curves[0].columns[50] = column(start + 50, notANumber);
        frame.main.curves[0].columns[70] = column(start + 70, -3);
        frame.main.curves[1].raw = frame.main.curves[1].columns;
        frame.main.curves[1].raw[20] = column(start + 20, 8);
        frame.main.curves[1].raw[30] = column(start + 30, notANumber);
        frame.main.curves[1].columns.push_back(column(start + 150, 1000));  // the neighbour beyond the edge
        frame.main.unit = QStringLiteral("bytes");
        for (const bool logarithmic : {false, true}) {
            Plot scanned;
            scanned.plot.setLogarithmic(logarithmic);
            scanned.show(frame);
            PlotFrame known = frame;
            for (PlotCurve &curve : known.main.curves)
                curve.extent = extentOf(curve.columns, curve.raw, frame.from, frame.to);
            Plot p;
            p.plot.setLogarithmic(logarithmic);
            p.show(known);
            QCOMPARE(p.curves().yAxis()->range(), scanned.curves().yAxis()->range());
            QVERIFY(p.curves().yAxis()->range().upper < 100);
            QCOMPARE(p.image(), scanned.image());
        }
    }

    void followingViewGrowsWithTheData()
    {
        Plot p;
        QVERIFY(p.plot.isFollowing());
        const QCPRange before = p.plot.xRange();
        p.show(frameOf(200));
        QCOMPARE(p.plot.xRange().lower, before.lower);
        QVERIFY(p.plot.xRange().upper >= start + 200);
    }

    void zoomedViewIsNotMovedByNewData()
    {
        Plot p;
        QSignalSpy following(&p.plot, &LivePlot::followingChanged);
        p.wheel(p.center(), 3);
        QCOMPARE(following.size(), 1);
        QVERIFY(!p.plot.isFollowing());
        p.show(frameOf(100));  // the answer to the zoom fits y once
        const QCPRange x = p.plot.xRange();
        const QCPRange y = p.curves().yAxis()->range();
        for (const int seconds : {120, 200, 400}) {
            PlotFrame frame = frameOf(seconds);
            frame.main.curves[0].columns[55].max = 1000;
            p.show(frame);
        }
        QCOMPARE(p.plot.xRange().lower, x.lower);
        QCOMPARE(p.plot.xRange().upper, x.upper);
        QCOMPARE(p.curves().yAxis()->range().lower, y.lower);
        QCOMPARE(p.curves().yAxis()->range().upper, y.upper);

        QTest::mouseDClick(&p.plot, Qt::LeftButton, {}, p.center().toPoint());
        QVERIFY(p.plot.isFollowing());
        p.show(frameOf(400));
        QVERIFY(p.plot.xRange().upper >= start + 400);
    }

    void wheelZoomsTimeAtThePointer()
    {
        Plot p;
        const QPointF at(p.center().x() + 100, p.center().y());
        const double under = p.curves().xAxis()->pixelToCoord(at.x());
        const double width = p.plot.xRange().size();
        const QCPRange y = p.curves().yAxis()->range();
        p.wheel(at, 2);
        QVERIFY(p.plot.xRange().size() < width * 0.7);
        QVERIFY(std::abs(p.curves().xAxis()->pixelToCoord(at.x()) - under) < 0.01);
        QCOMPARE(p.curves().yAxis()->range().lower, y.lower);
    }

    void wheelOverTheVerticalAxisZoomsThatAlone()
    {
        Plot p;
        const QCPRange x = p.plot.xRange();
        const double height = p.curves().yAxis()->range().size();
        p.wheel(QPointF(p.curves().area()->left() - 20, p.center().y()), 2);
        QCOMPARE(p.plot.xRange().lower, x.lower);
        QCOMPARE(p.plot.xRange().upper, x.upper);
        QVERIFY(p.curves().yAxis()->range().size() < height * 0.7);
    }

    void draggedBoxIsZoomedInto()
    {
        Plot p;
        p.drag(p.pixel(start + 20, 0.8), p.pixel(start + 40, 0.2));
        QVERIFY(std::abs(p.plot.xRange().lower - (start + 20)) < 0.5);
        QVERIFY(std::abs(p.plot.xRange().upper - (start + 40)) < 0.5);
        QVERIFY(std::abs(p.curves().yAxis()->range().upper - 0.8) < 0.02);
    }

    void clickZoomsNothing()
    {
        Plot p;
        p.drag(p.center(), p.center() + QPointF(2, 1));
        QVERIFY(p.plot.isFollowing());
    }

    void shiftDragAndMiddleDragPan_data()
    {
        QTest::addColumn<Qt::MouseButton>("button");
        QTest::addColumn<Qt::KeyboardModifiers>("keys");
        QTest::newRow("shift") << Qt::LeftButton << Qt::KeyboardModifiers(Qt::ShiftModifier);
        QTest::newRow("middle") << Qt::MiddleButton << Qt::KeyboardModifiers(Qt::NoModifier);
    }
    void shiftDragAndMiddleDragPan()
    {
        QFETCH(Qt::MouseButton, button);
        QFETCH(Qt::KeyboardModifiers, keys);
        Plot p;
        const QCPRange before = p.plot.xRange();
        p.drag(p.pixel(start + 50, 0.5), p.pixel(start + 30, 0.5), keys, button);
        QVERIFY(std::abs(p.plot.xRange().lower - (before.lower + 20)) < 0.5);
        QVERIFY(std::abs(p.plot.xRange().size() - before.size()) < 1e-6);
    }

    void devicePlotsShareTheTimeAxis()
    {
        Plot p;
        PlotFrame frame = frameOf(100);
        frame.strips.push_back(cpuStrip());
        p.show(frame);
        QCOMPARE(p.plot.panes().size(), std::size_t(2));
        p.wheel(p.plot.panes()[1]->area()->center(), 2);
        QCOMPARE(p.plot.panes()[0]->xAxis()->range().lower, p.plot.panes()[1]->xAxis()->range().lower);
        QCOMPARE(p.plot.panes()[0]->area()->left(), p.plot.panes()[1]->area()->left());
        QCOMPARE(p.plot.panes()[1]->yAxis()->range().lower, 0.0);
        p.show(frameOf(100));
        QCOMPARE(p.plot.panes().size(), std::size_t(1));
    }

    void cursorReadsTheValuesUnderIt()
    {
        Plot p;
        p.show(frameOf(100, 2));
        LegendModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTest::mouseMove(&p.plot, p.pixel(start + 50.2, 0.5).toPoint());
        QVERIFY(p.cursor.position().has_value());
        QVERIFY(std::abs(*p.cursor.position() - (start + 50)) < 1);
        model.setFrame(p.plot.frame(), start + 50.5, {});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(1).data(LegendModel::ValueRole).toString(), QStringLiteral("0.5"));
        QCOMPARE(model.index(2).data(LegendModel::ValueRole).toString(), QStringLiteral("1.5"));
        QVERIFY(!model.index(1).data(LegendModel::WorstRole).toBool());
        QVERIFY(model.index(2).data(LegendModel::WorstRole).toBool());
        model.setFrame(p.plot.frame(), std::nullopt, {});
        QCOMPARE(model.index(2).data(LegendModel::ValueRole).toString(), QStringLiteral("2"));
    }

    void keysMoveTheCursorFromValueToValue()
    {
        Plot p;
        p.show(frameOf(100, 2));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 100));  // the newest one to begin with
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 98));
        QTest::keyClick(&p.plot, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 99));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(std::abs(*p.cursor.position() - (start + 94)) <= 1);
        QVERIFY(p.plot.isFollowing());
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(p.cursor.position(), std::optional(start));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start));
        // More data does not move it from its value; the pointer takes it away, and so does Escape.
        p.show(frameOf(200, 2));
        QCOMPARE(p.cursor.position(), std::optional(start));
        QTest::mouseMove(&p.plot, p.center().toPoint());
        QVERIFY(*p.cursor.position() > start + 50);
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(p.cursor.isPut());
        QTest::keyClick(&p.plot, Qt::Key_Escape);
        QVERIFY(!p.cursor.position());
    }

    void keyedCursorTakesTheViewAlong()
    {
        Plot p;
        p.plot.setXRange(QCPRange(start + 40, start + 60));
        QTest::keyClick(&p.plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(p.cursor.position(), std::optional(start + 100));
        QVERIFY(p.plot.xRange().contains(start + 100));
        QVERIFY(std::abs(p.plot.xRange().size() - 20) < 1e-6);
    }

    void keysChooseAChartAndZoomItsAxis()
    {
        Plot p;
        PlotFrame frame = frameOf(100);
        frame.strips = {cpuStrip()};
        p.show(frame);
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[0].get());
        QSignalSpy changed(&p.plot, &LivePlot::currentChanged);
        QTest::keyClick(&p.plot, Qt::Key_Down);
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[1].get());
        QCOMPARE(changed.count(), 1);
        const QRect menuAt = p.plot.inputMethodQuery(Qt::ImCursorRectangle).toRect();
        QVERIFY(p.plot.panes()[1]->area()->rect().contains(menuAt.center()));
        QTest::keyClick(&p.plot, Qt::Key_Down);  // there is none below
        QTest::keyClick(&p.plot, Qt::Key_Up);
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[0].get());
        const QCPRange before = p.curves().yAxis()->range();
        QTest::keyClick(&p.plot, Qt::Key_Up, Qt::ControlModifier);
        QVERIFY(p.curves().yAxis()->range().size() < before.size());
        QTest::keyClick(&p.plot, Qt::Key_Down, Qt::ControlModifier);
        QVERIFY(std::abs(p.curves().yAxis()->range().size() - before.size()) < before.size() * 0.02);
        QTest::keyClick(&p.plot, Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(p.curves().yAxis()->range().center() > before.center());
        QTest::mouseClick(&p.plot, Qt::LeftButton, {}, p.plot.panes()[1]->area()->center());
        QCOMPARE(&p.plot.currentPane(), p.plot.panes()[1].get());
    }

    void whatHasTheKeysIsFramed()
    {
        Plot p;
        PlotFrame frame = frameOf(100);
        frame.strips = {cpuStrip()};
        p.show(frame);
        p.plot.activateWindow();
        p.plot.setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(p.plot.hasFocus());
        QTest::keyClick(&p.plot, Qt::Key_Down);
        const auto isFramed = [&p](int pane) {
            const QImage image = p.plot.grab().toImage();
            const QRect place = p.plot.panes()[static_cast<std::size_t>(pane)]->titleArea();
            return isColored(image, QPointF(p.plot.width() / 2.0, place.top()), focusColor(p.plot.palette()), 2);
        };
        QTRY_VERIFY(isFramed(1));
        QVERIFY(!isFramed(0));
        p.plot.clearFocus();
        QTRY_VERIFY(!isFramed(1));
    }

    void worstRankDependsOnWhatTheSeriesMeans()
    {
        QVERIFY(lessIsWorse(QStringLiteral("val_accuracy")));
        QVERIFY(lessIsWorse(QStringLiteral("samples_per_second")));
        QVERIFY(!lessIsWorse(QStringLiteral("loss")));
        QVERIFY(!lessIsWorse(QStringLiteral("step_time")));
        LegendModel model;
        PlotFrame frame = frameOf(10, 2);
        frame.main.curves[0].newest = notANumber;
        model.setFrame(frame, std::nullopt, {});
        QVERIFY(model.index(1).data(LegendModel::WorstRole).toBool());
        frame.main.curves[0].newest = frame.main.curves[1].newest;
        model.setFrame(frame, std::nullopt, {});
        QVERIFY(!model.index(1).data(LegendModel::WorstRole).toBool());
        QVERIFY(!model.index(2).data(LegendModel::WorstRole).toBool());
    }

    void legendClickHidesAndDoubleClickIsolates()
    {
        CurveLegend legend;
        legend.resize(220, 300);
        legend.show();
        const PlotFrame frame = frameOf(10, 3);
        QSet<QString> hidden;
        legend.legendModel()->setFrame(frame, std::nullopt, hidden);
        connect(&legend, &CurveLegend::hiddenChosen, &legend, [&](const QSet<QString> &chosen) {
            hidden = chosen;
            legend.legendModel()->setFrame(frame, std::nullopt, hidden);
        });
        const QPoint second = legend.visualRect(legend.legendModel()->index(2)).center();
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(hidden, QSet<QString>{QStringLiteral("curves/rank 1")});
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QVERIFY(hidden.isEmpty());

        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QTest::mouseDClick(legend.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(hidden, (QSet<QString>{QStringLiteral("curves/rank 0"), QStringLiteral("curves/rank 2")}));
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, second);
        QTest::mouseDClick(legend.viewport(), Qt::LeftButton, {}, second);
        QVERIFY(hidden.isEmpty());
    }

    void hiddenCurveIsNotDrawnAndDoesNotCountForTheRange()
    {
        Plot p;
        p.show(frameOf(100, 2));
        QVERIFY(p.curves().yAxis()->range().upper > 1.5);
        p.plot.setHidden({QStringLiteral("curves/rank 1")});
        QVERIFY(p.curves().yAxis()->range().upper < 1.5);
    }

    void unitsAreReadable()
    {
        QCOMPARE(valueText(0.0123, displayUnit(QStringLiteral("s"), 0.0123)), QStringLiteral("12.3\u202fms"));
        QCOMPARE(valueText(8.0 * 1024 * 1024 * 1024, displayUnit(QStringLiteral("B"), 8e9)),
                 QStringLiteral("8\u202fGiB"));
        QCOMPARE(valueText(87.5, displayUnit(QStringLiteral("%"), 100)), QStringLiteral("87.5%"));
        QCOMPARE(valueText(notANumber, {}), QStringLiteral("NaN"));
    }

    void timeTicksAreRound_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<QString>("one");
        QTest::newRow("seconds") << 0.0 << 35.0 << QStringLiteral("0:10");
        QTest::newRow("minutes") << 0.0 << 600.0 << QStringLiteral("4:00");
        QTest::newRow("hours") << 0.0 << 36000.0 << QStringLiteral("2:00:00");
        QTest::newRow("parts") << 3.0 << 3.2 << QStringLiteral("0:03.10");
    }
    void timeTicksAreRound()
    {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(QString, one);
        TimeTicker ticker;
        ticker.setRelativeTo(start);
        QVector<double> ticks;
        QVector<QString> labels;
        ticker.generate(QCPRange(start + from, start + to), QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
        QVERIFY2(labels.contains(one), qPrintable(labels.join(QLatin1Char(' '))));
        QVERIFY(labels.size() >= 4 && labels.size() <= 11);
    }

    void theToolBarGivesUpOneWordAfterTheOther()
    {
        QWidget window;  // would not let itself be made narrower than what stands in it
        LiveToolBar bar(&window);
        window.show();
        const auto *charts = bar.findChild<QToolButton *>(QStringLiteral("chartsButton"));
        const auto hasWords = [charts] { return charts->toolButtonStyle() == Qt::ToolButtonTextBesideIcon; };
        const auto hasTitle = [&bar] {
            const QList<QLabel *> labels = bar.findChildren<QLabel *>();
            return std::ranges::any_of(labels, [](const QLabel *one) { return one->buddy() && !one->isHidden(); });
        };
        bar.resize(3000, 40);
        QVERIFY(hasTitle() && hasWords());
        const int all = bar.sizeHint().width();
        bar.resize(all - 1, 40);
        QVERIFY(!hasTitle() && hasWords());
        bar.resize(all / 2, 40);
        QVERIFY(!hasTitle() && !hasWords());
        bar.resize(all, 40);
        QVERIFY(hasTitle() && hasWords());
    }

    void labelsGoWithTheRoomThereIs()
    {
        Plot p;
        p.show(frameOf(100));
        QTRY_COMPARE(p.plot.timeTicker().tickCount(), 7);
        p.plot.resize(3600, 500);
        p.show(frameOf(100));
        QTRY_VERIFY(p.plot.timeTicker().tickCount() >= 12);
        p.plot.resize(300, 500);
        p.show(frameOf(100));
        QTRY_VERIFY(p.plot.timeTicker().tickCount() < 7);
    }

    void trialPlotsShowWhatRanksWrite()
    {
        AttemptFixture attempt(2);
        for (int step = 0; step < 50; ++step) {
            attempt.rank(0, "loss", step, t0 + step * second, 2.0 / (step + 1));
            attempt.rank(1, "loss", step, t0 + step * second, 3.0 / (step + 1));
            attempt.rank(0, "accuracy", step, t0 + step * second, 0.5);
            attempt.host("rank0.cpu", t0 + step * second, 99);
        }
        attempt.flush();
        TrialPlots plots;
        plots.resize(1000, 600);
        plots.setEmptyText(QStringLiteral("nothing yet"));
        plots.showSource(attempt.source());
        plots.show();
        QTRY_COMPARE(plots.plot()->frame().main.curves.size(), std::size_t(2));
        QCOMPARE(plots.plot()->panes().size(), std::size_t(2));
        QVERIFY(plots.plot()->xRange().upper >= start + 49);

        // Space in the legend hides a curve, Shift+Space leaves it alone.
        plots.legend()->setFocus();
        QTRY_COMPARE(plots.legend()->currentIndex().row(), 1);
        const QString first = plots.legend()->currentIndex().data(LegendModel::KeyRole).toString();
        QTest::keyClick(plots.legend(), Qt::Key_Space);
        QCOMPARE(plots.plot()->hidden(), QSet<QString>{first});
        QTest::keyClick(plots.legend(), Qt::Key_Space);
        QVERIFY(plots.plot()->hidden().isEmpty());
        QTest::keyClick(plots.legend(), Qt::Key_Down);
        QTest::keyClick(plots.legend(), Qt::Key_Space, Qt::ShiftModifier);
        QCOMPARE(plots.plot()->hidden(), QSet<QString>{first});
        QTest::keyClick(plots.legend(), Qt::Key_Space, Qt::ShiftModifier);
        QVERIFY(plots.plot()->hidden().isEmpty());

        auto *series = plots.findChild<QComboBox *>(QStringLiteral("seriesChooser"));
        QCOMPARE(series->count(), 2);
        series->setCurrentIndex(1);
        Q_EMIT series->activated(1);
        QTRY_COMPARE(plots.plot()->frame().main.id, QStringLiteral("accuracy"));

        // Keys read the curves, and programs that read aloud are told what they find.
        plots.plot()->setFocus();
        QTest::keyClick(plots.plot(), Qt::Key_Left, Qt::ShiftModifier);
        QAccessibleInterface *aloud = QAccessible::queryAccessibleInterface(plots.plot());
        QVERIFY(aloud && aloud->role() == QAccessible::Chart);
        const QString told = aloud->text(QAccessible::Value);
        QVERIFY2(told.contains(QStringLiteral("accuracy: rank 0 ")), qPrintable(told));
        QTest::keyClick(plots.plot(), Qt::Key_Escape);
        QCOMPARE(aloud->text(QAccessible::Value), QString());
        plots.plot()->setFocus();
        plots.toolBar()->cycleRankView();
        QTRY_VERIFY(!plots.plot()->frame().main.curves.empty() && plots.plot()->frame().main.curves[0].name.isEmpty());

        // More comes in while the person looks at a part of it.
        plots.plot()->setXRange(QCPRange(start + 10, start + 20));
        QTRY_COMPARE(plots.plot()->frame().from, start + 10);
        attempt.rank(0, "accuracy", 50, t0 + 60 * second, 0.9);
        attempt.flush();
        QTRY_COMPARE(plots.legend()->legendModel()->index(2).data(LegendModel::ValueRole).toString(),
                     QStringLiteral("0.9"));
        QCOMPARE(plots.plot()->xRange().upper, start + 20);

        // The next attempt does not take the view away, and is there when the person lets go of it.
        AttemptFixture next(2);
        next.rank(0, "accuracy", 1, t0 + 100 * second, 0.1);
        next.flush();
        TrialSource retried = next.source();
        retried.attempt = attempt.source().attempt + 1;
        plots.showSource(retried);
        QCOMPARE(plots.plot()->xRange().upper, start + 20);
        plots.plot()->follow();
        plots.showSource(retried);
        QTRY_VERIFY(plots.plot()->xRange().upper > start + 99);
        plots.showSource(attempt.source());

        // By steps there are only the curves.
        plots.plot()->setXScale(XScale::Step);
        QTRY_COMPARE(plots.plot()->panes().size(), std::size_t(1));
        QTRY_VERIFY(plots.plot()->frame().to > 50 && plots.plot()->frame().to < 53);
    }
};

QTEST_MAIN(LivePlotTest)
#include "tst_liveplot.moc"
