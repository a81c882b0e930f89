#include "chartplots.h"
#include "testprogram.h"

#include "ui/plot/livetoolbar.h"
#include "ui/plot/plotcursor.h"

#include <QComboBox>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

/// The arrangement of charts: dragged, next to each other, scrolled, and restored.
class ChartArrangingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
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
        QVERIFY(p.plots.plot()->isFollowing());  // dragging the title did not zoom
        QCOMPARE(p.plots.plot()->xRange().lower, before.lower);
        // A click on a title is no drag: it enlarges the chart, and the next one restores all.
        const ChartRows charts = p.shown();
        QTest::mouseClick(p.plots.plot(), Qt::LeftButton, {}, titleOf(partsId()));
        QCOMPARE(p.plots.plot()->alone(), partsId());
        p.plots.plot()->replot();
        QTest::mouseClick(p.plots.plot(), Qt::LeftButton, {}, titleOf(partsId()));
        QVERIFY(p.plots.plot()->alone().isEmpty());
        QCOMPARE(p.shown(), charts);
        QVERIFY(!p.plots.charts()->canRedo());
    }

    void chartsCanBeNextToEachOther()
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
        // All have the same axis, and the cursor is at the same time in each.
        plot->setXRange(QCPRange(toSeconds(t0), toSeconds(t0 + 30 * second)));
        QCOMPARE(p.pane(u"rank.cpu"_s).xAxis()->range().upper, toSeconds(t0 + 30 * second));
        QTest::mouseMove(plot, rightHalf(u"rank.cpu"_s));
        const auto *cursor = plot->findChild<PlotCursor *>();
        QTRY_VERIFY(cursor->position().has_value());
        QVERIFY(std::abs(*cursor->position() - toSeconds(t0) - 22.5) < 0.2);
        plot->follow();
        // The first chart moves like any other.
        p.drag(titleOf(chosenChart()), QPoint(titleOf(chosenChart()).x(), plot->height() - 5));
        QVERIFY(p.waitFor(ChartRows{{u"rank.cpu"_s}, {u"core.utilization"_s}, {chosenChart()}}));
        p.plots.charts()->undo();
        p.plots.charts()->undo();
        QVERIFY(p.waitFor({u"rank.cpu"_s, u"core.utilization"_s}));
        QVERIFY(!p.plots.charts()->canUndo());
    }

    void timeUnderTheMouseIsShownAtItsPosition()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.charts()->move(u"rank.cpu"_s, {ChartPlace::Side::Right, chosenChart()});
        QVERIFY(p.waitFor(ChartRows{{chosenChart(), u"rank.cpu"_s}, {u"core.utilization"_s}}));
        LivePlot *plot = p.plots.plot();
        for (const QString &id : {chosenChart(), u"rank.cpu"_s, u"core.utilization"_s}) {
            const QRect area = p.pane(id).area()->rect();
            const QPoint mouse(area.left() + area.width() / 3, area.center().y());
            QTest::mouseMove(plot, mouse);
            const double time = p.pane(id).xAxis()->pixelToCoord(mouse.x());
            const QCPItemText *label = nullptr;
            for (int i = 0; i < plot->itemCount(); ++i) {
                const auto *text = qobject_cast<QCPItemText *>(plot->item(i));
                if (text && text->visible())
                    label = text;
            }
            QVERIFY(label);
            const QPointF at = label->position->pixelPosition();
            const bool isRight = std::ranges::any_of(plot->panes(), [&](const auto &pane) {
                const QRect under = pane->area()->rect();
                return at.x() >= under.left() && at.x() <= under.right() && at.y() > under.bottom()
                       && at.y() < under.bottom() + 10 && std::abs(pane->xAxis()->coordToPixel(time) - at.x()) < 3;
            });
            QVERIFY2(isRight, qPrintable(id));
        }
    }

    void chartWithoutDataOfATrialShowsANote()
    {
        Plots p;
        QVERIFY(p.isReady());
        p.plots.charts()->add(seriesId({u"grad_norm"_s}));
        p.plots.charts()->add(seriesId({u"accuracy"_s}));
        QVERIFY(
            p.waitFor({u"rank.cpu"_s, u"core.utilization"_s, seriesId({u"grad_norm"_s}), seriesId({u"accuracy"_s})}));
        const auto title = [&p](const QString &id) { return p.pane(id).title(); };
        QVERIFY2(title(seriesId({u"grad_norm"_s})).contains(u"not reported"_s),
                 qPrintable(title(seriesId({u"grad_norm"_s}))));
        QCOMPARE(title(seriesId({u"accuracy"_s})), u"accuracy"_s);
        QCOMPARE(title(chosenChart()), u"loss"_s);
    }

    void everyChartHasAMinimumSizeAndTheRestScrolls()
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

    void arrangementIsRestored()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        const ChartRows charts{
            {chosenChart(), seriesId({u"accuracy"_s})}, {u"rank.cpu"_s}, {seriesId({u"loss"_s}, {1, 2})}};
        {
            Plots p;
            p.plots.restore(&settings, u"one"_s);
            p.plots.charts()->restore(below({u"rank.cpu"_s, u"core.utilization"_s}));
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
        QVERIFY(again.waitFor(charts.first(2)));  // the pinned trial does not exist yet
        // Another sweep has separate charts, but shares the view settings.
        again.plots.restore(&settings, u"two"_s);
        QVERIFY(again.plots.charts()->isUsual());
        QCOMPARE(again.plots.toolBar()->rankView(), RankView::Spread);
        again.plots.restore(&settings, u"one"_s);
        QCOMPARE(again.plots.charts()->rows(), charts);
    }

    void hiddenCurvesAreStoredWithTheirSweep()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
        const QSet<QString> hidden{u"curves/rank 1"_s, u"rank.cpu/rank 0"_s};
        {
            Plots p;
            p.plots.restore(&settings, u"one"_s);
            p.plots.plot()->setHidden(hidden);
            p.plots.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&p.plots));
            QTest::keyClick(p.plots.plot(), Qt::Key_O);
            QVERIFY(p.plots.plot()->ignoresOutliers());
        }
        Plots again;
        again.plots.restore(&settings, u"one"_s);
        QCOMPARE(again.plots.plot()->hidden(), hidden);
        QVERIFY(again.plots.plot()->ignoresOutliers());
        again.plots.restore(&settings, u"two"_s);
        QVERIFY(again.plots.plot()->hidden().isEmpty());
        QVERIFY(!again.plots.plot()->ignoresOutliers());
        again.plots.restore(&settings, u"one"_s);
        QCOMPARE(again.plots.plot()->hidden(), hidden);
        QVERIFY(again.plots.plot()->ignoresOutliers());
    }

    void hiddenCurvesAreResetForAnotherSweepWithoutStorage()
    {
        Plots p;
        p.plots.plot()->setHidden({u"curves/rank 1"_s});
        p.plots.plot()->setIgnoringOutliers(true);
        TrialSource source = p.attempt.source();
        source.trial += 1;
        p.plots.showSource(source);
        QVERIFY(!p.plots.plot()->hidden().isEmpty() && p.plots.plot()->ignoresOutliers());
        p.plots.clear();
        source.sweepId += 1;
        p.plots.showSource(source);
        QVERIFY(p.plots.plot()->hidden().isEmpty() && !p.plots.plot()->ignoresOutliers());
    }
};

SWEEPSCOPE_TEST(ChartArrangingTest)
#include "tst_chartarranging.moc"
