#include "attemptfixture.h"

#include "ui/live/curvepicture.h"
#include "ui/live/curveraster.h"
#include "ui/live/liveplot.h"
#include "ui/live/trialplots.h"
#include "ui/theme/trialcolors.h"

#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

constexpr double start = 1'700'000'000;
constexpr int ranks = 64;
constexpr int seconds = 700;

/// 64 ranks that go up and down in every column.
PlotFrame noisyFrame(double from = start, double to = start + seconds)
{
    PlotFrame frame;
    frame.from = from;
    frame.to = to;
    frame.start = start;
    frame.main.id = QStringLiteral("loss");
    for (int rank = 0; rank < ranks; ++rank) {
        PlotCurve curve;
        curve.name = QStringLiteral("rank %1").arg(rank);
        curve.color = rank;
        for (int i = 0; i < seconds; ++i) {
            const double value = std::sin(0.02 * i + 0.3 * rank) + 0.02 * rank;
            const double noise = 0.05 * ((i * 7 + rank * 13) % 5);
            curve.columns.push_back({start + i, value, value - noise, value + noise, value, 3, false, false, value});
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
        show(noisyFrame(), false);  // labels that came with the first one have left the curves another place
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
    void curvesOutsideOfTheViewLeaveNoMark()
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

    void aPictureThatIsKeptIsNotDrawnOver()
    {
        CurveRaster raster;
        raster.begin(QSize(10, 10));
        raster.addLine({{5, 5, 5, 5, 5}}, qRgb(255, 0, 0));
        const QImage kept = raster.finish();
        raster.begin(QSize(10, 10));
        QCOMPARE(raster.finish().pixel(5, 5), 0U);
        QCOMPARE(kept.pixel(5, 5), qRgb(255, 0, 0));
    }

    void aFrameDrawnAheadLooksAsIfTheWindowHadDrawnIt_data()
    {
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("linear") << false;
        QTest::newRow("logarithmic") << true;
    }
    void aFrameDrawnAheadLooksAsIfTheWindowHadDrawnIt()
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

    void anotherLookIsDrawnByTheWindow()
    {
        DrivenPlot driven;
        driven.show(noisyFrame(), true);
        QVERIFY(driven.wasDrawnAhead());
        driven.plot().setHidden({QStringLiteral("curves/rank 63")});  // on top of all others
        driven.plot().replot();
        QVERIFY(!driven.wasDrawnAhead());
        driven.plot().setHidden({});
        driven.plot().replot();
        QVERIFY(driven.wasDrawnAhead());
        driven.plot().setXRange({start, start + seconds / 2.0});
        driven.plot().replot();
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
        // Where a curve was, it is 8 pixels to the left.
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

    void aViewThatStaysKeepsItsYAxis()
    {
        DrivenPlot driven;
        driven.plot().setXRange({start, start + seconds});
        driven.show(noisyFrame(), true);
        QVERIFY(driven.wasDrawnAhead());
        const QCPRange fitted = driven.plot().panes()[0]->yAxis()->range();
        PlotFrame higher = noisyFrame();
        for (PlotCurve &curve : higher.main.curves)
            curve.columns.back().max = 50;
        driven.show(higher, true);
        QVERIFY(driven.wasDrawnAhead());
        QCOMPARE(driven.plot().panes()[0]->yAxis()->range(), fitted);
        // The next view is fitted to what is there by then.
        driven.plot().setXRange({start + 1, start + seconds + 1});
        driven.show(noisyFrame(start + 1, start + seconds + 1), true);
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
        // From frame to frame, also when the axis has come to be another one.
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

QTEST_MAIN(TestCurvePicture)
#include "tst_curvepicture.moc"
