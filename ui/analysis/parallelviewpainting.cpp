// How the parallel coordinates look: the lines are an image, everything else is painted here.
#include "ui/analysis/parallelview.h"
#include "ui/live/qcustomplotheader.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/theme/valuegradient.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int tickLength = 4;
constexpr int shadesWidth = 8;
constexpr int tickRoom = 26;  ///< pixels, at least, from one tick to the next
constexpr int mostTicks = 11;
constexpr int rangeWidth = 14;
constexpr int groundMargin = 2;  ///< pixels around texts that lie on lines
constexpr int wideGap = 480;     ///< of a single axis

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

}  // namespace

void ParallelView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), plotColors(palette()).background);
    if (!m_figure)
        return;
    const ParallelPlaces now = places();
    if (!m_lines.isNull()) {
        // Until the lines for a new size are there, the old ones do.
        const bool isSameOrder = m_linesPlaces.axes == now.axes;
        if (m_lines.size() == size() * devicePixelRatioF() && isSameOrder)
            painter.drawImage(0, 0, m_lines);
        else if (isSameOrder)
            painter.drawImage(rect(), m_lines);
    }
    if (m_selected != 0)
        paintTrial(&painter, now, m_selected, m_hovered == 0);
    if (m_hovered != 0)
        paintTrial(&painter, now, m_hovered, true);
    paintAxes(&painter, now, false);
}

void ParallelView::paintPicture(QPainter *painter) const
{
    if (!m_figure)
        return;
    paintAxes(painter, places(), true);
}

PictureLayer ParallelView::pictureLines(const PictureLook &look) const
{
    LinesRequest lines = request(0);
    lines.ratio = look.scale;
    return [lines, asVectors = look.format != PictureFormat::Png](QPainter &painter, const PictureProgress &goOn) {
        return !lines.figure || paintLinesOrImage(&painter, lines, asVectors, goOn);
    };
}

PictureSheet ParallelView::sheet(const QString &title)
{
    return titledSheet(
        *this, title, size(), [this](QCPPainter &painter) { paintPicture(&painter); },
        [this](const PictureLook &look) { return pictureLines(look); });
}

void ParallelView::paintAxes(QPainter *painter, const ParallelPlaces &places, bool isPicture) const
{
    painter->setRenderHint(QPainter::Antialiasing);
    const PlotColors colors = plotColors(palette());
    paintShades(painter, places);
    for (std::size_t i = 0; i < places.axes.size(); ++i) {
        const double x = places.xs[i];
        const FigureAxis &axis = m_figure->axes[static_cast<std::size_t>(places.axes[i])];
        const bool isChosen = !isPicture && axis.id == m_chosen;
        painter->setPen(isChosen ? QPen(palette().color(QPalette::Highlight), hasFocus() ? 2.5 : 1.5)
                                 : QPen(colors.cursor, 1));
        painter->drawLine(QPointF(x, places.top), QPointF(x, places.bottom));
        paintRange(painter, places, i);
        paintTicks(painter, places, i);
        paintTitle(painter, places, i, isPicture);
    }
    if (m_drag == Drag::Axis && m_hasMoved && !isPicture) {
        painter->setPen(QPen(palette().color(QPalette::Highlight), 2, Qt::DashLine));
        painter->drawLine(QPointF(m_last.x(), places.top), QPointF(m_last.x(), places.bottom));
    }
}

/// What the colours mean, along the axis of the value.
void ParallelView::paintShades(QPainter *painter, const ParallelPlaces &places) const
{
    const auto target = static_cast<int>(m_figure->axes.size()) - 1;
    const auto place = std::ranges::find(places.axes, target);
    if (place == places.axes.end())
        return;
    const double x = places.xs[static_cast<std::size_t>(place - places.axes.begin())];
    const AxisScale &scale = m_figure->target().scale;
    const bool dark = isDark(palette());
    const double low = places.yOf(scale.positionOfUnit(scale.low));
    const double high = places.yOf(scale.positionOfUnit(scale.high));
    QLinearGradient gradient(0, low, 0, high);
    constexpr int stops = 24;
    for (int i = 0; i <= stops; ++i) {
        const double share = static_cast<double>(i) / stops;
        const double value = scale.valueAt(scale.low + share * (scale.high - scale.low));
        gradient.setColorAt(share, gradientColor(m_figure->shadeOf(value), dark));
    }
    painter->fillRect(QRectF(x - shadesWidth / 2.0, high, shadesWidth, low - high), gradient);
}

void ParallelView::paintTicks(QPainter *painter, const ParallelPlaces &places, std::size_t index) const
{
    const PlotColors colors = plotColors(palette());
    const FigureAxis &axis = m_figure->axes[static_cast<std::size_t>(places.axes[index])];
    painter->setFont(smallFont(font()));
    const QFontMetricsF metrics(painter->font());
    const double line = metrics.height();
    const int most = std::clamp(static_cast<int>((places.bottom - places.top) / std::max<double>(tickRoom, line * 1.6)),
                                2, mostTicks);
    const double x = places.xs[index];
    const bool isLast = index + 1 == places.axes.size();
    // Of the last axis they stand on the left, where there is room.
    const double room = std::max(10.0, gapOf(places) - shadesWidth - 2 * spacing::tiny);
    double last = places.bottom + 2 * line;
    for (const AxisTick &tick : axis.scale.ticks(axis.scale.lowest(), axis.scale.highest(), most)) {
        const double y = places.yOf(axis.scale.positionOfUnit(tick.unit));
        painter->setPen(QPen(colors.cursor, 1));
        const double begin = axis.id.isEmpty() ? shadesWidth / 2.0 : 0;
        const double direction = isLast ? -1 : 1;
        painter->drawLine(QPointF(x + direction * begin, y), QPointF(x + direction * (begin + tickLength), y));
        if (last - y < line * 0.95)
            continue;  // the texts would lie on each other
        last = y;
        painter->setPen(colors.text);
        const double offset = begin + tickLength + 3;
        const QRectF area(isLast ? x - offset - room : x + offset, y - line / 2, room, line);
        paintOnGround(painter, area, (isLast ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                      metrics.elidedText(tick.text, Qt::ElideMiddle, room), colors.background);
    }
}

void ParallelView::paintTitle(QPainter *painter, const ParallelPlaces &places, std::size_t index, bool isPicture) const
{
    const FigureAxis &axis = m_figure->axes[static_cast<std::size_t>(places.axes[index])];
    const bool isChosen = !isPicture && axis.id == m_chosen;
    painter->setFont(isChosen || axis.id.isEmpty() ? emphasisFont(font()) : font());
    const QFontMetricsF metrics(painter->font());
    const double gap = gapOf(places);
    const bool inTwoRows = hasTitlesInTwoRows();
    const double line = fontMetrics().height();
    const double y = spacing::tiny + (inTwoRows && index % 2 == 1 ? line + spacing::tiny : 0);
    const double room = (inTwoRows ? 2 * gap : gap) - spacing::small;
    double left = places.xs[index] - room / 2;
    Qt::Alignment alignment = Qt::AlignHCenter;
    const QString text = metrics.elidedText(axis.title, Qt::ElideMiddle, room);
    const double width = metrics.horizontalAdvance(text);
    if (places.xs[index] - width / 2 < spacing::tiny) {
        alignment = Qt::AlignLeft;
        left = spacing::tiny;
    } else if (places.xs[index] + width / 2 > this->width() - spacing::tiny) {
        alignment = Qt::AlignRight;
        left = this->width() - spacing::tiny - room;
    }
    painter->setPen(isChosen ? palette().color(QPalette::Link) : palette().color(QPalette::Text));
    painter->drawText(QRectF(left, y, room, line), static_cast<int>(alignment | Qt::AlignVCenter), text);
}

void ParallelView::paintRange(QPainter *painter, const ParallelPlaces &places, std::size_t index) const
{
    const FigureAxis &axis = m_figure->axes[static_cast<std::size_t>(places.axes[index])];
    const auto range = m_ranges.find(axis.id);
    if (range == m_ranges.end())
        return;
    const double high = places.yOf(range->second.second);
    const double low = places.yOf(range->second.first);
    const QRectF area(places.xs[index] - rangeWidth / 2.0, high, rangeWidth, std::max(2.0, low - high));
    QColor fill = palette().color(QPalette::Highlight);
    painter->setPen(QPen(fill, 1.5));
    fill.setAlpha(70);
    painter->setBrush(fill);
    painter->drawRoundedRect(area, 3, 3);
    painter->setBrush(Qt::NoBrush);
}

void ParallelView::paintTrial(QPainter *painter, const ParallelPlaces &places, int trial, bool withValues) const
{
    const int row = m_figure->rowOf(trial);
    if (row < 0)
        return;
    const PlotColors colors = plotColors(palette());
    const std::vector<QPointF> points = lineOf(*m_figure, places, row);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colors.background, 5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(points.data(), static_cast<int>(points.size()));
    painter->setPen(QPen(palette().color(QPalette::Highlight), 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(points.data(), static_cast<int>(points.size()));
    if (!withValues)
        return;
    painter->setBrush(palette().color(QPalette::Highlight));
    painter->setPen(QPen(colors.background, 1));
    for (const QPointF &point : points)
        painter->drawEllipse(point, 3.5, 3.5);
    painter->setBrush(Qt::NoBrush);
}

}  // namespace sweepscope::ui
