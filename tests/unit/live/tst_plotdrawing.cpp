#include "plotfixture.h"
#include "testprogram.h"

#include "ui/plot/columns.h"
#include "ui/theme/trialcolors.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

/// The pixels that a curve's values reach.
class PlotDrawingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSpikeOfOneSampleReachesItsPixelRow()
    {
        // Through all stages: samples, pyramid, columns, pixels. The spike is neither the first nor the last value of
        // its column.
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

        // The same with enough ranks that they are drawn together; the last one is topmost.
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
        // Steps 0 to 100 have the value 0, then steps from 50 on have the value 1: no line may lead back across the
        // plot.
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

    void endOfAnAttemptIsMarkedAtItsTime()
    {
        PlotFrame frame = frameOf(100);
        Plot plain;
        plain.show(frame);
        frame.main.attemptEnds = {{start + 30, 1, std::nullopt}, {start + 60, 2, 5}, {start + 500, 3, std::nullopt}};
        Plot marked;
        marked.show(frame);
        const QImage before = plain.image();
        const QImage after = marked.image();
        QCOMPARE(marked.curves().xAxis()->range(), plain.curves().xAxis()->range());
        const auto changed = [&](double x) {
            int rows = 0;
            const int column = qRound(marked.pixel(x, 0).x());
            const QRect area = marked.curves().area()->rect();
            for (int y = area.top(); y <= area.bottom(); ++y)
                rows += before.pixel(column, y) != after.pixel(column, y) ? 1 : 0;
            return rows;
        };
        QVERIFY(changed(start + 30) > 100);
        QVERIFY(changed(start + 60) > 100);
        QCOMPARE(changed(start + 45), 0);
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

    void valuesBeyondAxesLeaveThePlotAndAreMarkedAtItsEdge()
    {
        PlotFrame frame = frameOf(100);
        frame.main.curves[0].columns[30] = column(start + 30, 1e300);
        frame.main.curves[0].columns[70] = column(start + 70, -1e300);
        Plot p;
        p.show(frame);
        QVERIFY(p.curves().yAxis()->range().upper < 10);
        const QImage image = p.image();
        const QRect area = p.curves().area()->rect();
        const QPointF above(p.pixel(start + 30, 0).x(), area.top());
        const QPointF below(p.pixel(start + 70, 0).x(), area.bottom());
        // The marks point to the edge, unlike those of NaN.
        QVERIFY(isColored(image, above + QPointF(3, 7), rankColor(0)));
        QVERIFY(!isColored(image, above + QPointF(3, 2), rankColor(0)));
        QVERIFY(isColored(image, below + QPointF(3, -7), rankColor(0)));
        QVERIFY(!isColored(image, below + QPointF(3, -2), rankColor(0)));
        QVERIFY(isColored(image, p.pixel(start + 29, 0.8), rankColor(0), 3));
        QVERIFY(isColored(image, p.pixel(start + 69, 0.1), rankColor(0), 3));
    }

    void nonPositiveValuesAreMarkedBelowALogarithmicAxis()
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

    void precomputedExtentsChangeNothing()
    {
        PlotFrame frame = frameOf(100, 2);
        frame.main.curves[0].columns[50] = column(start + 50, notANumber);
        frame.main.curves[0].columns[70] = column(start + 70, -3);
        frame.main.curves[1].raw = frame.main.curves[1].columns;
        frame.main.curves[1].raw[20] = column(start + 20, 8);
        frame.main.curves[1].raw[30] = column(start + 30, notANumber);
        frame.main.curves[1].columns.push_back(column(start + 150, 1000));  // its neighbour beyond the edge
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

    void hiddenCurveIsNotDrawnAndDoesNotCountForTheRange()
    {
        Plot p;
        p.show(frameOf(100, 2));
        QVERIFY(p.curves().yAxis()->range().upper > 1.5);
        p.plot.setHidden({QStringLiteral("curves/rank 1")});
        QVERIFY(p.curves().yAxis()->range().upper < 1.5);
    }
};

SWEEPSCOPE_TEST(PlotDrawingTest)
#include "tst_plotdrawing.moc"
