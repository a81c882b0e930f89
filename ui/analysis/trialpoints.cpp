#include "ui/analysis/trialpoints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::size_t many = 500;
constexpr std::size_t veryMany = 3000;
constexpr double fewSize = 8;
constexpr double manySize = 6;
constexpr double veryManySize = 4.5;
constexpr int usualAlpha = 210;
constexpr int veryManyAlpha = 120;
constexpr int faintPointAlpha = 60;
constexpr double lineWidth = 1.3;
constexpr double outlineWidth = 1.2;
constexpr double stampMargin = 5;
constexpr double squareShare = 0.85;  ///< of the diameter: a square looks larger than a disc

}  // namespace

TrialPoints::TrialPoints(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis)
{
    setSelectable(QCP::stNone);
}

void TrialPoints::setPoints(std::vector<TrialPoint> points)
{
    // Draw faint points first.
    std::stable_partition(points.begin(), points.end(), [](const TrialPoint &point) { return isFaint(point.kind); });
    m_points = std::move(points);
}

void TrialPoints::setColors(const QColor &usual, const QColor &faint)
{
    m_usual = usual;
    m_faint = faint;
}

double TrialPoints::size() const
{
    return m_points.size() > veryMany ? veryManySize : m_points.size() > many ? manySize : fewSize;
}

QPointF TrialPoints::placeOf(const TrialPoint &point) const
{
    return {mKeyAxis->coordToPixel(point.x), mValueAxis->coordToPixel(point.y)};
}

const TrialPoint *TrialPoints::nearest(const QPointF &place, double within) const
{
    const TrialPoint *found = nullptr;
    double distance = within * within;
    for (const TrialPoint &point : m_points) {
        if (isFaint(point.kind))
            continue;
        const QPointF away = placeOf(point) - place;
        if (const double squared = QPointF::dotProduct(away, away); squared <= distance) {
            distance = squared;
            found = &point;
        }
    }
    return found;
}

QCPRange TrialPoints::getKeyRange(bool &found, QCP::SignDomain) const
{
    found = !m_points.empty();
    if (!found)
        return {};
    const auto [low, high] = std::ranges::minmax(m_points, {}, &TrialPoint::x);
    return {low.x, high.x};
}

QCPRange TrialPoints::getValueRange(bool &found, QCP::SignDomain, const QCPRange &) const
{
    found = !m_points.empty();
    if (!found)
        return {};
    const auto [low, high] = std::ranges::minmax(m_points, {}, &TrialPoint::y);
    return {low.y, high.y};
}

/// 0: the usual colour; else one more than the place in the gradient.
std::size_t TrialPoints::colorIndex(const TrialPoint &point) const
{
    if (point.shade < 0 || m_gradient.empty() || isFaint(point.kind))
        return 0;
    const auto last = static_cast<float>(m_gradient.size() - 1);
    return 1 + static_cast<std::size_t>(std::lround(std::clamp(point.shade, 0.F, 1.F) * last));
}

QColor TrialPoints::colorOf(PointKind kind, std::size_t index) const
{
    if (index > 0)
        return m_gradient[index - 1];
    QColor color = isFaint(kind) ? m_faint : m_usual;
    color.setAlpha(isFaint(kind) ? faintPointAlpha : m_points.size() > veryMany ? veryManyAlpha : usualAlpha);
    return color;
}

QColor TrialPoints::outlineOf(PointKind kind) const
{
    return isFaint(kind) ? QColor() : m_outline;
}

void TrialPoints::drawShape(QPainter *painter, const QPointF &place, double size, PointKind kind, const QColor &color,
                            const QColor &outline)
{
    const double half = size / 2;
    if (kind == PointKind::Completed || kind == PointKind::FaintCompleted) {
        painter->setPen(outline.isValid() ? QPen(outline, outlineWidth) : QPen(Qt::NoPen));
        painter->setBrush(color);
        painter->drawEllipse(place, half, half);
        return;
    }
    painter->setBrush(Qt::NoBrush);
    const QRectF square(place - QPointF(half, half) * squareShare, QSizeF(size, size) * squareShare);
    const QPointF corners[] = {place + QPointF(0, half), place + QPointF(-half, -half), place + QPointF(half, -half)};
    for (const auto &[stroke, width] :
         {std::pair(outline, lineWidth + 2 * outlineWidth), std::pair(color, lineWidth)}) {
        if (!stroke.isValid())
            continue;
        painter->setPen(QPen(stroke, width));
        if (kind == PointKind::Pending)
            painter->drawEllipse(place, half, half);
        else if (kind == PointKind::Stopped || kind == PointKind::FaintStopped)
            painter->drawRect(square);
        else
            painter->drawPolygon(corners, 3);
    }
}

void TrialPoints::drawSample(QPainter &painter, const QPointF &place, PointKind kind) const
{
    QColor color = colorOf(kind, 0);
    color.setAlpha(isFaint(kind) ? 2 * faintPointAlpha : usualAlpha);
    drawShape(&painter, place, fewSize, kind, color, outlineOf(kind));
}

QPixmap TrialPoints::stampOf(PointKind kind, std::size_t color, double ratio) const
{
    const int side = static_cast<int>(std::ceil((size() + stampMargin) * ratio));
    QPixmap stamp(side, side);
    stamp.fill(Qt::transparent);
    QPainter painter(&stamp);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(ratio, ratio);
    drawShape(&painter, QPointF(side, side) / (2 * ratio), size(), kind, colorOf(kind, color), outlineOf(kind));
    return stamp;
}

void TrialPoints::draw(QCPPainter *painter)
{
    if (!m_isDrawn)
        return;
    const QRectF area = clipRect();
    const bool asShapes = painter->modes().testFlag(QCPPainter::pmVectorized);
    const double ratio = painter->device()->devicePixelRatioF();
    const double side = std::ceil((size() + stampMargin) * ratio);
    // By layer from back to front: faint ones, then the others with the best on top.
    std::map<std::tuple<bool, std::ptrdiff_t, PointKind>, std::vector<QPainter::PixmapFragment>> stamps;
    painter->setRenderHint(QPainter::Antialiasing);
    for (const TrialPoint &point : m_points) {
        const QPointF place = placeOf(point);
        if (!area.contains(place))
            continue;
        const std::size_t color = colorIndex(point);
        if (asShapes)
            drawShape(painter, place, size(), point.kind, colorOf(point.kind, color), outlineOf(point.kind));
        else
            stamps[{!isFaint(point.kind), -static_cast<std::ptrdiff_t>(color), point.kind}].push_back(
                QPainter::PixmapFragment::create(place, QRectF(0, 0, side, side), 1 / ratio, 1 / ratio));
    }
    for (const auto &[key, fragments] : stamps) {
        const auto color = static_cast<std::size_t>(-std::get<1>(key));
        painter->drawPixmapFragments(fragments.data(), static_cast<int>(fragments.size()),
                                     stampOf(std::get<2>(key), color, ratio));
    }
}

}  // namespace sweepscope::ui
