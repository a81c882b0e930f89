#include "testprogram.h"

// The parallel coordinates by their picture, by mouse and by keyboard.
#include "models/analysisfigures.h"
#include "sweep/splitmix.h"
#include "ui/analysis/lineraster.h"
#include "ui/analysis/parallelview.h"
#include "ui/models/newestjob.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::ParallelPlaces;
using ui::ParallelView;

namespace {

int colorfulness(QRgb pixel)
{
    const auto [low, high] = std::minmax({qRed(pixel), qGreen(pixel), qBlue(pixel)});
    return high - low;
}

}  // namespace

class ParallelViewTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<ParallelView> m_view;
    ui::FigurePtr m_figure;

    void show(int trials)
    {
        m_figure = AnalysedSweep(trials).figure();
        m_view = std::make_unique<ParallelView>();
        m_view->resize(900, 400);
        m_view->setFigure(m_figure);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), patience);
    }
    QPoint at(int axis, double position) const
    {
        const ParallelPlaces places = m_view->places();
        return {qRound(places.xs[static_cast<std::size_t>(axis)]), qRound(places.yOf(position))};
    }
    void drag(const QPoint &from, const QPoint &to) const
    {
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(m_view.get(), from + (to - from) * step / 4);
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, to);
    }
    std::vector<char> expected() const { return ui::rowsWithin(*m_figure, m_view->ranges()); }
    /// Draws only the lines, on a transparent background.
    QImage lines(const std::vector<char> &within, const ParallelPlaces &places) const
    {
        return ui::linesImage({.figure = m_figure,
                               .places = places,
                               .within = within,
                               .size = m_view->size(),
                               .ratio = 1,
                               .onDark = false,
                               .faint = Qt::gray,
                               .most = 0},
                              [](double) { return true; });
    }
    /// Returns whether something is drawn within two pixels of a place.
    static bool isInked(const QImage &image, const QPointF &place)
    {
        for (int dx = -2; dx <= 2; ++dx) {
            for (int dy = -2; dy <= 2; ++dy) {
                const QPoint pixel = place.toPoint() + QPoint(dx, dy);
                if (image.rect().contains(pixel) && qAlpha(image.pixel(pixel)) > 8)
                    return true;
            }
        }
        return false;
    }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void cleanup() { m_view.reset(); }

    void lineIsDrawnAtItsValues()
    {
        show(60);
        const ParallelPlaces places = m_view->places();
        QCOMPARE(places.axes.size(), m_figure->axes.size());
        const QImage image = lines(std::vector<char>(m_figure->values.size(), 1), places);
        for (int row = 0; row < static_cast<int>(m_figure->values.size()); ++row) {
            const std::vector<QPointF> corners = ui::lineOf(*m_figure, places, row);
            for (std::size_t axis = 0; axis < corners.size(); ++axis) {
                const auto &shown = m_figure->axes[static_cast<std::size_t>(places.axes[axis])];
                QVERIFY(std::abs(corners[axis].y() - places.yOf(shown.positions[static_cast<std::size_t>(row)]))
                        < 0.01);
                QVERIFY(isInked(image, corners[axis]));
                if (axis > 0)
                    QVERIFY(isInked(image, (corners[axis] + corners[axis - 1]) / 2));
            }
        }
    }

    /// The raster's lines match Qt's in place and colour, and nothing is drawn outside of the picture.
    void rasterLinesMatchQts()
    {
        sweep::SplitMix64 random(5);
        for (int attempt = 0; attempt < 200; ++attempt) {
            const auto place = [&random] {
                return QPointF(random.nextUnit() * 140 - 20, random.nextUnit() * 140 - 20);
            };
            const QPointF from = place();
            const QPointF to = attempt % 10 == 0 ? QPointF(from.x(), place().y()) : place();
            const QColor color(200, 40, 90, attempt % 2 == 0 ? 255 : 60);
            ui::LineRaster raster(QSize(100, 100));
            raster.addLine(from, to, color, 1);
            const QImage mine = raster.image();
            QImage qts(100, 100, QImage::Format_ARGB32_Premultiplied);
            qts.fill(Qt::transparent);
            QPainter painter(&qts);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(color, 1));
            painter.drawLine(from, to);
            painter.end();
            // Ours are within some pixels of Qt's, and vice versa: the ends differ.
            const auto isNear = [](const QImage &image, int x, int y) {
                for (int dx = -3; dx <= 3; ++dx) {
                    for (int dy = -3; dy <= 3; ++dy) {
                        if (image.rect().contains(x + dx, y + dy) && qAlpha(image.pixel(x + dx, y + dy)) > 0)
                            return true;
                    }
                }
                return false;
            };
            for (int y = 4; y < 96; ++y) {
                for (int x = 4; x < 96; ++x) {
                    if (qAlpha(mine.pixel(x, y)) > 0)
                        QVERIFY(isNear(qts, x, y));
                    if (qAlpha(qts.pixel(x, y)) > 0)
                        QVERIFY(isNear(mine, x, y));
                    QVERIFY(qAlpha(mine.pixel(x, y)) <= color.alpha());
                    QVERIFY(qRed(mine.pixel(x, y)) <= qAlpha(mine.pixel(x, y)));
                }
            }
        }
    }

    void faintLinesAddUp()
    {
        ui::LineRaster raster(QSize(40, 20));
        const QColor color = QColor::fromRgbF(0.3F, 0.0F, 0.9F, 0.004F);
        for (int line = 0; line < 2000; ++line)
            raster.addLine({0, 10}, {40, 10}, color, 2);
        const QColor sum = QColor::fromRgba(qUnpremultiply(raster.image().pixel(20, 10)));
        QVERIFY2(sum.alpha() > 250, qPrintable(QString::number(sum.alpha())));
        QVERIFY(std::abs(sum.red() - color.red()) <= 3);
        QVERIFY(sum.green() <= 3);
        QVERIFY(std::abs(sum.blue() - color.blue()) <= 3);
    }

    void onlyLinesOutsideOfARangeFade()
    {
        show(40);
        const ParallelPlaces places = m_view->places();
        m_view->setRange(u"lr"_s, 0.5, 1);
        const std::vector<char> within = m_view->within();
        QCOMPARE(within, expected());
        const QImage image = lines(within, places);
        int strong = 0;
        int faint = 0;
        for (std::size_t row = 0; row < within.size(); ++row) {
            const float position = m_figure->axis(u"lr"_s)->positions[row];
            QCOMPARE(within[row] != 0, position >= 0.5F);
            // On the first axis lines are apart: there the colour identifies them.
            const QPoint begin = QPointF(places.xs[0] + 1, places.yOf(position)).toPoint();
            int most = 0;
            for (int dy = -1; dy <= 1; ++dy)
                most = std::max(most, colorfulness(image.pixel(begin + QPoint(0, dy))));
            (within[row] ? strong : faint) += 1;
            if (within[row])
                QVERIFY2(most > 30, qPrintable(u"row %1 is faint"_s.arg(row)));
            else
                QVERIFY2(most < 12, qPrintable(u"row %1 is not faint"_s.arg(row)));
        }
        QVERIFY(strong > 5 && faint > 5);
    }

    void rangesAreCreatedMovedResizedAndRemoved()
    {
        show(200);
        QSignalSpy changed(m_view.get(), &ParallelView::rangesChanged);
        drag(at(0, 0.3), at(0, 0.6));
        QVERIFY(changed.count() > 0);
        const double pixel = 1.5 / (m_view->places().bottom - m_view->places().top);
        const auto isNear = [&](double low, double high) {
            const auto range = m_view->ranges().at(u"lr"_s);
            return std::abs(range.first - low) <= pixel && std::abs(range.second - high) <= pixel;
        };
        QVERIFY(isNear(0.3, 0.6));
        QCOMPARE(m_view->within(), expected());
        drag(at(0, 0.45), at(0, 0.65));  // from within: it moves
        QVERIFY(isNear(0.5, 0.8));
        drag(at(0, 0.45), at(0, 2));  // a new one
        QVERIFY(m_view->ranges().at(u"lr"_s).second == 1);
        drag(at(0, 0.45), at(0, 0.7));  // its lower end
        QVERIFY(isNear(0.7, 1));
        drag(at(1, 0.0), at(1, 0.4));
        QCOMPARE(m_view->ranges().size(), std::size_t(2));
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at(0, 0.2));  // outside of it: removes it
        QCOMPARE(m_view->ranges().size(), std::size_t(1));
        QCOMPARE(m_view->within(), expected());
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), patience);
    }

    void dragContinuesWhenTrialsArrive()
    {
        show(200);
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, at(0, 0.3));
        QTest::mouseMove(m_view.get(), at(0, 0.5));
        m_figure = AnalysedSweep(210).figure();
        m_view->setFigure(m_figure);
        QTest::mouseMove(m_view.get(), at(0, 0.7));
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, at(0, 0.7));
        const double pixel = 1.5 / (m_view->places().bottom - m_view->places().top);
        QVERIFY(m_view->ranges().contains(u"lr"_s));
        const auto range = m_view->ranges().at(u"lr"_s);
        QVERIFY(std::abs(range.first - 0.3) <= pixel && std::abs(range.second - 0.7) <= pixel);
        QCOMPARE(m_view->within(), expected());

        // If the axis grows meanwhile, dragging continues from the same value.
        const auto last = static_cast<int>(m_figure->axes.size()) - 1;
        const auto valueOf = [this](double position) {
            const ui::AxisScale &scale = m_figure->target().scale;
            return scale.valueAt(scale.unitAt(position));
        };
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, at(last, 0.4));
        QTest::mouseMove(m_view.get(), at(last, 0.2));
        const double from = valueOf(m_view->ranges().at({}).second);
        AnalysedSweep grown(210);
        grown.trials[0].objectiveBest->value = 100;
        m_figure = grown.figure();
        m_view->setFigure(m_figure);
        QTest::mouseMove(m_view.get(), at(last, 0.8));
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, at(last, 0.8));
        QVERIFY(std::abs(valueOf(m_view->ranges().at({}).first) - from) < 1e-6);
        QVERIFY(std::abs(m_view->ranges().at({}).second - 0.8) <= pixel);

        // An axis that is being moved arrives, too.
        const double y = m_view->places().top - 14;
        const auto title = [&](int axis) {
            return QPointF(m_view->places().xs[static_cast<std::size_t>(axis)], y).toPoint();
        };
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, title(0));
        QTest::mouseMove(m_view.get(), title(1));
        m_view->setFigure(AnalysedSweep(220).figure());
        QTest::mouseMove(m_view.get(), title(2) + QPoint(20, 0));
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, title(2) + QPoint(20, 0));
        QCOMPARE(m_view->order().indexOf(u"lr"_s), 2);
    }

    /// The lines of a figure that no longer exists do not require drawing all of them.
    void figureMayBeRemovedDuringDrawing()
    {
        m_figure = AnalysedSweep(4000).figure();
        for (int attempt = 0; attempt < 2; ++attempt) {
            ParallelView view;
            view.resize(900, 400);
            view.setFigure(m_figure);
            view.show();
            QVERIFY(QTest::qWaitForWindowExposed(&view));
            view.setFigure(nullptr);
            QVERIFY(view.isDrawn());
            QTRY_VERIFY_WITH_TIMEOUT(!view.findChild<ui::NewestJob *>()->isPending(), 60'000);
            view.setFigure(m_figure);
            QTRY_VERIFY_WITH_TIMEOUT(view.isDrawn(), patience);
        }
    }

    void axesAreMovedByTheirTitle()
    {
        show(50);
        QSignalSpy chosen(m_view.get(), &ParallelView::axisChosen);
        QCOMPARE(m_view->order(),
                 (QStringList{u"lr"_s, u"optimizer"_s, u"momentum"_s, u"layers"_s, u"augment"_s, u""_s}));
        const double y = m_view->places().top - 14;
        const auto title = [&](int axis) {
            return QPointF(m_view->places().xs[static_cast<std::size_t>(axis)], y).toPoint();
        };
        drag(title(0), title(2) + QPoint(20, 0));
        QCOMPARE(m_view->order(),
                 (QStringList{u"optimizer"_s, u"momentum"_s, u"lr"_s, u"layers"_s, u"augment"_s, u""_s}));
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, title(1));
        QCOMPARE(chosen.back()[0].toString(), u"momentum"_s);
        // New trials do not change the order.
        m_view->setFigure(AnalysedSweep(60).figure());
        QCOMPARE(m_view->order().indexOf(u"lr"_s), 2);
    }

    void everythingWorksByKeyboard()
    {
        show(200);
        m_view->setFocus();
        QCOMPARE(m_view->chosenAxis(), u"lr"_s);
        QTest::keyClick(m_view.get(), Qt::Key_Up);
        const auto range = [this](const QString &id) { return m_view->ranges().at(id); };
        QCOMPARE(range(u"lr"_s), std::pair(0.75, 1.0));
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QVERIFY(std::abs(range(u"lr"_s).first - 0.7) < 1e-9 && std::abs(range(u"lr"_s).second - 0.95) < 1e-9);
        QTest::keyClick(m_view.get(), Qt::Key_Down, Qt::ControlModifier);
        QVERIFY(std::abs(range(u"lr"_s).first - 0.65) < 1e-9);
        QTest::keyClick(m_view.get(), Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(std::abs(range(u"lr"_s).second - 1) < 1e-9);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_view->chosenAxis(), u"optimizer"_s);
        QTest::keyClick(m_view.get(), Qt::Key_Down);  // one category
        for (std::size_t row = 0; row < m_figure->values.size(); ++row) {
            if (m_view->within()[row])
                QCOMPARE(m_figure->values.parameters[1].values[row], 0.0);
        }
        QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(m_view->order().indexOf(u"optimizer"_s), 2);
        QTest::keyClick(m_view.get(), Qt::Key_Delete);
        QCOMPARE(m_view->ranges().size(), std::size_t(1));
        QVERIFY(m_view->accessibleDescription().contains(u"optimizer"_s));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(m_view->ranges().empty());
        QTest::keyClick(m_view.get(), Qt::Key_End);
        QCOMPARE(m_view->chosenAxis(), QString());
    }

    void clickSelectsTheTrialAndDoubleClickOpensIt()
    {
        show(12);
        QSignalSpy selected(m_view.get(), &ParallelView::trialSelected);
        QSignalSpy opened(m_view.get(), &ParallelView::trialActivated);
        const std::vector<QPointF> corners = ui::lineOf(*m_figure, m_view->places(), m_figure->best);
        const QPoint place = (corners[0] * 0.75 + corners[1] * 0.25).toPoint();
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, place);
        QCOMPARE(selected.count(), 1);
        QCOMPARE(selected[0][0].toInt(), m_figure->values.trials[static_cast<std::size_t>(m_figure->best)]);
        QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, place);
        QCOMPARE(opened.count(), 1);
        // Faded lines are not hit.
        const float position = m_figure->axis(u"lr"_s)->positions[static_cast<std::size_t>(m_figure->best)];
        m_view->setRange(u"lr"_s, position + 0.01, 1);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, place);
        for (const QList<QVariant> &arguments : std::as_const(selected).mid(1))
            QVERIFY(arguments[0].toInt() != m_figure->values.trials[static_cast<std::size_t>(m_figure->best)]);
    }

    void allOfManyLinesAreDrawnEventually()
    {
        show(10'000);
        QVERIFY(m_figure->values.size() > 7000);
        m_view->setRange(u"layers"_s, 0.5, 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), 60'000);
        // A cancelled job ends immediately, without a picture.
        QVERIFY(ui::linesImage({.figure = m_figure,
                                .places = m_view->places(),
                                .within = m_view->within(),
                                .size = m_view->size(),
                                .ratio = 1,
                                .onDark = false,
                                .faint = Qt::gray,
                                .most = 0},
                               [](double) { return false; })
                    .isNull());
    }

    void theBestStandsOutInBothThemes()
    {
        for (const auto scheme : {ui::ColorScheme::Light, ui::ColorScheme::Dark}) {
            m_theme->setScheme(scheme);
            show(300);
            const QImage image = m_view->grab().toImage();
            const QColor ground = m_view->palette().color(QPalette::Base);
            const std::vector<QPointF> corners = ui::lineOf(*m_figure, m_view->places(), m_figure->best);
            int furthest = 0;
            const QPoint middle = ((corners[3] + corners[4]) / 2).toPoint();
            for (int dy = -2; dy <= 2; ++dy) {
                const QColor pixel = image.pixelColor(middle * image.devicePixelRatio() + QPoint(0, dy));
                furthest = std::max(furthest, std::abs(pixel.lightness() - ground.lightness()));
            }
            QVERIFY2(furthest > 80, qPrintable(QString::number(furthest)));
            m_view.reset();
        }
        m_theme->setScheme(ui::ColorScheme::Light);
    }

    void themeChangeRedrawsBrushedLines()
    {
        show(300);
        m_view->setRange(u"layers"_s, 0.4, 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), patience);
        m_theme->setScheme(ui::ColorScheme::Dark);
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), patience);
        const QImage switched = m_view->grab().toImage();
        m_view->setRange(u"layers"_s, 0.4, 1);  // drawn again, in the dark from the start
        QTRY_VERIFY_WITH_TIMEOUT(m_view->isDrawn(), patience);
        QCOMPARE(switched, m_view->grab().toImage());
        m_theme->setScheme(ui::ColorScheme::Light);
    }

    void noLineRunsThroughTheTextOfATick()
    {
        show(60);
        QImage image(m_view->size(), QImage::Format_RGB32);
        image.fill(Qt::red);  // as if lines were everywhere
        QPainter painter(&image);
        m_view->paintPicture(&painter);
        painter.end();
        const ParallelPlaces places = m_view->places();
        constexpr int mostTicks = 11;  // the maximum that fits into the view
        for (std::size_t i = 0; i + 1 < places.axes.size(); ++i) {
            const ui::AxisScale &scale = m_figure->axes[static_cast<std::size_t>(places.axes[i])].scale;
            const double lowest = scale.ticks(scale.lowest(), scale.highest(), mostTicks).front().unit;
            const QPointF text(places.xs[i] + 8, places.yOf(scale.positionOfUnit(lowest)));
            for (int dx = 0; dx < 6; ++dx) {
                for (int dy = -4; dy <= 4; ++dy)
                    QVERIFY(colorfulness(image.pixel(text.toPoint() + QPoint(dx, dy))) < 40);
            }
        }
    }

    void viewWithoutAFigureIsEmpty()
    {
        ParallelView view;
        view.resize(400, 200);
        view.show();
        view.setFigure(nullptr);
        QVERIFY(view.ranges().empty());
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(50, 50));
        QVERIFY(!view.grab().isNull());
    }
};

SWEEPSCOPE_TEST(ParallelViewTest)
#include "tst_parallelview.moc"
