#include "pictures.h"
#include "pixels.h"
#include "testprogram.h"

#include "ui/plot/chartpicture.h"
#include "ui/plot/curvenames.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/panelview.h"
#include "ui/plot/picturesaver.h"
#include "ui/plot/plotpicture.h"
#include "ui/theme/trialcolors.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr int points = 400;
constexpr double pictureStart = 1000;

/// A straight line from `rank` to `rank` + 1, with an oscillation of `noise`.
PlotFrame picturedFrame(int ranks, double noise)
{
    PlotFrame frame;
    frame.from = pictureStart;
    frame.to = pictureStart + points;
    frame.start = pictureStart;
    frame.main.id = u"loss"_s;
    for (int rank = 0; rank < ranks; ++rank) {
        PlotCurve curve;
        curve.name = u"rank %1"_s.arg(rank);
        curve.color = rank;
        for (int i = 0; i <= points; ++i) {
            const double value = static_cast<double>(i) / points + rank;
            curve.columns.push_back({pictureStart + i, value, value - noise, value + noise, value, 2});
        }
        frame.main.curves.push_back(std::move(curve));
    }
    return frame;
}

struct PicturedPlot {
    LivePlot plot;

    explicit PicturedPlot(const PlotFrame &frame)
    {
        plot.resize(800, 500);
        plot.show();
        PlotRequest request;
        plot.fillRequest(request);
        PlotFrame answered = frame;
        answered.view = request.view;
        plot.setFrame(answered);
        plot.replot();
    }
    QPointF pixel(double x, double value) const
    {
        const PlotPane &pane = *plot.panes()[0];
        return {pane.xAxis()->coordToPixel(x), pane.yAxis()->coordToPixel(value)};
    }
};

/// Renders an SVG file with `scale` pixels for each pixel of the plot.
QImage rendered(const QByteArray &svg, int scale)
{
    QSvgRenderer renderer(svg);
    QImage image(renderer.viewBox().size() * scale, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

}  // namespace

class PlotPictureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curvesAreDrawnAtTheirValues_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("noise");
        QTest::newRow("one line") << 1 << 0.0;
        QTest::newRow("so many that the screen shows a raster") << 40 << 0.1;
    }

    void curvesAreDrawnAtTheirValues()
    {
        QFETCH(const int, ranks);
        QFETCH(const double, noise);
        PicturedPlot p(picturedFrame(ranks, noise));
        const QImage pixels = QImage::fromData(pictureOf(p.plot, {}, PictureFormat::Png));
        const QImage vectors = rendered(pictureOf(p.plot, {}, PictureFormat::Svg), 2);
        QVERIFY(!vectors.isNull());
        for (const QImage &image : {pixels, vectors}) {
            QCOMPARE(image.width(), 1600);
            QVERIFY2(image.height() > 1000, "the names of the curves stand below");
            for (const int rank : {0, ranks - 1}) {
                for (const int i : {points / 4, points / 2}) {
                    const QPointF place = p.pixel(pictureStart + i, static_cast<double>(i) / points + rank) * 2;
                    QVERIFY(isColored(image, place, rankColor(rank), 3));
                }
            }
            QVERIFY(!isColored(image, p.pixel(pictureStart + points / 4, ranks - 0.2) * 2, rankColor(ranks - 1), 3));
        }
    }

    void vectorPicturesContainNoRaster()
    {
        PicturedPlot p(picturedFrame(40, 0.1));
        const QByteArray svg = pictureOf(p.plot, u"points · trial 7"_s, PictureFormat::Svg);
        QVERIFY(!svg.contains("<image"));
        QVERIFY(svg.contains("points · trial 7"));
        QVERIFY(svg.contains("rank 39"));
        const QByteArray pdf = pictureOf(p.plot, {}, PictureFormat::Pdf);
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
    }

    void valuesOutsideOfTheRangeAreNotDrawn()
    {
        PicturedPlot p(picturedFrame(1, 0));
        p.plot.setYRange(*p.plot.panes()[0], QCPRange(0, 0.5));
        p.plot.replot();
        const QImage image = rendered(pictureOf(p.plot, {}, PictureFormat::Svg), 1);
        QVERIFY(isColored(image, p.pixel(pictureStart + points / 4, 0.25), rankColor(0), 2));
        // The line would be here if it were not clipped at the upper edge.
        const QPointF beyond = p.pixel(pictureStart + points * 0.51, 0.51);
        QVERIFY(beyond.y() < p.plot.panes()[0]->area()->top());
        QVERIFY(!isColored(image, beyond, rankColor(0), 2));
    }

    void eachChartsCurvesAreNamed()
    {
        PlotFrame frame = picturedFrame(1, 0.1);
        frame.main.rankView = RankView::Quartiles;
        frame.main.curves[0].name.clear();
        frame.main.band = frame.main.curves[0].columns;
        PlotPanel utilization;
        utilization.id = u"gpu.utilization"_s;
        utilization.unit = u"%"_s;
        for (const int gpu : {2, 5}) {
            utilization.curves.push_back(picturedFrame(1, 0).main.curves[0]);
            utilization.curves.back().name = u"GPU %1"_s.arg(gpu);
            utilization.curves.back().color = gpu;
        }
        frame.strips.push_back(utilization);
        PicturedPlot p(frame);
        const QByteArray svg = pictureOf(p.plot, {}, PictureFormat::Svg);
        QVERIFY(svg.contains("median of the ranks, band: quartiles"));
        QVERIFY(!svg.contains("mean"));
        QVERIFY(svg.contains("GPU 2") && svg.contains("GPU 5"));
    }

    void meansOfRanksAreLabelled()
    {
        PlotFrame frame = picturedFrame(2, 0);
        frame.main.isOfSeries = true;
        for (const bool ofMeans : {false, true}) {
            frame.main.isOfMeans = ofMeans;
            PicturedPlot p(frame);
            QCOMPARE(pictureOf(p.plot, {}, PictureFormat::Svg).contains("(mean of the ranks)"), ofMeans);
        }
    }

    void colorsOfTrialsAreExplained()
    {
        PlotFrame frame = picturedFrame(120, 0);
        frame.main.isOfTrials = true;
        for (PlotCurve &curve : frame.main.curves)
            curve.tint = rankColor(curve.color % 2).rgb();
        PicturedPlot p(frame);
        p.plot.setColorKey({u"opt"_s, {{u"adam"_s, rankColor(0)}, {u"sgd"_s, rankColor(1)}}, false});
        const QByteArray svg = pictureOf(p.plot, {}, PictureFormat::Svg);
        QVERIFY(svg.contains("opt:") && svg.contains("adam") && svg.contains("sgd"));
        QVERIFY(svg.contains("120 trials"));
        QVERIFY(!svg.contains("…"));
    }

    void keyOfColorsHasOnlyPlottedValues()
    {
        PlotFrame frame = picturedFrame(3, 0);
        frame.main.isOfTrials = true;
        for (PlotCurve &curve : frame.main.curves)
            curve.tint = rankColor(0).rgb();
        frame.main.curves[2].tint = rankColor(5).rgb();  // kept
        PicturedPlot p(frame);
        p.plot.setColorKey({u"opt"_s, {{u"adam"_s, rankColor(0)}, {u"sgd"_s, rankColor(1)}}, false});
        const QByteArray svg = pictureOf(p.plot, {}, PictureFormat::Svg);
        QVERIFY(svg.contains("adam") && !svg.contains("sgd"));
        // Names of curves with the same color would not tell which is which.
        const auto names = [&](std::size_t curve) {
            return svg.contains('>' + fullCurveName(frame.main, frame.main.curves[curve]).toUtf8() + '<');
        };
        QVERIFY(!names(0) && !names(1) && names(2));
    }

    void bothAxesAreNamed()
    {
        PicturedPlot p(picturedFrame(1, 0));
        const auto named = [&p](const QByteArray &name) {
            return pictureOf(p.plot, {}, PictureFormat::Svg).count('>' + name + '<');
        };
        QVERIFY(named("time since start") + named("step") > 0
                || pictureOf(p.plot, {}, PictureFormat::Svg).contains("time ("));
        QCOMPARE(named(p.plot.panes()[0]->title().toUtf8()), qsizetype(2));  // above it, too
        QVERIFY(p.plot.panes()[0]->yAxis()->label().isEmpty());              // on screen the title is enough
    }

    void pictureNamesValuesThatAreHiddenButNoKey()
    {
        PlotFrame frame = picturedFrame(2, 0);
        frame.main.curves[0].columns[50].max = 1000;
        frame.main.curves[0].extent.reset();
        PicturedPlot p(frame);
        p.plot.setIgnoringOutliers(true);
        const auto titleOnScreen = [&p] { return p.plot.panes()[0]->shownTitle(); };
        QVERIFY2(titleOnScreen().contains(u"hidden (O shows them)"_s), qPrintable(titleOnScreen()));
        const QByteArray svg = pictureOf(p.plot, {}, PictureFormat::Svg);
        QVERIFY(svg.contains("hidden<") && !svg.contains("O shows them"));
        QVERIFY(titleOnScreen().contains(u"O shows them"_s));
    }

    void hiddenCurvesHaveNoName()
    {
        PicturedPlot p(picturedFrame(2, 0));
        p.plot.setHidden({hidingKey(PanelKind::Curves, p.plot.frame().main, p.plot.frame().main.curves[1])});
        const QByteArray svg = pictureOf(p.plot, {}, PictureFormat::Svg);
        QVERIFY(svg.contains("rank 0"));
        QVERIFY(!svg.contains("rank 1"));
    }

    void theWorstRankIsNamed_data()
    {
        QTest::addColumn<bool>("drawn");
        QTest::newRow("among all") << true;
        QTest::newRow("where only the mean is drawn") << false;
    }

    void theWorstRankIsNamed()
    {
        QFETCH(const bool, drawn);
        PlotFrame frame = picturedFrame(32, 0);
        for (PlotCurve &curve : frame.main.curves) {
            curve.drawn = drawn;
            curve.newest = curve.color == 17 ? 40 : curve.color;
        }
        if (!drawn) {
            frame.main.rankView = RankView::Mean;
            frame.main.curves.push_back(frame.main.curves[0]);
            frame.main.curves.back().name.clear();
            frame.main.curves.back().drawn = true;
        }
        {
            PicturedPlot p(frame);
            const QByteArray svg = pictureOf(p.plot, {}, PictureFormat::Svg);
            QVERIFY(svg.contains("worst: rank 17"));
            QCOMPARE(svg.contains("rank 3<"), drawn);
            const auto one = sheetOfChart(p.plot, chosenChart(), {});
            QVERIFY(one && pictureOf(*one, PictureFormat::Svg).contains("worst: rank 17"));
            p.plot.setHidden({hidingKey(PanelKind::Curves, p.plot.frame().main, p.plot.frame().main.curves[17])});
            QCOMPARE(pictureOf(p.plot, {}, PictureFormat::Svg).contains("worst"), !drawn);
        }
        // A chart with the same curves but another worst rank does not need separate names.
        PlotPanel accuracy = frame.main;
        accuracy.id = u"accuracy"_s;
        accuracy.isStrip = false;
        frame.strips = {accuracy};
        PicturedPlot p(frame);
        const QByteArray svg = pictureOf(p.plot, {}, PictureFormat::Svg);
        QVERIFY(svg.contains("worst in loss: rank 17"));
        QVERIFY(svg.contains("worst in accuracy: rank 0"));
        QCOMPARE(svg.count("rank 3<"), drawn ? 1 : 0);
    }

    void aPlotUnderItsTitleHasAMargin()
    {
        QWidget widget;
        for (const QString &title : {QString(), u"history"_s}) {
            const QSize plot(40, 30);
            const PictureSheet sheet = titledSheet(widget, title, plot, [plot](QCPPainter &painter) {
                static_cast<QPainter &>(painter).fillRect(QRect(QPoint(), plot), Qt::red);
            });
            RecordedPicture picture = recorded(sheet, PictureFormat::Png);
            const QImage image = pictureImage(picture, [](double) { return true; });
            const double scale = double(image.width()) / sheet.size.width();
            const auto isRed = [&](int x, int y) {
                return image.pixelColor(int(x * scale), int(y * scale)) == Qt::red;
            };
            const QPoint middle(sheet.size.width() / 2, sheet.size.height() - plot.height() / 2);
            QVERIFY(isRed(middle.x(), middle.y()));
            for (int near = 0; near < 6; ++near) {
                QVERIFY(!isRed(near, middle.y()) && !isRed(sheet.size.width() - 1 - near, middle.y()));
                QVERIFY(!isRed(middle.x(), near) && !isRed(middle.x(), sheet.size.height() - 1 - near));
            }
        }
    }

    void pictureGoesToTheClipboard()
    {
        PicturedPlot p(picturedFrame(1, 0));
        PictureSaver saver(&p.plot);
        saver.copy();
        QTRY_VERIFY(QGuiApplication::clipboard()->image().width() >= 1600);
    }

    void fileIsWrittenAndReported()
    {
        PicturedPlot p(picturedFrame(1, 0));
        PictureSaver saver(&p.plot);
        QSignalSpy reported(&saver, &PictureSaver::reported);
        const QTemporaryDir folder;
        for (const QString &name : {u"plot.png"_s, u"plot.svg"_s, u"plot.pdf"_s}) {
            reported.clear();
            saver.save(folder.filePath(name));
            QTRY_COMPARE_WITH_TIMEOUT(reported.size(), 1, 30'000);
            QVERIFY2(QFileInfo(folder.filePath(name)).size() > 1000, qPrintable(reported[0][0].toString()));
        }
        reported.clear();
        saver.save(folder.filePath(u"plot.doc"_s));
        QCOMPARE(reported.size(), 1);
        reported.clear();
        saver.save(folder.filePath(u"no/such/folder/plot.png"_s));
        QTRY_COMPARE_WITH_TIMEOUT(reported.size(), 1, 30'000);
        QVERIFY(reported[0][0].toString().startsWith(u"Cannot write"_s));
    }
};

SWEEPSCOPE_TEST(PlotPictureTest)
#include "tst_plotpicture.moc"
