// Emphasizing one curve, and axes that outliers do not stretch.
#include "pictures.h"
#include "plotfixture.h"
#include "testprogram.h"

#include "ui/plot/curveemphasis.h"
#include "ui/plot/curvelegend.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/panelview.h"
#include "ui/plot/plotpicture.h"
#include "ui/theme/trialcolors.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;
using tests::column;
using tests::pictureOf;
using tests::start;

namespace {

/// Horizontal lines, one unit apart, with `points` points each.
PlotFrame levels(int ranks, int points)
{
    PlotFrame frame;
    frame.from = start;
    frame.to = start + 100;
    frame.start = start;
    frame.main.id = u"loss"_s;
    frame.seriesNames = QStringList{u"loss"_s};
    for (int rank = 0; rank < ranks; ++rank) {
        PlotCurve curve;
        curve.name = u"rank %1"_s.arg(rank);
        curve.color = rank;
        for (int i = 0; i <= points; ++i)
            curve.columns.push_back(column(start + 100.0 * i / points, rank));
        frame.main.curves.push_back(curve);
    }
    return frame;
}

int difference(const QColor &a, const QColor &b)
{
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

struct Scene {
    QWidget window;
    LivePlot plot{&window};
    CurveLegend legend{&window};
    CurveEmphasis emphasis{&plot, &legend};

    explicit Scene(const PlotFrame &frame)
    {
        window.resize(1000, 500);
        plot.setGeometry(0, 0, 800, 500);
        legend.setGeometry(800, 0, 200, 500);
        plot.setFrame(frame);
        legend.legendModel()->setFrame(frame, std::nullopt, {});
        window.show();
        plot.replot();
    }
    PlotPane &pane() { return *plot.panes()[0]; }
    QPoint pixel(double value)
    {
        return QPointF(pane().xAxis()->coordToPixel(start + 50), pane().yAxis()->coordToPixel(value)).toPoint();
    }
    /// Returns the contrast between the curve and the background, at its strongest nearby pixel.
    int strength(double value)
    {
        plot.replot();
        const QImage image = plot.toPixmap(800, 500).toImage();
        const QColor background = image.pixelColor(pixel(value) + QPoint(0, 12));
        int most = 0;
        for (int dy = -2; dy <= 2; ++dy)
            most = std::max(most, difference(image.pixelColor(pixel(value) + QPoint(0, dy)), background));
        return most;
    }
    QStringList emphasizedRows() const
    {
        QStringList names;
        for (int row = 0; row < legend.legendModel()->rowCount(); ++row) {
            const QModelIndex index = legend.legendModel()->index(row);
            if (index.data(LegendModel::EmphasizedRole).toBool())
                names << index.data().toString();
        }
        return names;
    }
};

}  // namespace

class CurveEmphasisTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curveUnderTheMouseIsEmphasized()
    {
        Scene scene(levels(3, 100));
        const int before[] = {scene.strength(0), scene.strength(1), scene.strength(2)};
        QTest::mouseMove(&scene.plot, scene.pixel(1) + QPoint(0, 3));
        QCOMPARE(scene.plot.emphasized(), u"curves/rank 1"_s);
        QCOMPARE(scene.emphasizedRows(), QStringList{u"rank 1"_s});
        QVERIFY(scene.strength(1) >= before[1]);
        QVERIFY(scene.strength(0) < before[0] / 2);
        QVERIFY(scene.strength(2) < before[2] / 2);
        // New values do not change that.
        scene.plot.setFrame(levels(3, 100));
        QVERIFY(scene.strength(0) < before[0] / 2);

        QTest::mouseMove(&scene.plot, (scene.pixel(1) + scene.pixel(2)) / 2);
        QVERIFY(scene.plot.emphasized().isEmpty());
        QVERIFY(scene.emphasizedRows().isEmpty());
        for (const int rank : {0, 1, 2})
            QCOMPARE(scene.strength(rank), before[rank]);
    }

    void hiddenCurveIsNotHovered()
    {
        Scene scene(levels(3, 100));
        const QPoint where = scene.pixel(1);
        scene.plot.setYRange(scene.pane(), scene.pane().yAxis()->range());  // the range does not change
        scene.plot.setHidden({u"curves/rank 1"_s});
        QTest::mouseMove(&scene.plot, where);
        QVERIFY(scene.plot.emphasized().isEmpty());
    }

    void legendRowEmphasizesItsCurveAmongMany()
    {
        for (const int points : {100, 3000}) {  // drawn separately, and drawn together
            Scene scene(levels(5, points));
            QCOMPARE(isDense(PanelKind::Curves, scene.pane().panel(), {}), points == 3000);
            const int before[] = {scene.strength(2), scene.strength(3)};
            const QModelIndex row = scene.legend.legendModel()->index(1 + 3);
            QCOMPARE(row.data().toString(), u"rank 3"_s);
            QTest::mouseMove(scene.legend.viewport(), QPoint(1, 1));
            QTest::mouseMove(scene.legend.viewport(), scene.legend.visualRect(row).center());
            QCOMPARE(scene.plot.emphasized(), u"curves/rank 3"_s);
            QVERIFY(scene.strength(3) >= before[1]);
            QVERIFY(scene.strength(2) < before[0] / 2);
            QEvent leave(QEvent::Leave);
            QCoreApplication::sendEvent(scene.legend.viewport(), &leave);
            QVERIFY(scene.plot.emphasized().isEmpty());
            QCOMPARE(scene.strength(2), before[0]);
        }
    }

    void keysInTheLegendDoTheSame()
    {
        Scene scene(levels(3, 100));
        scene.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&scene.window));
        scene.legend.setFocus(Qt::TabFocusReason);
        QCOMPARE(scene.plot.emphasized(), u"curves/rank 0"_s);
        QTest::keyClick(&scene.legend, Qt::Key_Down);
        QCOMPARE(scene.plot.emphasized(), u"curves/rank 1"_s);
        scene.legend.clearFocus();
        QVERIFY(scene.plot.emphasized().isEmpty());
    }

    void picturesHaveNoEmphasis()
    {
        Scene scene(levels(3, 100));
        const QByteArray before = pictureOf(scene.plot, u"t"_s, PictureFormat::Svg);
        QTest::mouseMove(&scene.plot, scene.pixel(1));
        QVERIFY(!scene.plot.emphasized().isEmpty());
        QCOMPARE(pictureOf(scene.plot, u"t"_s, PictureFormat::Svg), before);
    }

    void fittedAxisIgnoresOutliers_data()
    {
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("linear") << false;
        QTest::newRow("logarithmic") << true;
    }
    void fittedAxisIgnoresOutliers()
    {
        QFETCH(bool, logarithmic);
        QRandomGenerator random(5);
        PlotPanel panel;
        PlotCurve curve;
        for (int i = 0; i < 500; ++i)
            curve.columns.push_back(column(i, 1 + random.generateDouble()));
        curve.columns[100] = column(100, 1e6);
        curve.columns[200] = column(200, 1e-7);
        panel.curves.push_back(curve);
        const auto all = fittedRange(PanelKind::Curves, panel, {}, 0, 500, {logarithmic, false});
        QVERIFY(all && all->second >= 1e6 && all->first <= 1e-7);
        const auto typical = fittedRange(PanelKind::Curves, panel, {}, 0, 500, {logarithmic, true});
        QVERIFY(typical && typical->first <= 1 && typical->second >= 2);
        QVERIFY(typical->second < 10);
        if (logarithmic)
            QVERIFY(typical->first > 1e-3);
        // Values outside the view have no influence, and the axis of a device shows everything.
        const auto behind = fittedRange(PanelKind::Curves, panel, {}, 300, 500, {logarithmic, false});
        QCOMPARE(behind, fittedRange(PanelKind::Curves, panel, {}, 300, 500, {logarithmic, true}));
        QVERIFY(fittedRange(PanelKind::Strip, panel, {}, 0, 500, {false, true})->second >= 1e6);
    }

    void curveOfTwoLevelsHasNoOutliers()
    {
        PlotPanel panel;
        PlotCurve curve;
        for (int i = 0; i < 100; ++i)
            curve.columns.push_back(column(i, i < 90 ? 1 : 5));
        panel.curves.push_back(curve);
        QVERIFY(fittedRange(PanelKind::Curves, panel, {}, 0, 100, {false, true})->second >= 5);
    }

    void usualStartsOfFewCurvesAreVisible()
    {
        QFETCH(int, curves);
        PlotPanel panel;
        panel.isOfTrials = true;
        for (int i = 0; i < curves; ++i) {
            PlotCurve curve;
            curve.name = u"trial %1"_s.arg(i + 1);
            for (int x = 0; x < 100; ++x)
                curve.columns.push_back(column(x, 0.38 + 3.62 * std::exp(-x / 4.0)));
            panel.curves.push_back(curve);
        }
        const auto fitted = [&] { return *fittedRange(PanelKind::Curves, panel, {}, 0, 100, {false, true}); };
        QCOMPARE(fitted().second >= 4, curves <= 20);
        // A trial that diverged is outside.
        for (series::Column &value : panel.curves[0].columns)
            value = column(value.x, 1e6 + value.last);
        QCOMPARE(fitted().second >= 4, curves <= 20);
        QVERIFY(fitted().second < 10);
        QCOMPARE(curvesOutside(PanelKind::Curves, panel, {}, {0, 100}, fitted(), false), 1);
    }

    void usualStartsOfFewCurvesAreVisible_data()
    {
        QTest::addColumn<int>("curves");
        QTest::newRow("few") << 20;
        QTest::newRow("many") << 22;
    }

    void bandIsVisibleExceptForOutliers()
    {
        PlotPanel panel;
        panel.rankView = RankView::Spread;
        panel.curves.emplace_back();
        for (int i = 0; i < 100; ++i) {
            panel.curves[0].columns.push_back(column(i, 5 + 0.01 * (i % 7)));
            panel.band.push_back(column(i, 5));
            panel.band.back().min = 1 + 0.1 * (i % 5);
            panel.band.back().max = 20 + 0.1 * (i % 3);
        }
        panel.band[50].max = 1e5;
        const auto fitted = fittedRange(PanelKind::Curves, panel, {}, 0, 100, {false, true});
        QVERIFY(fitted && fitted->first <= 1 && fitted->second >= 20.2);
        QVERIFY(fitted->second < 100);
    }

    void slowDivergenceDoesNotFlattenAFewOtherCurves()
    {
        PlotPanel panel;
        for (int trial = 0; trial < 3; ++trial) {
            PlotCurve curve;
            curve.name = u"trial %1"_s.arg(trial);
            for (int i = 0; i < 60; ++i)
                curve.columns.push_back(
                    column(i, trial == 2 ? 0.3 * std::pow(1.09, i) : 2.3 * std::exp(-0.1 * i) + 0.1 * (trial + 1)));
            panel.curves.push_back(curve);
        }
        const auto fitted = [&panel] { return fittedRange(PanelKind::Curves, panel, {}, 0, 59, {false, true}); };
        QVERIFY(fitted() && fitted()->first <= 0.11 && fitted()->second >= 2.5);
        QVERIFY2(fitted()->second < 10, qPrintable(QString::number(fitted()->second)));
        QVERIFY(fittedRange(PanelKind::Curves, panel, {}, 0, 59, {false, false})->second > 40);
        // Alone, all of it is what there is to see.
        panel.curves.erase(panel.curves.begin(), panel.curves.begin() + 2);
        QVERIFY(fitted()->second > 40);
    }

    void stackedPartsAreFullyVisible()
    {
        PlotPanel panel;
        panel.isOfSeries = true;
        for (int part = 0; part < 3; ++part) {
            PlotCurve curve;
            curve.name = u"part %1"_s.arg(part);
            for (int i = 0; i < 100; ++i) {
                curve.columns.push_back(column(i, 1 + 0.01 * (i % 7)));
                curve.stack.push_back(column(i, part + 1));
                curve.stack.back().min = part;
            }
            panel.curves.push_back(curve);
        }
        panel.curves[2].stack[50].max = 1e5;
        const auto fitted = fittedRange(PanelKind::Curves, panel, {}, 0, 100, {false, true});
        QVERIFY(fitted && fitted->second >= 3 && fitted->second < 20);
    }

    void ignoringOutliersRefitsTheAxes()
    {
        PlotFrame frame = levels(2, 200);
        frame.main.curves[0].columns[50] = column(start + 25, 1000);
        Scene scene(frame);
        QVERIFY(scene.pane().yAxis()->range().contains(1000));
        scene.plot.setIgnoringOutliers(true);
        QVERIFY(!scene.pane().yAxis()->range().contains(1000));
        QVERIFY(scene.pane().yAxis()->range().contains(0) && scene.pane().yAxis()->range().contains(1));
        PlotRequest request;
        scene.plot.fillRequest(request);
        QVERIFY(request.picture.ignoresOutliers);
        scene.plot.setIgnoringOutliers(false);
        QVERIFY(scene.pane().yAxis()->range().contains(1000));
    }

    void plotCountsTrialsThatAreOutside()
    {
        PlotFrame frame = levels(6, 200);
        frame.main.isOfTrials = true;
        for (series::Column &value : frame.main.curves[2].columns)
            value = column(value.x, 1e9);
        Scene scene(frame);
        scene.plot.setIgnoringOutliers(true);
        QVERIFY2(scene.pane().shownTitle().contains(u"and 1 entire trial hidden"_s),
                 qPrintable(scene.pane().shownTitle()));
    }

    void plotNotesThatValuesAreOutside()
    {
        PlotFrame frame = levels(2, 200);
        frame.main.curves[0].columns[50] = column(start + 25, 1000);
        Scene scene(frame);
        const auto says = [&scene] { return scene.pane().shownTitle().contains(u"values above"_s); };
        QVERIFY(!says());
        scene.plot.setIgnoringOutliers(true);
        QVERIFY(says());
        // No note if the user chose the range, or if all values are visible.
        scene.plot.setYRange(scene.pane(), QCPRange(0, 0.5));
        QVERIFY(!says());
        scene.plot.follow();
        scene.plot.setFrame(frame);
        QVERIFY(says());
        scene.plot.setHidden({hidingKey(PanelKind::Curves, frame.main, frame.main.curves[0])});
        QVERIFY(!says());
        scene.plot.setHidden({});
        QVERIFY(says());
        scene.plot.setIgnoringOutliers(false);
        QVERIFY(!says());
    }
};

SWEEPSCOPE_TEST(CurveEmphasisTest)
#include "tst_curveemphasis.moc"
