#include "ui/analysis/referenceband.h"

#include "ui/models/valuetext.h"
#include "ui/theme/plotcolors.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int bandAlpha = 45;
constexpr double nearCurve = 5;  ///< pixels

struct BandWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::ReferenceBand)
};

}  // namespace

ReferenceBand::ReferenceBand(QCustomPlot *plot)
    : m_plot(plot),
      m_low(new QCPGraph(plot->xAxis, plot->yAxis)),
      m_curve(new QCPGraph(plot->xAxis, plot->yAxis)),
      m_high(new QCPGraph(plot->xAxis, plot->yAxis))
{
    plot->addLayer(u"reference"_s, plot->layer(u"main"_s), QCustomPlot::limBelow);
    for (QCPGraph *graph : {m_low, m_curve, m_high}) {
        graph->setLayer(u"reference"_s);
        graph->setVisible(false);
    }
    m_curve->setChannelFillGraph(m_low);
    m_high->setChannelFillGraph(m_curve);
}

void ReferenceBand::setData(Data data)
{
    m_data = std::move(data);
    QVector<double> keys;
    QVector<double> values;
    for (const QPointF &point : m_data.curve) {
        keys << point.x();
        values << point.y();
    }
    m_curve->setData(keys, values, true);
    m_low->setData(keys, QVector<double>(m_data.lows.begin(), m_data.lows.end()), true);
    m_high->setData(keys, QVector<double>(m_data.highs.begin(), m_data.highs.end()), true);
    for (QCPGraph *graph : {m_low, m_curve, m_high})
        graph->setVisible(isShown());
}

void ReferenceBand::setColors(const QPalette &palette)
{
    const QColor color = plotColors(palette).subtleText;
    QColor band = color;
    band.setAlpha(bandAlpha);
    m_low->setPen(Qt::NoPen);
    m_high->setPen(Qt::NoPen);
    m_curve->setPen(QPen(color, 1.2, Qt::DashLine));
    m_curve->setBrush(band);
    m_high->setBrush(band);
}

void ReferenceBand::drawSample(QPainter &painter, const QRectF &area) const
{
    const QRectF band = area.adjusted(0, area.height() * 0.2, 0, -area.height() * 0.2);
    painter.fillRect(band, m_high->brush());
    painter.setPen(m_curve->pen());
    painter.drawLine(QPointF(band.left(), band.center().y()), QPointF(band.right(), band.center().y()));
}

QString ReferenceBand::textAt(const QPointF &place, const AxisScale &values) const
{
    if (m_data.curve.empty())
        return {};
    const double x = m_plot->xAxis->pixelToCoord(place.x());
    const auto found =
        std::ranges::min_element(m_data.curve, {}, [x](const QPointF &point) { return std::abs(point.x() - x); });
    const double away = std::abs(m_plot->yAxis->coordToPixel(found->y()) - place.y());
    if (away > nearCurve || !m_plot->axisRect()->rect().contains(place.toPoint())
        || std::abs(m_plot->xAxis->coordToPixel(found->x()) - place.x()) > nearCurve)
        return {};
    const auto index = static_cast<std::size_t>(found - m_data.curve.begin());
    const auto text = [&values](double unit) { return numberText(values.valueAt(unit)); };
    return BandWords::tr("%1 after trial %L2: %3\n80% of searches: %4 to %5")
        .arg(m_data.name)
        .arg(index + 1)
        .arg(text(found->y()), text(m_data.lows[index]), text(m_data.highs[index]));
}

}  // namespace sweepscope::ui
