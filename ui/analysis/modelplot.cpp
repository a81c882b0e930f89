#include "ui/analysis/modelplot.h"

#include "ui/analysis/scaleticker.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/valuegradient.h"

#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int scaleWidth = 10;
constexpr int gradientStops = 32;

}  // namespace

ModelPlot::ModelPlot(QWidget *parent)
    : TrialScatter(u"modelPlot"_s, parent), m_colors(new QCPColorMap(xAxis, yAxis)), m_scale(new QCPColorScale(this))
{
    m_colors->setLayer(u"reference"_s);  // above the grid, below the points
    m_colors->setTightBoundary(false);
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
    connect(this, &QCustomPlot::afterLayout, this,
            [this, ticker] { ticker->setRoom(axisRect()->height(), m_scale->axis()->tickLabelFont()); });
    outlinePoints();
}

void ModelPlot::setMap(Map map, Content content)
{
    m_map = std::move(map);
    QCPColorMapData *cells = m_colors->data();
    cells->setSize(static_cast<int>(m_map.columns), static_cast<int>(m_map.rows));
    cells->setRange(QCPRange(content.x.low, content.x.high), QCPRange(content.y.low, content.y.high));
    for (std::size_t row = 0; row < m_map.rows; ++row) {
        for (std::size_t column = 0; column < m_map.columns; ++column)
            cells->setCell(static_cast<int>(column), static_cast<int>(row), m_map.units[row * m_map.columns + column]);
    }
    m_colors->setInterpolate(m_map.isSmooth);
    m_scale->axis()->ticker().staticCast<ScaleTicker>()->setScale(m_map.scale);
    m_scale->axis()->setLabel(m_map.title);
    m_scale->setDataRange(QCPRange(m_map.scale.low, m_map.scale.high));
    applyGradient();
    setContent(std::move(content));
}

void ModelPlot::applyGradient()
{
    QCPColorGradient gradient;
    gradient.clearColorStops();
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    const bool onDark = isDark(palette());
    for (int i = 0; i <= gradientStops; ++i) {
        const double share = static_cast<double>(i) / gradientStops;
        gradient.setColorStopAt(share, gradientColor(m_map.isLowBest ? share : 1 - share, onDark));
    }
    m_colors->setGradient(gradient);
}

void ModelPlot::applyColors()
{
    styleScaleAxis(m_scale->axis(), palette(), font());
    applyGradient();
    TrialScatter::applyColors();
}

}  // namespace sweepscope::ui
