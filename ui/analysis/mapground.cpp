#include "ui/analysis/mapground.h"

#include "ui/theme/spacing.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr int brightest = 140;  ///< of a ground for light text, of 255
constexpr int lineAlpha = 150;
constexpr double levelWidth = 1.1;

/// Black or white, whichever is readable on a colour.
QColor contrastTo(const QColor &ground)
{
    return qGray(ground.rgb()) > brightest ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace

MapGround::MapGround(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis)
{
    setSelectable(QCP::stNone);
}

void MapGround::setCells(std::vector<GroundCell> cells)
{
    m_cells = std::move(cells);
}

void MapGround::setLines(std::vector<GroundLine> lines)
{
    m_lines = std::move(lines);
}

void MapGround::setGradient(const QCPColorGradient &gradient, const QCPRange &range)
{
    m_gradient = gradient;
    m_range = range;
}

void MapGround::setLook(const QFont &font, const QColor &gap)
{
    m_font = font;
    m_gap = gap;
}

QRectF MapGround::pixelsOf(const QRectF &area) const
{
    const QPointF from(mKeyAxis->coordToPixel(area.left()), mValueAxis->coordToPixel(area.top()));
    const QPointF to(mKeyAxis->coordToPixel(area.right()), mValueAxis->coordToPixel(area.bottom()));
    return QRectF(from, to).normalized();
}

const GroundCell *MapGround::cellAt(const QPointF &place) const
{
    if (!QRectF(clipRect()).contains(place))
        return nullptr;
    const auto found =
        std::ranges::find_if(m_cells, [&](const GroundCell &cell) { return pixelsOf(cell.area).contains(place); });
    return found == m_cells.end() ? nullptr : &*found;
}

QCPRange MapGround::getKeyRange(bool &found, QCP::SignDomain) const
{
    found = false;
    return {};
}

QCPRange MapGround::getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const
{
    found = false;
    return {};
}

QColor MapGround::colorAt(double unit) const
{
    return QColor::fromRgb(m_gradient.color(unit, m_range));
}

void MapGround::draw(QCPPainter *painter)
{
    painter->setRenderHint(QPainter::Antialiasing, false);
    for (const GroundCell &cell : m_cells) {
        const QRectF area = pixelsOf(cell.area);
        // Neighbours end at the same pixel, and a thin gap separates them.
        const QRect pixels(QPoint(qRound(area.left()), qRound(area.top())),
                           QPoint(qRound(area.right()) - 2, qRound(area.bottom()) - 2));
        if (std::isnan(cell.unit)) {
            painter->setPen(m_gap);
            painter->setBrush(QBrush(m_gap, Qt::BDiagPattern));
            painter->drawRect(pixels.adjusted(0, 0, -1, -1));
            continue;
        }
        const QColor color = colorAt(cell.unit);
        painter->fillRect(pixels, color);
        drawLabels(painter, pixels, cell, contrastTo(color));
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    for (const GroundLine &line : m_lines) {
        QColor color = contrastTo(colorAt(line.unit));
        color.setAlpha(lineAlpha);
        painter->setPen(QPen(color, levelWidth));
        QPolygonF pixels;
        for (const QPointF &point : line.points)
            pixels << QPointF(mKeyAxis->coordToPixel(point.x()), mValueAxis->coordToPixel(point.y()));
        painter->drawPolyline(pixels);
    }
}

void MapGround::drawLabels(QCPPainter *painter, const QRectF &area, const GroundCell &cell, const QColor &color) const
{
    const QFontMetricsF metrics(m_font);
    QStringList shown;
    for (const QString &label : cell.labels) {
        const bool fits = metrics.horizontalAdvance(label) + spacing::tiny <= area.width()
                          && metrics.height() * static_cast<double>(shown.size() + 1) <= area.height();
        if (!fits)
            break;
        shown << label;
    }
    if (shown.isEmpty())
        return;
    painter->setPen(color);
    painter->setFont(m_font);
    painter->drawText(area, Qt::AlignCenter, shown.join(u'\n'));
}

}  // namespace sweepscope::ui
