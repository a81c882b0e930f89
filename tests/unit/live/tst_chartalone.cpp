#include "testprogram.h"

// One chart, maximized over the space of all charts.
#include "unit/live/attemptfixture.h"

#include "ui/plot/liveplot.h"
#include "ui/plot/trialplots.h"

#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

class ChartAloneTest : public QObject {
    Q_OBJECT

    static void report(AttemptFixture &attempt)
    {
        for (int step = 0; step < 60; ++step) {
            const WallNs time = AttemptFixture::start + step * AttemptFixture::second;
            attempt.rank(0, "loss", step, time, 1.0 / (1 + step));
            attempt.host("rank0.cpu", time, 90);
            attempt.device("cpu:0.utilization", time, 70);
        }
        attempt.flush();
    }

    static QStringList shown(const LivePlot &plot)
    {
        QStringList ids;
        for (const auto &pane : plot.panes())
            ids << plot.chartOf(*pane);
        return ids;
    }

private Q_SLOTS:
    void keyMaximizesTheCurrentChartAndRestoresIt()
    {
        AttemptFixture attempt(1);
        report(attempt);
        TrialPlots plots;
        plots.resize(1000, 700);
        plots.showSource(attempt.source());
        plots.show();
        LivePlot *plot = plots.plot();
        QTRY_COMPARE_WITH_TIMEOUT(shown(*plot).size(), 3, 10'000);
        const QStringList all = shown(*plot);
        auto *back = plots.findChild<QToolButton *>(u"allCharts"_s);
        QVERIFY(!back->isVisible());

        plots.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&plots));
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Down);
        const int before = plot->currentPlace().height();
        QTest::keyClick(plot, Qt::Key_M);
        QCOMPARE(shown(*plot), QStringList{all[1]});
        QVERIFY(back->isVisible());
        plot->replot();
        QVERIFY(plot->currentPlace().height() > 2 * before);
        // New data does not change that.
        const PlotFrame frame = plot->frame();
        plot->setFrame(frame);
        QCOMPARE(shown(*plot), QStringList{all[1]});
        // Its curve is within the chart.
        const PlotPane &pane = *plot->panes()[0];
        for (const PlotCurve &curve : pane.panel().curves) {
            QVERIFY(!curve.columns.empty());
            for (const series::Column &column : curve.columns)
                QVERIFY(pane.yAxis()->range().contains(column.min) && pane.yAxis()->range().contains(column.max));
        }
        QTest::keyClick(plot, Qt::Key_M);
        QCOMPARE(shown(*plot), all);
        QVERIFY(!back->isVisible());

        QTest::keyClick(plot, Qt::Key_M);
        QCOMPARE(shown(*plot), QStringList{all[1]});
        QTest::keyClick(plot, Qt::Key_Escape);
        QCOMPARE(shown(*plot), all);
        QTest::keyClick(plot, Qt::Key_M);
        QTest::mouseClick(back, Qt::LeftButton);
        QCOMPARE(shown(*plot), all);
    }

    void trialWithoutTheMaximizedChartShowsAllCharts()
    {
        AttemptFixture attempt(1);
        report(attempt);
        TrialPlots plots;
        plots.showSource(attempt.source());
        plots.show();
        LivePlot *plot = plots.plot();
        QTRY_COMPARE_WITH_TIMEOUT(shown(*plot).size(), 3, 10'000);
        plot->setAlone(u"gpu.power"_s);
        QCOMPARE(shown(*plot).size(), 3);
        QVERIFY(plot->alone().isEmpty());
    }
};

SWEEPSCOPE_TEST(ChartAloneTest)
#include "tst_chartalone.moc"
