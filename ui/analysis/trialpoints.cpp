#include "ui/analysis/trialpoints.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

TrialPoints::TrialPoints(QCPAxis *keyAxis, QCPAxis *valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis)
{
    setSelectable(QCP::stNone);
}

void TrialPoints::setPoints(std::vector<TrialPoint> points)
{
    // Draw faint points first.
    std::stable_partition(points.begin(), points.end(), [](const TrialPoint &point) {
        return point.kind == PointKind::FaintCompleted || point.kind == PointKind::FaintPruned;
    });
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
        if (point.kind == PointKind::FaintCompleted || point.kind == PointKind::FaintPruned)
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

QColor TrialPoints::colorOf(PointKind kind) const
{
    const bool isFaint = kind == PointKind::FaintCompleted || kind == PointKind::FaintPruned;
    QColor color = isFaint ? m_faint : m_usual;
    color.setAlpha(isFaint ? faintPointAlpha : m_points.size() > veryMany ? veryManyAlpha : usualAlpha);
    return color;
}

void TrialPoints::drawShape(QPainter *painter, const QPointF &place, double size, PointKind kind, const QColor &color)
{
    const double half = size / 2;
    if (kind == PointKind::Pruned || kind == PointKind::FaintPruned) {
        painter->setPen(QPen(color, 1.3));
        painter->setBrush(Qt::NoBrush);
        const QPointF corners[] = {place + QPointF(0, half), place + QPointF(-half, -half),
                                   place + QPointF(half, -half)};
        painter->drawPolygon(corners, 3);
    } else {
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawEllipse(place, half, half);
    }
}

QPixmap TrialPoints::stampOf(PointKind kind, double ratio) const
{
    const int side = static_cast<int>(std::ceil((size() + 3) * ratio));
    QPixmap stamp(side, side);
    stamp.fill(Qt::transparent);
    QPainter painter(&stamp);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(ratio, ratio);
    drawShape(&painter, QPointF(side, side) / (2 * ratio), size(), kind, colorOf(kind));
    return stamp;
}

void TrialPoints::draw(QCPPainter *painter)
{
    const QRectF area = clipRect();
    const bool asShapes = painter->modes().testFlag(QCPPainter::pmVectorized);
    constexpr std::array kinds{PointKind::FaintCompleted, PointKind::FaintPruned, PointKind::Completed,
                               PointKind::Pruned};
    std::array<std::vector<QPainter::PixmapFragment>, kinds.size()> fragments;
    const double ratio = painter->device()->devicePixelRatioF();
    const double side = std::ceil((size() + 3) * ratio);
    painter->setRenderHint(QPainter::Antialiasing);
    for (const TrialPoint &point : m_points) {
        const QPointF place = placeOf(point);
        if (!area.contains(place))
            continue;
        if (asShapes)
            drawShape(painter, place, size(), point.kind, colorOf(point.kind));
        else
            fragments[static_cast<std::size_t>(std::ranges::find(kinds, point.kind) - kinds.begin())].push_back(
                QPainter::PixmapFragment::create(place, QRectF(0, 0, side, side), 1 / ratio, 1 / ratio));
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (!fragments[i].empty())
            painter->drawPixmapFragments(fragments[i].data(), static_cast<int>(fragments[i].size()),
                                         stampOf(kinds[i], ratio));
    }
}

}  // namespace sweepscope::ui
