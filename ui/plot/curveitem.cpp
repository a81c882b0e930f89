#include "ui/plot/curveitem.h"

#include "ui/plot/panelview.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sweepscope::ui {

namespace {

/// Outside of any screen, but small enough for the painter's arithmetic.
constexpr double farPixels = 20'000;
/// Size of a mark at the edge, in pixels.
constexpr double markSize = 4;
/// Curves with fewer points than one per this many pixels show their points.
constexpr double dotSpacing = 36;

/// A line that travels up and down more than this multiple of the plot's width is noise.
constexpr double smoothTravel = 4;

constexpr int faintAlpha = 60;

double travel(const QPolygonF &line)
{
    double sum = 0;
    for (qsizetype i = 1; i < line.size(); ++i)
        sum += std::abs(line[i].y() - line[i - 1].y());
    return sum;
}

/// Returns where the line from `inside` to `outside` crosses `x`.
QPointF crossing(const QPointF &inside, const QPointF &outside, double x)
{
    const double share = (x - inside.x()) / (outside.x() - inside.x());
    return {x, inside.y() + share * (outside.y() - inside.y())};
}

/// Returns the part of the segment inside `area` (Liang and Barsky); nullopt if it is outside.
std::optional<QLineF> cut(const QRectF &area, const QLineF &segment)
{
    double from = 0;
    double to = 1;
    const std::pair<double, double> edges[] = {
        {-segment.dx(), segment.x1() - area.left()},
        {segment.dx(), area.right() - segment.x1()},
        {-segment.dy(), segment.y1() - area.top()},
        {segment.dy(), area.bottom() - segment.y1()},
    };
    for (const auto &[slope, distance] : edges) {
        if (slope == 0 && distance < 0)
            return std::nullopt;
        if (slope < 0)
            from = std::max(from, distance / slope);
        else if (slope > 0)
            to = std::min(to, distance / slope);
    }
    if (from > to)
        return std::nullopt;
    return QLineF(segment.pointAt(from), segment.pointAt(to));
}

std::vector<QPolygonF> cutTo(const QRectF &area, const std::vector<QPolygonF> &lines)
{
    std::vector<QPolygonF> inside;
    for (const QPolygonF &line : lines) {
        if (line.size() == 1 && area.contains(line.first()))
            inside.push_back(line);
        bool joined = false;
        for (qsizetype i = 1; i < line.size(); ++i) {
            const std::optional<QLineF> segment = cut(area, QLineF(line[i - 1], line[i]));
            if (segment && (!joined || inside.back().last() != segment->p1()))
                inside.push_back({segment->p1()});
            if (segment)
                inside.back().append(segment->p2());
            joined = segment.has_value();
        }
    }
    return inside;
}

}  // namespace

QCPRange CurveItem::getKeyRange(bool &found, QCP::SignDomain) const
{
    found = !m_curve->columns.empty();
    return found ? QCPRange(m_curve->columns.front().x, m_curve->columns.back().x) : QCPRange();
}

QCPRange CurveItem::getValueRange(bool &found, QCP::SignDomain domain, const QCPRange &keys) const
{
    const auto [low, high] = curveRange(*m_curve, m_band.get(), keys.lower, keys.upper, domain == QCP::sdPositive);
    found = low <= high;
    return found ? QCPRange(low, high) : QCPRange();
}

bool CurveItem::drawable(double value) const
{
    return isDrawn(value, mValueAxis->scaleType() == QCPAxis::stLogarithmic);
}

QPointF CurveItem::pixel(double x, double value) const
{
    return {std::clamp(mKeyAxis->coordToPixel(x), -farPixels * 1e3, farPixels * 1e3),
            std::clamp(mValueAxis->coordToPixel(value), -farPixels, farPixels)};
}

std::vector<QPolygonF> CurveItem::lines(const std::vector<series::Column> &columns) const
{
    std::vector<QPolygonF> result;
    QPolygonF line;
    const auto end = [&] {
        if (!line.isEmpty())
            result.push_back(std::move(line));
        line = {};
    };
    for (const series::Column &column : columns) {
        if (column.startsSegment)
            end();
        bool any = false;
        for (const double value : {column.first, column.min, column.max, column.last}) {
            if (!drawable(value))
                continue;
            const QPointF point = pixel(column.x, value);
            if (line.isEmpty() || line.last() != point)
                line.append(point);
            any = true;
        }
        if (!any)
            end();
    }
    end();
    // Neighbours beyond the edges may be a million screens away: clip their lines just outside.
    const double left = mKeyAxis->axisRect()->left() - 10;
    const double right = mKeyAxis->axisRect()->right() + 10;
    for (QPolygonF &polygon : result) {
        if (polygon.size() < 2)
            continue;
        if (polygon[0].x() < left && polygon[1].x() > left)
            polygon[0] = crossing(polygon[1], polygon[0], left);
        const qsizetype last = polygon.size() - 1;
        if (polygon[last].x() > right && polygon[last - 1].x() < right)
            polygon[last] = crossing(polygon[last - 1], polygon[last], right);
    }
    return result;
}

void CurveItem::drawLines(QCPPainter *painter, const std::vector<series::Column> &columns, const QPen &pen) const
{
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    const double room = smoothTravel * mKeyAxis->axisRect()->width();
    std::vector<QPolygonF> all = lines(columns);
    if (painter->modes().testFlag(QCPPainter::pmVectorized))
        all = cutTo(mKeyAxis->axisRect()->rect(), all);  // QSvgGenerator does not clip
    for (const QPolygonF &line : all) {
        if (line.size() == 1) {
            painter->setAntialiasing(true);
            painter->setBrush(pen.color());
            painter->drawEllipse(line.first(), 1.5, 1.5);
            painter->setBrush(Qt::NoBrush);
        } else if ((m_fine || m_emphasis == Emphasis::Strong) && travel(line) < room) {
            painter->setAntialiasing(true);
            painter->drawPolyline(line);
        } else {
            drawNoise(painter, line, pen.color());
        }
    }
}

/// A line that goes up and down in every column looks the same without antialiasing, in a tenth of the time: one-pixel
/// segments use the painter's fast path, a polyline does not.
void CurveItem::drawNoise(QCPPainter *painter, const QPolygonF &line, const QColor &color)
{
    QList<QLineF> segments;
    segments.reserve(line.size());
    for (qsizetype i = 1; i < line.size(); ++i) {
        QLineF segment(line[i - 1], line[i]);
        // Merge segments within a column, which overlap.
        if (!segments.isEmpty() && segment.dx() == 0 && segments.last().dx() == 0
            && segments.last().x1() == segment.x1()) {
            QLineF &last = segments.last();
            const auto [low, high] = std::minmax({last.y1(), last.y2(), segment.y1(), segment.y2()});
            last.setLine(segment.x1(), low, segment.x1(), high);
        } else {
            segments.append(segment);
        }
    }
    painter->setAntialiasing(false);
    painter->setPen(QPen(color, 0));
    painter->drawLines(segments);
}

QColor CurveItem::color() const
{
    QColor color = m_color;
    if (m_emphasis == Emphasis::Faint)
        color.setAlpha(faintAlpha);
    return color;
}

double CurveItem::distance(const PlotCurve &curve, const QCPAxis &keyAxis, const QCPAxis &valueAxis,
                           const QPointF &point)
{
    constexpr double nowhere = std::numeric_limits<double>::infinity();
    if (!curve.stack.empty())
        return nowhere;
    double least = nowhere;
    const auto take = [&](double above, double below) {  // in screen coordinates
        least = std::min(least, std::max({0.0, above - point.y(), point.y() - below}));
    };
    const bool logarithmic = valueAxis.scaleType() == QCPAxis::stLogarithmic;
    const auto drawable = [&](double value) { return isShown(value, logarithmic); };
    // Compares values rather than pixels: there may be thousands of curves.
    const double x = keyAxis.pixelToCoord(point.x());
    const double near = std::abs(keyAxis.pixelToCoord(point.x() + 1) - x);
    const series::Column *before = nullptr;
    for (const series::Column &column : curve.columns) {
        if (!drawable(column.first) || !drawable(column.last)) {
            before = nullptr;
            continue;
        }
        if (std::abs(column.x - x) <= near)
            take(valueAxis.coordToPixel(column.max),
                 drawable(column.min) ? valueAxis.coordToPixel(column.min) : valueAxis.coordToPixel(column.first));
        if (before && !column.startsSegment && before->x <= x && x <= column.x && column.x > before->x) {
            const double from = valueAxis.coordToPixel(before->last);
            const double to = valueAxis.coordToPixel(column.first);
            const double y = from + (to - from) * (x - before->x) / (column.x - before->x);
            take(y, y);
        }
        before = &column;
    }
    return least;
}

void CurveItem::drawDots(QCPPainter *painter) const
{
    const double width = mKeyAxis->axisRect()->width();
    if (m_curve->columns.empty() || static_cast<double>(m_curve->columns.size()) * dotSpacing > width)
        return;
    painter->setAntialiasing(true);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color());
    for (const series::Column &column : m_curve->columns) {
        const QPointF point = pixel(column.x, column.last);
        if (drawable(column.last) && mKeyAxis->axisRect()->rect().contains(point.toPoint()))
            painter->drawEllipse(point, 2.2, 2.2);
    }
}

void CurveItem::drawBand(QCPPainter *painter) const
{
    QPolygonF upper;
    QPolygonF lower;
    QColor fill = m_color;
    const int alpha = m_curve->stack.empty() ? bandAlpha : stackAlpha;
    fill.setAlpha(m_emphasis == Emphasis::Faint ? alpha / 3 : alpha);
    painter->setPen(Qt::NoPen);
    painter->setBrush(fill);
    painter->setAntialiasing(m_fine);
    const QRectF area = mKeyAxis->axisRect()->rect();
    const bool vectors = painter->modes().testFlag(QCPPainter::pmVectorized);
    const auto place = [&](double x, double value) {
        const QPointF point = pixel(x, value);
        return vectors ? QPointF(std::clamp(point.x(), area.left(), area.right()),
                                 std::clamp(point.y(), area.top(), area.bottom()))
                       : point;
    };
    const auto paint = [&] {
        std::reverse(lower.begin(), lower.end());
        painter->drawPolygon(upper + lower);
        upper.clear();
        lower.clear();
    };
    for (const series::Column &column : *m_band) {
        if (column.startsSegment && !upper.isEmpty())
            paint();
        if (drawable(column.min) && drawable(column.max)) {
            upper.append(place(column.x, column.max));
            lower.append(place(column.x, column.min));
        } else if (!upper.isEmpty()) {
            paint();
        }
    }
    if (!upper.isEmpty())
        paint();
}

/// Marks of values that are not numbers, or that a logarithmic axis does not have, point to the plot. Those of values that
/// are too large for axes point beyond the edge, like their lines.
void CurveItem::drawEdgeMarks(QCPPainter *painter) const
{
    const bool logarithmic = mValueAxis->scaleType() == QCPAxis::stLogarithmic;
    const std::optional<CurveExtent> &known = m_curve->extent;
    if (known && !known->hasMore && !(logarithmic && known->hasNegative))
        return;
    const QCPAxisRect *area = mKeyAxis->axisRect();
    painter->setAntialiasing(true);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color());
    for (const series::Column &column : m_curve->raw.empty() ? m_curve->columns : m_curve->raw) {
        const bool isBelow = logarithmic ? isBelowLog(column) : isBelowAxes(column);
        if (!column.hasNonFinite && !isAboveAxes(column) && !isBelow)
            continue;
        const double x = pixel(column.x, 1).x();
        const auto mark = [&](double base, double tip) {
            painter->drawPolygon(QPolygonF({{x - markSize, base}, {x + markSize, base}, {x, tip}}));
        };
        const double top = area->top() + 1;
        const double bottom = area->bottom() - 1;
        if (column.hasNonFinite)
            mark(top, top + 2 * markSize);
        else if (isAboveAxes(column))
            mark(top + 2 * markSize, top);
        if (isBelow && logarithmic)
            mark(bottom, bottom - 2 * markSize);
        else if (isBelow)
            mark(bottom - 2 * markSize, bottom);
    }
}

void CurveItem::draw(QCPPainter *painter)
{
    if (!mKeyAxis || !mValueAxis)
        return;
    if (m_band)
        drawBand(painter);
    if (!m_curve->stack.empty())
        return;
    const bool isStrong = m_emphasis == Emphasis::Strong;
    if (m_linesElsewhere && !isStrong && !painter->modes().testFlag(QCPPainter::pmVectorized)) {
        drawEdgeMarks(painter);
        return;
    }
    const double width = isStrong ? 2.4 : m_fine ? 1.4 : 1.0;
    if (!m_curve->raw.empty()) {
        QColor faint = m_color;
        faint.setAlpha(m_emphasis == Emphasis::Faint ? faintAlpha / 3 : 64);
        drawLines(painter, m_curve->raw, QPen(faint, 1.0));
    }
    QPen pen(color(), width);
    pen.setJoinStyle(Qt::BevelJoin);
    drawLines(painter, m_curve->columns, pen);
    drawDots(painter);
    drawEdgeMarks(painter);
}

}  // namespace sweepscope::ui
