#include "testprogram.h"

// Measured and predicted values over two parameters: what is offered, computed, drawn and selected.
#include "models/analysisfigures.h"
#include "ui/analysis/contourlabel.h"
#include "ui/analysis/mapcontent.h"
#include "ui/analysis/mappanel.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using ui::MapPanel;
using ui::MapValue;
using ui::PointKind;

namespace {

analysis::SurrogatePtr surrogateOf(const AnalysedSweep &sweep)
{
    analysis::Target target;
    const analysis::TrialValues values = analysis::collect(sweep.spec, sweep.record, sweep.trials, target);
    return analysis::Surrogate::fit(sweep.spec, target.goal,
                                    analysis::observationsOf(sweep.spec, sweep.trials, values));
}

}  // namespace

class MapPanelTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<MapPanel> m_panel;

    void show(const AnalysedSweep &sweep, MapValue value, bool logarithmic = false)
    {
        const ui::FigurePtr figure = sweep.figure(logarithmic);
        m_panel = std::make_unique<MapPanel>();
        m_panel->resize(460, 320);
        choose(value);
        m_panel->setData(figure, surrogateOf(sweep), std::vector<char>(figure->values.size(), 1));
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        m_panel->plot()->replot();
    }
    void choose(MapValue value)
    {
        box(u"mapValue"_s)->setCurrentIndex(box(u"mapValue"_s)->findData(QVariant::fromValue(value)));
    }
    void chooseParameters(const QString &x, const QString &y)
    {
        box(u"mapX"_s)->setCurrentText(x);
        box(u"mapY"_s)->setCurrentText(y);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
    }
    QComboBox *box(const QString &name) const { return m_panel->findChild<QComboBox *>(name); }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void cleanup() { m_panel.reset(); }

    void measuredValuesAreInCells()
    {
        const AnalysedSweep sweep(400);
        show(sweep, MapValue::MeasuredMean);
        QVERIFY(m_panel->hasPlot());
        // The most important ones first.
        QCOMPARE(box(u"mapX"_s)->currentText(), u"lr"_s);
        QCOMPARE(box(u"mapY"_s)->currentText(), u"optimizer"_s);
        const ui::MapPlot *plot = m_panel->plot();
        QVERIFY(plot->content().arePointsDrawn);  // rates differ
        const ui::FigurePtr figure = sweep.figure();
        QCOMPARE(plot->points().size(), figure->values.size());
        int best = 0;
        for (const ui::GroundCell &cell : plot->cells()) {
            best += cell.hasBest ? 1 : 0;
            QVERIFY(std::isfinite(cell.unit) || cell.text.contains(u"0 completed"_s));
        }
        QCOMPARE(best, 1);
        const bool hasGap =
            std::ranges::any_of(plot->cells(), [](const ui::GroundCell &cell) { return std::isnan(cell.unit); });
        QCOMPARE(plot->markLegend()->names().contains(u"No completed trials"_s), hasGap);
        // Each trial is in a cell, and has the colour of its value.
        for (const ui::TrialPoint &point : plot->points()) {
            QVERIFY(std::ranges::any_of(plot->cells(), [&point](const ui::GroundCell &cell) {
                return cell.area.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(point.x, point.y);
            }));
            QCOMPARE(point.shade, figure->shades[static_cast<std::size_t>(figure->rowOf(point.trial))]);
        }
    }

    void cellsOfAGridAreSelectedAsAWhole()
    {
        show(AnalysedSweep(400), MapValue::MeasuredBest);
        chooseParameters(u"augment"_s, u"optimizer"_s);
        ui::MapPlot *plot = m_panel->plot();
        plot->replot();
        QCOMPARE(plot->cells().size(), std::size_t(6));
        QVERIFY(!plot->content().arePointsDrawn);
        const ui::GroundCell &cell = plot->cells().front();
        QVERIFY(!cell.labels.isEmpty());
        QVERIFY2(plot->textAt(plot->middleOf(cell)).contains(u"completed trials"_s), qPrintable(cell.text));
        QSignalSpy selected(plot, &ui::TrialScatter::trialSelected);
        QTest::mouseClick(plot, Qt::LeftButton, {}, (plot->middleOf(cell) + QPointF(15, 8)).toPoint());
        QCOMPARE(selected.count(), 1);
        QCOMPARE(selected[0][0].toInt(), cell.trial);
    }

    void gridOfLongNumbersHasRoundTicks()
    {
        AnalysedSweep sweep(400);
        constexpr int levels = 8;
        for (sweep::TrialRecord &trial : sweep.trials) {
            for (auto &[name, value] : trial.parameters) {
                if (name == "lr")
                    value = std::pow(10.0, -5 + 4.0 * (trial.number % levels) / (levels - 1));
            }
        }
        show(sweep, MapValue::MeasuredMean);
        chooseParameters(u"layers"_s, u"lr"_s);
        const ui::MapPlot *plot = m_panel->plot();
        const ui::AxisScale &axis = plot->content().y;
        QVERIFY(axis.scale == analysis::Scale::Log);
        for (const ui::AxisTick &tick : axis.ticks(axis.lowest(), axis.highest(), 6))
            QVERIFY2(ui::isShort(axis.valueAt(tick.unit)), qPrintable(tick.text));
        // Its cells are still those of the grid, with their trials in the middle.
        QVERIFY(!plot->content().arePointsDrawn);
        for (const ui::TrialPoint &point : plot->points()) {
            const auto cell = std::ranges::find_if(plot->cells(), [&point](const ui::GroundCell &one) {
                return std::abs(one.area.center().y() - point.y) < 1e-9
                       && std::abs(one.area.center().x() - point.x) < 1e-9;
            });
            QVERIFY(cell != plot->cells().end());
            QVERIFY(std::abs(cell->area.height() - 4.0 / (levels - 1)) < 1e-9);
        }
        QVERIFY(plot->cells().front().text.contains(u"lr "_s) && !plot->cells().front().text.contains(u" from "_s));
        // Short values are ticks themselves.
        QVERIFY(plot->content().x.scale == analysis::Scale::Categories);
    }

    void labelOfALineIsWhereThereIsRoom()
    {
        QPolygonF line;
        for (int x = 0; x <= 200; x += 5)
            line << QPointF(x, 50);
        const QRectF area(0, 0, 200, 100);
        const auto place = ui::labelPlace(line, QSizeF(40, 12), area, {});
        QVERIFY(place && place->center() == QPointF(100, 50));
        const auto next = ui::labelPlace(line, QSizeF(40, 12), area, {*place});
        QVERIFY(next && !next->intersects(*place) && area.contains(*next));
        QVERIFY(!ui::labelPlace(line, QSizeF(40, 12), area, {area}));
        QVERIFY(!ui::labelPlace(line, QSizeF(100, 12), area, {}));  // it would hide the line
        QVERIFY(!ui::labelPlace(line, QSizeF(40, 12), QRectF(0, 60, 200, 40), {}));
        QVERIFY(!ui::labelPlace({}, QSizeF(40, 12), area, {}));
    }

    void ranksAreNotFlattenedByAnOutlier()
    {
        AnalysedSweep sweep(100);
        sweep.trials[0].objectiveBest = sweep.trials[0].objectiveLast = sweep::ObjectiveValue{1e9, 10};
        show(sweep, MapValue::MeasuredRank);
        QCOMPARE(m_panel->plot()->map().scale.low, 1.0);
        QCOMPARE(m_panel->plot()->map().scale.high, static_cast<double>(sweep.figure()->values.size()));
        std::vector<float> shades;
        for (const ui::TrialPoint &point : m_panel->plot()->points())
            shades.push_back(point.shade);
        std::ranges::sort(shades);
        QCOMPARE(shades.front(), 0.F);
        QCOMPARE(shades.back(), 1.F);
        QVERIFY(std::abs(shades[shades.size() / 2] - 0.5F) < 0.05F);
    }

    void trialsOutsideTheRangesAreNotCounted()
    {
        const AnalysedSweep sweep(200);
        show(sweep, MapValue::MeasuredMean);
        const std::size_t before = m_panel->plot()->cells().size();
        const ui::FigurePtr figure = sweep.figure();
        std::vector<char> within(figure->values.size(), 0);
        within[static_cast<std::size_t>(figure->best)] = 1;
        m_panel->setData(figure, surrogateOf(sweep), within);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        QVERIFY(before > 1);
        QCOMPARE(m_panel->plot()->cells().size(), std::size_t(1));
    }

    void predictionAsksForItsModel()
    {
        const AnalysedSweep sweep(60);
        m_panel = std::make_unique<MapPanel>();
        QSignalSpy wanted(m_panel.get(), &MapPanel::surrogateWanted);
        m_panel->setData(sweep.figure(), nullptr, std::vector<char>(sweep.figure()->values.size(), 1));
        QVERIFY(!m_panel->needsSurrogate());
        choose(MapValue::PredictedMean);
        QCOMPARE(wanted.count(), 1);
        QVERIFY(m_panel->needsSurrogate() && !m_panel->hasPlot());
        choose(MapValue::MeasuredMean);
        QVERIFY(m_panel->hasPlot());
    }

    void predictedValuesAreASurface()
    {
        const AnalysedSweep sweep(200);
        show(sweep, MapValue::PredictedMean);
        QVERIFY(m_panel->hasPlot());
        chooseParameters(u"lr"_s, u"layers"_s);
        const ui::MapPlot::Map &map = m_panel->plot()->map();
        QCOMPARE(map.units.size(), map.columns * map.rows);
        QVERIFY(std::ranges::all_of(map.units, [](double unit) { return std::isfinite(unit); }));
        QVERIFY(map.isSmooth);
        QVERIFY(map.isLowBest);
        QCOMPARE(map.title, u"Predicted: Best val_loss"_s);
        QVERIFY(m_panel->plot()->cells().empty());
        QVERIFY(m_panel->plot()->lines().size() >= 2);
        for (const ui::GroundLine &line : m_panel->plot()->lines()) {
            QVERIFY(line.unit >= map.scale.low && line.unit <= map.scale.high);
            QVERIFY(std::abs(line.label.toDouble() - map.scale.valueAt(line.unit)) < 1e-6);
            for (const QPointF &point : line.points)
                QVERIFY(point.x() >= -5 && point.x() <= -1 && point.y() >= 1 && point.y() <= 6);
        }
        // The loss rises with the number of layers, and is lowest near a rate of 1e-3.
        const auto at = [&map](std::size_t column, std::size_t row) { return map.units[row * map.columns + column]; };
        QVERIFY(at(map.columns / 2, 0) < at(map.columns / 2, map.rows - 1));
        QVERIFY(at(map.columns / 2, 0) < at(0, 0));
        QVERIFY(at(map.columns / 2, 0) < at(map.columns - 1, 0));
        // The others are those of the best trial, which has no momentum.
        const auto *others = m_panel->findChild<QLabel *>(u"mapOthers"_s);
        QVERIFY2(others->text().contains(u"optimizer adam"_s), qPrintable(others->text()));
        QVERIFY(!others->text().contains(u"lr"_s));
        QCOMPARE(box(u"mapX"_s)->findText(u"momentum"_s), -1);
    }

    void trialsAreOnTheMap()
    {
        const AnalysedSweep sweep(200);
        show(sweep, MapValue::PredictedMean);
        chooseParameters(u"lr"_s, u"layers"_s);
        m_panel->plot()->replot();
        const std::vector<ui::TrialPoint> &points = m_panel->plot()->points();
        for (const ui::TrialPoint &point : points) {
            const sweep::TrialRecord &trial = sweep.trials[static_cast<std::size_t>(point.trial - 1)];
            const PointKind expected = trial.state == sweep::TrialState::Completed ? PointKind::Completed
                                       : trial.state == sweep::TrialState::Pruned  ? PointKind::Pruned
                                                                                   : PointKind::Pending;
            QCOMPARE(point.kind, expected);
            QCOMPARE(point.x, std::log10(std::get<double>(*sweep::find(trial.parameters, "lr"))));
            QCOMPARE(point.y, static_cast<double>(std::get<std::int64_t>(*sweep::find(trial.parameters, "layers"))));
        }
        const auto running = std::ranges::count(sweep.trials, sweep::TrialState::Running, &sweep::TrialRecord::state);
        QCOMPARE(std::ranges::count(points, PointKind::Pending, &ui::TrialPoint::kind), running);
        QCOMPARE(m_panel->plot()->content().best,
                 sweep.figure()->values.trials[static_cast<std::size_t>(sweep.figure()->best)]);
        QSignalSpy selected(m_panel->plot(), &ui::TrialScatter::trialSelected);
        const int trial = points.back().trial;
        QTest::mouseClick(m_panel->plot(), Qt::LeftButton, {}, m_panel->plot()->placeOf(trial).toPoint());
        QCOMPARE(selected.count(), 1);
    }

    void choosingTheOtherParameterExchangesTheAxes()
    {
        show(AnalysedSweep(100), MapValue::PredictedMean);
        const QString x = box(u"mapX"_s)->currentText();
        const QString y = box(u"mapY"_s)->currentText();
        box(u"mapX"_s)->setCurrentText(y);
        QCOMPARE(box(u"mapY"_s)->currentText(), x);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        QCOMPARE(m_panel->plot()->content().xTitle, y);
        // The choice outlasts further results.
        const AnalysedSweep more(120);
        m_panel->setData(more.figure(), surrogateOf(more), std::vector<char>(more.figure()->values.size(), 1));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        QCOMPARE(m_panel->plot()->content().xTitle, y);
        QCOMPARE(m_panel->plot()->content().yTitle, x);
    }

    void categoriesAreCells()
    {
        show(AnalysedSweep(100), MapValue::PredictedMean);
        chooseParameters(u"lr"_s, u"optimizer"_s);
        const ui::MapPlot *plot = m_panel->plot();
        QCOMPARE(plot->map().rows, std::size_t(3));
        QVERIFY(!plot->map().isSmooth);
        QCOMPARE(plot->content().y.categories, (QStringList{u"adam"_s, u"sgd"_s, u"two words"_s}));
    }

    void uncertaintyHasItsOwnScale()
    {
        show(AnalysedSweep(100), MapValue::PredictedMean, true);
        QCOMPARE(m_panel->plot()->map().scale.scale, analysis::Scale::Log);  // as that of the target
        show(AnalysedSweep(100), MapValue::PredictedMean);
        QCOMPARE(m_panel->plot()->map().scale.scale, analysis::Scale::Linear);
        choose(MapValue::PredictedDeviation);
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isBusy(), patience);
        const ui::MapPlot::Map &map = m_panel->plot()->map();
        QCOMPARE(map.title, u"Standard deviation"_s);
        QVERIFY(!map.isLowBest);
        QCOMPARE(map.scale.scale, analysis::Scale::Log);
        const auto [least, most] = std::ranges::minmax(map.units);
        QVERIFY(std::abs(map.scale.low - least) < 1e-9 && std::abs(map.scale.high - most) < 1e-9);
    }

    void saysWhatIsMissing()
    {
        show(AnalysedSweep(6), MapValue::PredictedMean);
        QVERIFY(!m_panel->hasPlot());
        const auto *message = m_panel->findChild<QLabel *>(u"mapMessage"_s);
        QVERIFY2(message->text().contains(QString::number(analysis::fewestResults)), qPrintable(message->text()));
        AnalysedSweep narrow(100);
        narrow.spec.space.resize(1);
        show(narrow, MapValue::PredictedMean);
        QVERIFY(!m_panel->hasPlot());
        message = m_panel->findChild<QLabel *>(u"mapMessage"_s);
        QVERIFY2(message->text().contains(u"two parameters"_s), qPrintable(message->text()));
    }

    void colorsOfTheMapAreDrawn()
    {
        show(AnalysedSweep(100), MapValue::PredictedMean);
        const QImage image = m_panel->plot()->grab().toImage();
        QSet<QRgb> colors;
        const QRect inside = m_panel->plot()->axisRect()->rect();
        for (int x = inside.left() + 5; x < inside.right() - 5; x += 3)
            colors.insert(image.pixel(QPoint(x, inside.center().y()) * image.devicePixelRatio()));
        QVERIFY2(colors.size() > 10, qPrintable(QString::number(colors.size())));
    }
};

SWEEPSCOPE_TEST(MapPanelTest)
#include "tst_mappanel.moc"
