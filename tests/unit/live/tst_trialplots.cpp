#include "testprogram.h"

#include "unit/live/attemptfixture.h"

#include "ui/plot/chart.h"
#include "ui/plot/chartlayout.h"
#include "ui/plot/curvelegend.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/livetoolbar.h"
#include "ui/plot/trialplots.h"
#include "ui/theme/wraplayout.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

const double start = toSeconds(t0);

}  // namespace

/// The plot with its toolbar and its legend, over the files of a running attempt.
class TrialPlotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void narrowToolBarHidesLabelsOneAfterAnother()
    {
        QWidget window;  // the bar alone, as a window, could not become narrower than its content
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
        const int all = static_cast<const WrapLayout *>(bar.layout())->widthOfOneRow();
        bar.resize(all - 1, 40);
        QVERIFY(!hasTitle() && hasWords());
        bar.resize(all, 40);
        QVERIFY(hasTitle() && hasWords());
        // If no text fits, everything wraps, and nothing is cut.
        bar.resize(all / 2, bar.heightForWidth(all / 2));
        QVERIFY(hasTitle() && hasWords());
        const auto *follow = bar.findChild<QToolButton *>(QStringLiteral("follow"));
        const auto *series = bar.findChild<QComboBox *>(QStringLiteral("seriesChooser"));
        QVERIFY(follow->mapTo(&bar, QPoint()).y() >= series->geometry().bottom());
        QVERIFY(bar.rect().contains(QRect(follow->mapTo(&bar, QPoint()), follow->size())));
        for (const QComboBox *box : bar.findChildren<QComboBox *>())
            QVERIFY(box->width() >= box->sizeHint().width());
    }

    void pointedTrialTellsWhetherItsCurveRises()
    {
        AttemptFixture rising(1);
        AttemptFixture falling(1);
        for (int step = 0; step < 50; ++step) {
            rising.rank(0, "loss", step, t0 + step * second, step);
            falling.rank(0, "loss", step, t0 + step * second, 110 - step);
        }
        rising.flush();
        falling.flush();
        std::vector<TrialSource> sources{rising.source(), falling.source()};
        sources[0].trial = 1;
        sources[1].trial = 2;
        TrialPlots plots;
        plots.setForTrials();
        plots.resize(1000, 600);
        plots.showSources(sources);
        plots.show();
        QTRY_COMPARE(plots.plot()->frame().main.curves.size(), std::size_t(2));
        plots.plot()->replot();
        QSignalSpy pointed(&plots, &TrialPlots::trialPointedAt);
        for (std::size_t curve = 0; curve < 2; ++curve) {
            const series::Column &column = plots.plot()->frame().main.curves[curve].columns[20];
            const PlotPane &pane = *plots.plot()->panes()[0];
            QTest::mouseMove(
                plots.plot(),
                QPointF(pane.xAxis()->coordToPixel(column.x), pane.yAxis()->coordToPixel(column.last)).toPoint());
            const int trial = static_cast<int>(curve) + 1;
            QTRY_VERIFY(!pointed.isEmpty() && pointed.back()[0].value<TrialChoice>().trial == trial);
            QCOMPARE(pointed.back()[3].toBool(), trial == 1);
        }
    }

    void hiddenCurvesCanBeShownAgain()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 5; ++step)
            attempt.rank(0, "loss", step, t0 + step * second, step);
        attempt.flush();
        TrialSource source = attempt.source();
        source.trial = 1;
        TrialPlots plots;
        plots.setForTrials();
        plots.resize(800, 500);
        plots.showSource(source);
        plots.show();
        QTRY_COMPARE(plots.plot()->frame().main.curves.size(), std::size_t(1));
        auto *all = plots.findChild<QToolButton *>(QStringLiteral("showHiddenCurves"));
        QVERIFY(!all->isVisible());
        plots.plot()->setHidden({QStringLiteral("curves/trial 1"), QStringLiteral("curves/trial 2")});
        QVERIFY(all->isVisible());
        all->click();
        QVERIFY(!all->isVisible());
        QCOMPARE(plots.plot()->hidden(), QSet<QString>{QStringLiteral("curves/trial 2")});
    }

    void trialPlotsShowReportsOfTheRanks()
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
        QCOMPARE(plots.plot()->panes().size(), std::size_t(3));
        QVERIFY(plots.plot()->xRange().upper >= start + 49);

        // Space in the legend hides a curve; Shift+Space hides all others.
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

        // The cursor keys read out the values, also to screen readers.
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

        // New data arrives while the user looks at a part.
        plots.plot()->setXRange(QCPRange(start + 10, start + 20));
        QTRY_COMPARE(plots.plot()->frame().from, start + 10);
        attempt.rank(0, "accuracy", 50, t0 + 60 * second, 0.9);
        attempt.flush();
        QTRY_COMPARE(plots.legend()->legendModel()->index(1).data(LegendModel::ValueRole).toString(),
                     QStringLiteral("0.9"));
        QCOMPARE(plots.plot()->xRange().upper, start + 20);

        // The next attempt does not change the view, but is shown once the user follows again.
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

        // A continued attempt is added without changing the view.
        plots.plot()->setXRange(QCPRange(start + 10, start + 70));
        QTRY_COMPARE(plots.plot()->frame().to, start + 70);
        attempt.beginNextAttempt();
        attempt.rank(0, "accuracy", 51, t0 + 65 * second, 0.8);
        attempt.flush();
        plots.showSource(attempt.source());
        QTRY_COMPARE(plots.plot()->frame().main.attemptEnds.size(), std::size_t(1));
        QCOMPARE(plots.plot()->xRange().upper, start + 70);
        QVERIFY(plots.plot()->frame().main.curves.front().columns.size() > 2);
        plots.plot()->follow();

        // By step there are only the curves.
        plots.plot()->setXScale(XScale::Step);
        QTRY_COMPARE(plots.plot()->panes().size(), std::size_t(2));
        QTRY_VERIFY(plots.plot()->frame().to > 50 && plots.plot()->frame().to < 53);
    }

    /// Otherwise one metric would be shown twice, and the other one not at all.
    void chosenMetricChangesPlacesWithTheOneBefore()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 5; ++step) {
            attempt.rank(0, "loss", step, t0 + step * second, 1);
            attempt.rank(0, "accuracy", step, t0 + step * second, 2);
        }
        attempt.flush();
        const auto idOf = [](const QString &series) {
            Chart chart;
            chart.kind = Chart::Kind::Series;
            chart.series = QStringList(series);
            return chart.id();
        };
        TrialPlots plots;
        plots.charts()->restore({{chosenChart()}, {idOf(QStringLiteral("accuracy"))}});
        plots.showSource(attempt.source());
        plots.show();
        QTRY_COMPARE(plots.plot()->frame().main.id, QStringLiteral("loss"));
        auto *series = plots.toolBar()->findChild<QComboBox *>(QStringLiteral("seriesChooser"));
        const auto choose = [series](const QString &name) {
            series->setCurrentIndex(series->findText(name));
            Q_EMIT series->activated(series->currentIndex());
        };
        choose(QStringLiteral("accuracy"));
        QCOMPARE(plots.charts()->rows(), (ChartRows{{chosenChart()}, {idOf(QStringLiteral("loss"))}}));
        QTRY_COMPARE(plots.plot()->frame().main.id, QStringLiteral("accuracy"));
        choose(QStringLiteral("loss"));
        QCOMPARE(plots.charts()->rows(), (ChartRows{{chosenChart()}, {idOf(QStringLiteral("accuracy"))}}));
    }
};

SWEEPSCOPE_TEST(TrialPlotsTest)
#include "tst_trialplots.moc"
