#include "ui/analysis/mapplot.h"

#include "ui/analysis/scaleticker.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/valuegradient.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int scaleWidth = 10;
constexpr int gradientStops = 32;
constexpr int pointColors = 24;

}  // namespace

MapPlot::MapPlot(QWidget *parent)
    : TrialScatter(u"mapPlot"_s, parent),
      m_colors(new QCPColorMap(xAxis, yAxis)),
      m_ground(new MapGround(xAxis, yAxis)),
      m_scale(new QCPColorScale(this)),
      m_bestHalo(new QCPItemRect(this)),
      m_bestFrame(new QCPItemRect(this)),
      m_selectedFrame(new QCPItemRect(this))
{
    m_colors->setLayer(u"reference"_s);  // above the grid, below the points
    m_colors->setTightBoundary(false);
    m_ground->setLayer(u"reference"_s);
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(scaleWidth);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    m_scale->setMargins(QMargins(spacing::tiny, 0, 0, 0));
    const QSharedPointer<ScaleTicker> ticker = QSharedPointer<ScaleTicker>::create(Qt::Vertical);
    m_scale->axis()->setTicker(ticker);
    plotLayout()->addElement(0, 1, m_scale);
    m_colors->setColorScale(m_scale);
    auto *sides = new QCPMarginGroup(this);
    axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, sides);
    m_scale->setMarginGroup(QCP::msTop | QCP::msBottom, sides);
    for (QCPItemRect *frame : {m_bestHalo, m_bestFrame, m_selectedFrame}) {
        frame->setLayer(u"overlay"_s);
        frame->setBrush(Qt::NoBrush);
        frame->setVisible(false);
    }
    connect(this, &QCustomPlot::afterLayout, this,
            [this, ticker] { ticker->setRoom(axisRect()->height(), m_scale->axis()->tickLabelFont()); });
    outlinePoints();
}

void MapPlot::setMap(Map map, Content content)
{
    m_map = std::move(map);
    m_ground->setCells(std::exchange(m_map.cells, {}));
    std::vector<QPointF> points;
    for (const TrialPoint &point : content.points)
        points.emplace_back(point.x, point.y);
    m_ground->setLines(std::exchange(m_map.lines, {}), std::move(points));
    QCPColorMapData *places = m_colors->data();
    places->setSize(static_cast<int>(m_map.columns), static_cast<int>(m_map.rows));
    places->setRange(QCPRange(content.x.low, content.x.high), QCPRange(content.y.low, content.y.high));
    for (std::size_t row = 0; row < m_map.rows; ++row) {
        for (std::size_t column = 0; column < m_map.columns; ++column)
            places->setCell(static_cast<int>(column), static_cast<int>(row), m_map.units[row * m_map.columns + column]);
    }
    m_colors->setVisible(m_map.columns > 0);
    m_colors->setInterpolate(m_map.isSmooth);
    m_scale->axis()->ticker().staticCast<ScaleTicker>()->setScale(m_map.scale);
    m_scale->axis()->setLabel(m_map.title);
    m_scale->setDataRange(QCPRange(m_map.scale.low, m_map.scale.high));
    applyGradient();
    if (std::ranges::any_of(cells(), [](const GroundCell &cell) { return std::isnan(cell.unit); }))
        content.moreMarks.push_back({tr("No completed trials"), tr("All trials in this cell were pruned or stopped"),
                                     [this](QCPPainter &painter, const QRectF &area) {
                                         const QColor color = plotColors(palette()).grid;
                                         painter.setPen(color);
                                         painter.setBrush(QBrush(color, Qt::BDiagPattern));
                                         painter.drawRect(area.adjusted(0.5, 2.5, -0.5, -2.5));
                                     }});
    setContent(std::move(content));
}

void MapPlot::applyGradient()
{
    const bool onDark = isDark(palette());
    const auto colorOf = [&](double share) { return gradientColor(m_map.isLowBest ? share : 1 - share, onDark); };
    QCPColorGradient gradient;
    gradient.clearColorStops();
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    for (int i = 0; i <= gradientStops; ++i) {
        const double share = static_cast<double>(i) / gradientStops;
        gradient.setColorStopAt(share, colorOf(share));
    }
    m_colors->setGradient(gradient);
    m_ground->setGradient(gradient, QCPRange(m_map.scale.low, m_map.scale.high));
    std::vector<QColor> ofPoints;
    for (int i = 0; i < pointColors; ++i)
        ofPoints.push_back(gradientColor(static_cast<double>(i) / (pointColors - 1), onDark));
    trialPoints()->setGradient(std::move(ofPoints));
}

void MapPlot::applyColors()
{
    const PlotColors colors = plotColors(palette());
    styleScaleAxis(m_scale->axis(), palette(), font());
    m_ground->setLook(smallFont(font()), colors.grid);
    m_bestHalo->setPen(QPen(colors.background, 6));
    m_bestFrame->setPen(QPen(colors.text, 2));
    m_selectedFrame->setPen(QPen(palette().color(QPalette::Highlight), 2.4));
    applyGradient();
    TrialScatter::applyColors();
}

/// Where points are not drawn, a cell has the place of its trials.
int MapPlot::trialAt(const QPointF &place) const
{
    if (content().arePointsDrawn)
        return TrialScatter::trialAt(place);
    const GroundCell *cell = m_ground->cellAt(place);
    return cell ? cell->trial : 0;
}

QString MapPlot::textAt(const QPointF &place) const
{
    const QString text = TrialScatter::textAt(place);
    if (!text.isEmpty() || (content().arePointsDrawn && trialAt(place) != 0))
        return text;
    const GroundCell *cell = m_ground->cellAt(place);
    return cell ? cell->text : QString();
}

void MapPlot::markCell(QCPItemRect *frame, const GroundCell *cell)
{
    frame->setVisible(cell != nullptr);
    if (!cell)
        return;
    frame->topLeft->setCoords(cell->area.left(), cell->area.bottom());
    frame->bottomRight->setCoords(cell->area.right(), cell->area.top());
}

void MapPlot::markAll()
{
    TrialScatter::markAll();
    const bool areMarked = !content().areMarksDrawn;
    const auto best = std::ranges::find(cells(), true, &GroundCell::hasBest);
    for (QCPItemRect *frame : {m_bestHalo, m_bestFrame})
        markCell(frame, areMarked && best != cells().end() ? &*best : nullptr);
    const bool isSelected = areMarked && selectedTrial() != 0;
    markCell(m_selectedFrame, isSelected ? m_ground->cellAt(placeOf(selectedTrial())) : nullptr);
}

}  // namespace sweepscope::ui
