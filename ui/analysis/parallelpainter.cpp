#include "ui/analysis/parallelpainter.h"

#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/valuegradient.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr int tickLength = 4;
constexpr int shadesWidth = 8;
constexpr int tickRoom = 26;  ///< least distance of two ticks in pixels
constexpr int mostTicks = 11;
constexpr int rangeWidth = 14;
constexpr int groundMargin = 2;  ///< pixels around text on top of lines
constexpr int wideGap = 480;     ///< of a single axis, in pixels

void paintOnGround(QPainter *painter, const QRectF &area, Qt::Alignment alignment, const QString &text,
                   const QColor &ground)
{
    const QRectF place = painter->boundingRect(area, static_cast<int>(alignment), text);
    painter->fillRect(place.adjusted(-groundMargin, 0, groundMargin, 0), ground);
    painter->drawText(area, static_cast<int>(alignment), text);
}

double gapOf(const ParallelPlaces &places)
{
    return places.xs.size() > 1 ? places.xs[1] - places.xs[0] : wideGap;
}

/// Draws the colour scale along the target's axis.
void paintShades(QPainter *painter, const ParallelScene &scene)
{
    const auto target = static_cast<int>(scene.figure.axes.size()) - 1;
    const auto place = std::ranges::find(scene.places.axes, target);
    if (place == scene.places.axes.end())
        return;
    const double x = scene.places.xs[static_cast<std::size_t>(place - scene.places.axes.begin())];
    const AxisScale &scale = scene.figure.target().scale;
    const bool dark = isDark(scene.palette);
    const double low = scene.places.yOf(scale.positionOfUnit(scale.low));
    const double high = scene.places.yOf(scale.positionOfUnit(scale.high));
    QLinearGradient gradient(0, low, 0, high);
    constexpr int stops = 24;
    for (int i = 0; i <= stops; ++i) {
        const double share = static_cast<double>(i) / stops;
        const double value = scale.valueAt(scale.low + share * (scale.high - scale.low));
        gradient.setColorAt(share, gradientColor(scene.figure.shadeOf(value), dark));
    }
    painter->fillRect(QRectF(x - shadesWidth / 2.0, high, shadesWidth, low - high), gradient);
}

void paintTicks(QPainter *painter, const ParallelScene &scene, std::size_t index)
{
    const PlotColors colors = plotColors(scene.palette);
    const FigureAxis &axis = scene.figure.axes[static_cast<std::size_t>(scene.places.axes[index])];
    painter->setFont(smallFont(scene.font));
    const QFontMetricsF metrics(painter->font());
    const double line = metrics.height();
    const int most =
        std::clamp(static_cast<int>((scene.places.bottom - scene.places.top) / std::max<double>(tickRoom, line * 1.6)),
                   2, mostTicks);
    const double x = scene.places.xs[index];
    const bool isLast = index + 1 == scene.places.axes.size();
    // Labels of the last axis are on its left, if there is room.
    const double room = std::max(10.0, gapOf(scene.places) - shadesWidth - 2 * spacing::tiny);
    double last = scene.places.bottom + 2 * line;
    for (const AxisTick &tick : axis.scale.ticks(axis.scale.lowest(), axis.scale.highest(), most)) {
        const double y = scene.places.yOf(axis.scale.positionOfUnit(tick.unit));
        painter->setPen(QPen(colors.cursor, 1));
        const double begin = axis.id.isEmpty() ? shadesWidth / 2.0 : 0;
        const double direction = isLast ? -1 : 1;
        painter->drawLine(QPointF(x + direction * begin, y), QPointF(x + direction * (begin + tickLength), y));
        if (last - y < line * 0.95)
            continue;  // the labels would overlap
        last = y;
        painter->setPen(colors.text);
        const double offset = begin + tickLength + 3;
        const QRectF area(isLast ? x - offset - room : x + offset, y - line / 2, room, line);
        paintOnGround(painter, area, (isLast ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                      metrics.elidedText(tick.text, Qt::ElideMiddle, room), colors.background);
    }
}

void paintTitle(QPainter *painter, const ParallelScene &scene, std::size_t index)
{
    const FigureAxis &axis = scene.figure.axes[static_cast<std::size_t>(scene.places.axes[index])];
    const bool isChosen = scene.chosenAxis == axis.id;
    painter->setFont(isChosen || axis.id.isEmpty() ? emphasisFont(scene.font) : scene.font);
    const QFontMetricsF metrics(painter->font());
    const double gap = gapOf(scene.places);
    const bool inTwoRows = scene.titlesInTwoRows;
    const double line = QFontMetrics(scene.font).height();
    const double y = spacing::tiny + (inTwoRows && index % 2 == 1 ? line + spacing::tiny : 0);
    const double room = (inTwoRows ? 2 * gap : gap) - spacing::small;
    double left = scene.places.xs[index] - room / 2;
    Qt::Alignment alignment = Qt::AlignHCenter;
    const QString text = metrics.elidedText(axis.title, Qt::ElideMiddle, room);
    const double width = metrics.horizontalAdvance(text);
    if (scene.places.xs[index] - width / 2 < spacing::tiny) {
        alignment = Qt::AlignLeft;
        left = spacing::tiny;
    } else if (scene.places.xs[index] + width / 2 > scene.width - spacing::tiny) {
        alignment = Qt::AlignRight;
        left = scene.width - spacing::tiny - room;
    }
    painter->setPen(isChosen ? scene.palette.color(QPalette::Link) : scene.palette.color(QPalette::Text));
    painter->drawText(QRectF(left, y, room, line), static_cast<int>(alignment | Qt::AlignVCenter), text);
}

void paintRange(QPainter *painter, const ParallelScene &scene, std::size_t index)
{
    const FigureAxis &axis = scene.figure.axes[static_cast<std::size_t>(scene.places.axes[index])];
    const auto range = scene.ranges.find(axis.id);
    if (range == scene.ranges.end())
        return;
    const double high = scene.places.yOf(range->second.second);
    const double low = scene.places.yOf(range->second.first);
    const QRectF area(scene.places.xs[index] - rangeWidth / 2.0, high, rangeWidth, std::max(2.0, low - high));
    QColor fill = scene.palette.color(QPalette::Highlight);
    painter->setPen(QPen(fill, 1.5));
    fill.setAlpha(70);
    painter->setBrush(fill);
    painter->drawRoundedRect(area, 3, 3);
    painter->setBrush(Qt::NoBrush);
}

}  // namespace

void paintAxes(QPainter *painter, const ParallelScene &scene)
{
    painter->setRenderHint(QPainter::Antialiasing);
    const PlotColors colors = plotColors(scene.palette);
    paintShades(painter, scene);
    for (std::size_t i = 0; i < scene.places.axes.size(); ++i) {
        const double x = scene.places.xs[i];
        const FigureAxis &axis = scene.figure.axes[static_cast<std::size_t>(scene.places.axes[i])];
        const bool isChosen = scene.chosenAxis == axis.id;
        painter->setPen(isChosen ? QPen(scene.palette.color(QPalette::Highlight), scene.hasFocus ? 2.5 : 1.5)
                                 : QPen(colors.cursor, 1));
        painter->drawLine(QPointF(x, scene.places.top), QPointF(x, scene.places.bottom));
        paintRange(painter, scene, i);
        paintTicks(painter, scene, i);
        paintTitle(painter, scene, i);
    }
    if (scene.dropX) {
        painter->setPen(QPen(scene.palette.color(QPalette::Highlight), 2, Qt::DashLine));
        painter->drawLine(QPointF(*scene.dropX, scene.places.top), QPointF(*scene.dropX, scene.places.bottom));
    }
}

void paintTrial(QPainter *painter, const ParallelScene &scene, int trial, bool withValues)
{
    const int row = scene.figure.rowOf(trial);
    if (row < 0)
        return;
    const PlotColors colors = plotColors(scene.palette);
    const std::vector<QPointF> points = lineOf(scene.figure, scene.places, row);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colors.background, 5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(points.data(), static_cast<int>(points.size()));
    painter->setPen(QPen(scene.palette.color(QPalette::Highlight), 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(points.data(), static_cast<int>(points.size()));
    if (!withValues)
        return;
    painter->setBrush(scene.palette.color(QPalette::Highlight));
    painter->setPen(QPen(colors.background, 1));
    for (const QPointF &point : points)
        painter->drawEllipse(point, 3.5, 3.5);
    painter->setBrush(Qt::NoBrush);
}

}  // namespace sweepscope::ui
