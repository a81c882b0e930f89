#include "ui/analysis/mapground.h"

#include "ui/analysis/contourlabel.h"
#include "ui/theme/spacing.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr int brightest = 140;  ///< of a ground for light text, of 255
constexpr int lineAlpha = 150;
constexpr double levelWidth = 1.1;
constexpr std::size_t mostAvoided = 300;  ///< more points leave no room for a label
constexpr double labelHalo = 4;           ///< around the label of a line, which it interrupts

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

void MapGround::setLines(std::vector<GroundLine> lines, std::vector<QPointF> points)
{
    m_lines = std::move(lines);
    m_points = std::move(points);
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
    drawLines(painter);
}

/// Labels come after all lines, which would cross them.
void MapGround::drawLines(QCPPainter *painter) const
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    std::vector<QPolygonF> drawn;
    for (const GroundLine &line : m_lines) {
        QColor color = contrastTo(colorAt(line.unit));
        color.setAlpha(lineAlpha);
        painter->setPen(QPen(color, levelWidth));
        QPolygonF &pixels = drawn.emplace_back();
        for (const QPointF &point : line.points)
            pixels << QPointF(mKeyAxis->coordToPixel(point.x()), mValueAxis->coordToPixel(point.y()));
        painter->drawPolyline(pixels);
    }
    const QFontMetricsF metrics(m_font);
    std::vector<QRectF> taken;
    std::vector<QRectF> dots;
    for (std::size_t i = 0; i < m_points.size() && m_points.size() <= mostAvoided; ++i) {
        const QPointF middle(mKeyAxis->coordToPixel(m_points[i].x()), mValueAxis->coordToPixel(m_points[i].y()));
        dots.emplace_back(middle, QSizeF(1, 1));
    }
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const QString &label = m_lines[i].label;
        const QSizeF size(metrics.horizontalAdvance(label), metrics.height());
        if (label.isEmpty())
            continue;
        std::vector<QRectF> avoided = taken;
        avoided.insert(avoided.end(), dots.begin(), dots.end());
        std::optional<QRectF> place = labelPlace(drawn[i], size, QRectF(clipRect()), avoided);
        if (!place)
            place = labelPlace(drawn[i], size, QRectF(clipRect()), taken);
        if (!place)
            continue;
        taken.push_back(*place);
        const QColor ground = colorAt(m_lines[i].unit);
        QPainterPath text;
        text.addText(place->topLeft() + QPointF(0, metrics.ascent()), m_font, label);
        painter->strokePath(text, QPen(ground, labelHalo, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->fillPath(text, contrastTo(ground));
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
