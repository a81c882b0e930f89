#include "testprogram.h"

#include "unit/live/attemptfixture.h"

#include "ui/plot/curvepicture.h"
#include "ui/plot/curveraster.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/trialplots.h"
#include "ui/theme/trialcolors.h"

#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

constexpr double noisyStart = 1'700'000'000;
constexpr int ranks = 64;
constexpr int seconds = 700;

/// 64 ranks that oscillate in every column.
PlotFrame noisyFrame(double from = noisyStart, double to = noisyStart + seconds)
{
    PlotFrame frame;
    frame.from = from;
    frame.to = to;
    frame.start = noisyStart;
    frame.main.id = QStringLiteral("loss");
    for (int rank = 0; rank < ranks; ++rank) {
        PlotCurve curve;
        curve.name = QStringLiteral("rank %1").arg(rank);
        curve.color = rank;
        for (int i = 0; i < seconds; ++i) {
            const double value = std::sin(0.02 * i + 0.3 * rank) + 0.02 * rank;
            const double noise = 0.05 * ((i * 7 + rank * 13) % 5);
            curve.columns.push_back(
                {noisyStart + i, value, value - noise, value + noise, value, 3, false, false, value});
        }
        frame.main.curves.push_back(std::move(curve));
    }
    return frame;
}

class DrivenPlot {
public:
    DrivenPlot()
    {
        m_plot.resize(900, 500);
        m_plot.show();
        show(noisyFrame(), false);
        show(noisyFrame(), false);  // the labels of the first frame have moved the curves
    }

    LivePlot &plot() { return m_plot; }
    bool wasDrawnAhead() const { return m_plot.panes()[0]->wasDrawnAhead(); }

    void show(PlotFrame frame, bool ahead)
    {
        PlotRequest request;
        m_plot.fillRequest(request);
        frame.view = request.view;
        if (ahead)
            m_maker.draw(frame, request);
        m_plot.setFrame(frame);
        m_plot.replot();
    }
    QImage image() { return m_plot.grab().toImage(); }

private:
    LivePlot m_plot;
    PictureMaker m_maker;
};

}  // namespace

class TestCurvePicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void faintCurveIsBlendedWithTheBackground()
    {
        PlotPanel panel;
        for (const bool isFaint : {true, false}) {
            PlotCurve &curve = panel.curves.emplace_back();
            curve.name = QStringLiteral("trial");
            curve.tint = qRgb(255, 0, 0);
            curve.isFaint = isFaint;
            const double value = isFaint ? 25 : 75;
            for (const double x : {0.0, 100.0})
                curve.columns.push_back({x, value, value, value, value, 1, false, false, value});
        }
        CurvePicture::View view{{QSize(100, 100), 1, false, qRgb(0, 0, 0)}, {0, 100}, {0, 100}, {}};
        view.curves = pictureCurves(PanelKind::Curves, panel, {}, 0);
        CurveRaster raster;
        const QImage image = drawPicture(raster, panel, view);
        int strong = 0;
        int weak = 0;
        for (int y = 0; y < image.height(); ++y) {
            const int red = qRed(image.pixel(50, y));
            strong += red == 255 ? 1 : 0;
            weak += red > 0 && red < 100 ? 1 : 0;
        }
        QVERIFY(strong > 0 && weak > 0);
    }

    void curvesOutsideOfTheViewDrawNothing()
    {
        CurveRaster raster;
        raster.begin(QSize(100, 50));
        raster.addLine({{-1e9, -5, -5, -5, -5}, {1e9, -5, -9, -5, -5}}, qRgb(255, 0, 0));
        raster.addLine({{10, 80, 60, 80, 70}, {90, 70, 60, 80, 70}}, qRgb(255, 0, 0));
        raster.addLine({{150, 20, 20, 20, 20}}, qRgb(255, 0, 0));
        QImage empty(100, 50, QImage::Format_ARGB32_Premultiplied);
        empty.fill(0);
        QCOMPARE(raster.finish(), empty);

        raster.begin(QSize(100, 50));
        raster.addLine({{-50, 10, 10, 10, 10}, {150, 30, 30, 30, 30}}, qRgb(255, 0, 0));
        raster.addLine({{50, 0, -100, 1e9, 40}}, qRgb(0, 255, 0));
        const QImage &image = raster.finish();
        QCOMPARE(image.pixel(0, 15), qRgb(255, 0, 0));
        QCOMPARE(image.pixel(99, 24), qRgb(255, 0, 0));
        QCOMPARE(image.pixel(50, 20), qRgb(255, 0, 0));  // the first one is on top
        QCOMPARE(image.pixel(50, 0), qRgb(0, 255, 0));
        QCOMPARE(image.pixel(50, 49), qRgb(0, 255, 0));
        QCOMPARE(image.pixel(30, 45), 0U);
    }

    void storedPictureIsNotDrawnOver()
    {
        CurveRaster raster;
        raster.begin(QSize(10, 10));
        raster.addLine({{5, 5, 5, 5, 5}}, qRgb(255, 0, 0));
        const QImage kept = raster.finish();
        raster.begin(QSize(10, 10));
        QCOMPARE(raster.finish().pixel(5, 5), 0U);
        QCOMPARE(kept.pixel(5, 5), qRgb(255, 0, 0));
    }

    void frameDrawnAheadLooksLikeTheWindows_data()
    {
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("linear") << false;
        QTest::newRow("logarithmic") << true;
    }
    void frameDrawnAheadLooksLikeTheWindows()
    {
        QFETCH(bool, logarithmic);
        DrivenPlot driven;
        driven.plot().setLogarithmic(logarithmic);
        driven.plot().setHidden({QStringLiteral("curves/rank 3")});
        driven.show(noisyFrame(), false);
        driven.show(noisyFrame(), false);
        QVERIFY(!driven.wasDrawnAhead());
        const QImage own = driven.image();
        driven.show(noisyFrame(), true);
        QVERIFY(driven.wasDrawnAhead());
        QCOMPARE(driven.image(), own);
    }

    void changedAppearanceIsDrawnByTheWindow()
    {
        DrivenPlot driven;
        driven.show(noisyFrame(), true);
        QVERIFY(driven.wasDrawnAhead());
        driven.plot().setHidden({QStringLiteral("curves/rank 63")});  // the topmost one
        driven.plot().replot();
        QVERIFY(!driven.wasDrawnAhead());
        driven.plot().setHidden({});
        driven.plot().replot();
        QVERIFY(driven.wasDrawnAhead());
        driven.show(noisyFrame(noisyStart, noisyStart + seconds / 2.0), false);
        QVERIFY(!driven.wasDrawnAhead());
    }

    void aZoomStretchesThePictureUntilTheNextFrame_data()
    {
        QTest::addColumn<bool>("logarithmic");
        QTest::addColumn<double>("share");
        QTest::newRow("in") << false << 0.5;
        QTest::newRow("far in") << false << 1e-4;
        QTest::newRow("out") << false << 2.0;
        QTest::newRow("logarithmic") << true << 0.5;
    }
    void aZoomStretchesThePictureUntilTheNextFrame()
    {
        QFETCH(bool, logarithmic);
        QFETCH(double, share);
        DrivenPlot driven;
        driven.plot().setLogarithmic(logarithmic);
        PlotFrame frame = noisyFrame();
        // One line at a constant value, which can be located again.
        const double from = noisyStart + seconds * 0.5;
        PlotCurve &last = frame.main.curves.back();
        for (series::Column &column : last.columns)
            column.first = column.min = column.max = column.last = column.x < from ? 4 : 5;
        driven.show(frame, true);
        QVERIFY(driven.wasDrawnAhead());
        driven.plot().setXRange({from - seconds * share / 2, from + seconds * share / 2});
        driven.plot().replot();
        QVERIFY(driven.plot().panes()[0]->wasStretched());
        const PlotPane &pane = *driven.plot().panes()[0];
        const QImage image = driven.image();
        const auto at = [&](double x, double y) {
            return image.pixelColor(static_cast<int>(pane.xAxis()->coordToPixel(x)),
                                    static_cast<int>(pane.yAxis()->coordToPixel(y)));
        };
        const auto isLine = [&](double x, double y) {
            // Lines are at least a pixel wide, and stretching moves them by less than a pixel of the picture.
            const double pixel = (pane.yAxis()->range().size()) / pane.area()->height();
            for (int i = -3; i <= 3; ++i) {
                if (at(x, y + i * pixel) == rankColor(ranks - 1))
                    return true;
            }
            return false;
        };
        const double quarter = seconds * std::min(share, 1.0) / 4;
        QVERIFY(isLine(from + quarter, 5));
        if (share > 1e-3) {  // otherwise the picture's pixel in which the line rises is wider than the view
            QVERIFY(!isLine(from + quarter, 4));
            QVERIFY(isLine(from - quarter, 4));
            QVERIFY(!isLine(from - quarter, 5));
        }
        if (share > 1) {  // uncovered areas are empty
            QVERIFY(!isLine(from + seconds * 0.75, 5));
        }
        driven.show(noisyFrame(from - seconds * share / 2, from + seconds * share / 2), true);
        QVERIFY(driven.wasDrawnAhead());
        QVERIFY(!driven.plot().panes()[0]->wasStretched());
    }

    void viewWithAMatchingFrameIsNeverStretched()
    {
        DrivenPlot driven;
        driven.show(noisyFrame(), true);
        PlotFrame other = noisyFrame(noisyStart, noisyStart + seconds / 2.0);
        other.main.picture = driven.plot().frame().main.picture;  // drawn for other axes
        driven.show(other, false);
        QVERIFY(!driven.plot().panes()[0]->wasStretched());
        QVERIFY(!driven.wasDrawnAhead());
    }

    void aDragByWholePixelsMovesThePicture()
    {
        DrivenPlot driven;
        driven.show(noisyFrame(), true);
        const QImage before = driven.image();
        const QRect area = driven.plot().panes()[0]->area()->rect();
        const double pixel = driven.plot().xRange().size() / area.width();
        driven.plot().setXRange(driven.plot().xRange() + 8 * pixel);
        driven.plot().replot();
        QVERIFY(driven.wasDrawnAhead());
        // Each curve is 8 pixels to the left of its former position.
        const QImage after = driven.image();
        const QColor shown = rankColor(0);
        int found = 0;
        for (int y = area.top() + 1; y < area.bottom(); ++y) {
            for (int x = area.left() + 20; x < area.right() - 20; ++x) {
                if (before.pixelColor(x, y) != shown)
                    continue;
                ++found;
                QCOMPARE(after.pixelColor(x - 8, y), shown);
            }
        }
        QVERIFY(found > 20);
    }

    void unchangedViewKeepsItsYAxis()
    {
        DrivenPlot driven;
        driven.plot().setXRange({noisyStart, noisyStart + seconds});
        driven.show(noisyFrame(), true);
        QVERIFY(driven.wasDrawnAhead());
        const QCPRange fitted = driven.plot().panes()[0]->yAxis()->range();
        PlotFrame higher = noisyFrame();
        for (PlotCurve &curve : higher.main.curves)
            curve.columns.back().max = 50;
        driven.show(higher, true);
        QVERIFY(driven.wasDrawnAhead());
        QCOMPARE(driven.plot().panes()[0]->yAxis()->range(), fitted);
        // The next view fits the data present by then.
        driven.plot().setXRange({noisyStart + 1, noisyStart + seconds + 1});
        driven.show(noisyFrame(noisyStart + 1, noisyStart + seconds + 1), true);
        QVERIFY(driven.wasDrawnAhead());
    }

    void thePlotsOfARunningTrialAreDrawnAhead()
    {
        constexpr int few = 8;
        constexpr int steps = 2000;
        AttemptFixture attempt(few);
        const auto report = [&attempt](int from, int to) {
            for (int step = from; step < to; ++step) {
                const WallNs time = AttemptFixture::start + step * (AttemptFixture::second / 10);
                for (int rank = 0; rank < few; ++rank)
                    attempt.rank(rank, "loss", step, time, 1 + rank + 0.1 * (step % 7));
            }
            attempt.flush();
        };
        report(0, steps);
        TrialPlots plots;
        plots.resize(1400, 600);
        plots.showSource(attempt.source());
        plots.show();
        QTRY_VERIFY(!plots.plot()->frame().main.curves.empty());
        // Holds for every frame, even after the axis has changed.
        for (int step = steps; step < 8 * steps; step += steps) {
            report(step, step + steps);
            const double newest = toSeconds(AttemptFixture::start) + (step + steps - 1) / 10.0;
            QTRY_VERIFY(plots.plot()->frame().to >= newest);
            QTRY_VERIFY(plots.plot()->panes()[0]->wasDrawnAhead());
        }
    }

    void fewCurvesAreNotDrawnAhead()
    {
        PlotFrame frame = noisyFrame();
        frame.main.curves.resize(2);
        DrivenPlot driven;
        driven.show(frame, true);
        QVERIFY(!driven.plot().frame().main.picture);
    }
};

SWEEPSCOPE_TEST(TestCurvePicture)
#include "tst_curvepicture.moc"
