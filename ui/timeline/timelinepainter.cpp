#include "ui/timeline/timelinepainter.h"

#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"
#include "ui/theme/trialcolors.h"
#include "ui/timeline/thinbars.h"
#include "ui/timeline/timeaxis.h"
#include "ui/timeline/timelinelegend.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPixmapCache>

#include <algorithm>
#include <cmath>
#include <optional>

namespace sweepscope::ui {

namespace {

constexpr int barMargin = 4;
constexpr int iconSize = 14;
constexpr int labelMargin = 2;
constexpr int tickSpacing = 92;
constexpr int usualRowHeight = 26;
constexpr int mostRowHeight = 46;
constexpr int usualLegendHeight = 22;
constexpr double roundedFrom = 16;  // pixels
constexpr double darkest = 140;
constexpr double faintest = 0.25;  // of a pixel that is hardly busy

QColor textOn(const QColor &fill)
{
    return qGray(fill.rgb()) > darkest ? QColor(0x1d, 0x23, 0x30) : QColor(Qt::white);
}

class Pen {
public:
    Pen(QPainter *painter, const TimelineScale &scale, const TimelineMarks &marks, const QPalette &palette)
        : m_painter(painter), m_scale(scale), m_marks(marks), m_palette(palette)
    {}

    void row(const TimelineRow &row, int top)
    {
        const double middle = top + m_scale.rowHeight / 2.0;
        m_painter->setPen(QPen(m_palette.color(QPalette::Midlight), 1));
        m_painter->drawLine(QPointF(m_scale.area.left(), middle), QPointF(m_scale.area.right(), middle));
        for (const OtherUse &use : row.others)
            drawOther(use, top);
        auto bar = std::lower_bound(row.bars.begin(), row.bars.end(), m_scale.from,
                                    [](const TimelineBar &one, WallNs time) { return one.to < time; });
        while (bar != row.bars.end() && bar->from <= m_scale.to) {
            if (m_scale.xOf(bar->to) - m_scale.xOf(bar->from) >= thinnestBar)
                drawBar(*bar++, top);
            else
                bar = drawTogether(bar, row.bars.end(), top);
        }
        drawBadEnds(row, middle);
    }

private:
    /// Draws the icon of failed bars that are too short for it over their neighbours, unless it would cover another
    /// icon.
    void drawBadEnds(const TimelineRow &row, double middle)
    {
        double free = m_scale.area.left() - iconSize;
        for (const TimelineBar &bar : row.bars) {
            const QRectF rect = rectOf(m_scale.xOf(bar.from), m_scale.xOf(bar.to), 0);
            const double left = rect.center().x() - iconSize / 2.0;
            if (!sweep::brokeDown(bar.state) || hasRoomForIcon(rect) || left < free || left > m_scale.area.right())
                continue;
            m_painter->drawPixmap(QPointF(left, middle - iconSize / 2.0), iconOf(bar.state));
            free = left + iconSize;
        }
    }

    static bool hasRoomForIcon(const QRectF &bar) { return bar.width() >= iconSize + 2 * labelMargin; }

    QRectF rectOf(double left, double right, int top) const
    {
        const double from = std::max<double>(left, m_scale.area.left() - 4);
        const double to = std::min<double>(right, m_scale.area.right() + 4);
        return {from, top + barMargin + 0.0, std::max(1.0, to - from), m_scale.rowHeight - 2.0 * barMargin};
    }

    /// Behind the bars, because devices can be shared.
    void drawOther(const OtherUse &use, int top)
    {
        if (use.to < m_scale.from || use.from > m_scale.to)
            return;
        m_painter->fillRect(rectOf(m_scale.xOf(use.from), m_scale.xOf(use.to), top),
                            m_palette.color(QPalette::Midlight));
    }

    /// Hatched, because nothing runs yet.
    void drawQueue(const TimelineBar &bar, const QRectF &rect)
    {
        const QColor color = trialColor(bar.trial);
        m_painter->setPen(QPen(color, 1));
        m_painter->setBrush(QBrush(color, Qt::BDiagPattern));
        m_painter->drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        drawMarks(bar, rect, 0);
        const QString number = QString::number(bar.trial);
        const QFontMetrics metrics = m_painter->fontMetrics();
        const double left = std::max<double>(rect.left(), m_scale.area.left()) + labelMargin;
        const QRectF label(left, rect.center().y() - metrics.height() / 2.0,
                           metrics.horizontalAdvance(number) + 2 * labelMargin, metrics.height());
        if (label.right() > rect.right() - labelMargin)
            return;
        m_painter->fillRect(label, m_palette.color(QPalette::Base));
        m_painter->setPen(m_palette.color(QPalette::Text));
        m_painter->drawText(label, Qt::AlignCenter, number);
    }

    void drawBar(const TimelineBar &bar, int top)
    {
        const QRectF rect = rectOf(m_scale.xOf(bar.from), m_scale.xOf(bar.to), top);
        if (bar.kind == TimelineBar::Kind::Queue)
            return drawQueue(bar, rect);
        const QColor fill = trialColor(bar.trial);
        const double radius = std::min(3.0, rect.width() / 2);
        m_painter->setPen(Qt::NoPen);
        m_painter->setBrush(fill);
        if (rect.width() < roundedFrom)
            m_painter->fillRect(rect.toAlignedRect().adjusted(0, 0, -1, 0), fill);  // one of many: leave a gap
        else
            m_painter->drawRoundedRect(rect, radius, radius);
        if (bar.state == sweep::TrialState::Paused && bar.continues) {
            m_painter->setBrush(QBrush(textOn(fill), Qt::BDiagPattern));
            m_painter->drawRoundedRect(rect, radius, radius);
        }
        drawMarks(bar, rect, radius);
        drawLabel(bar, rect, textOn(fill));
    }

    /// Renders the file once, not for every bar.
    QPixmap iconOf(sweep::TrialState state) const
    {
        const double ratio = m_painter->device()->devicePixelRatio();
        const QString key = QStringLiteral("timeline-state-%1-%2").arg(static_cast<int>(state)).arg(ratio);
        QPixmap pixmap;
        if (!QPixmapCache::find(key, &pixmap)) {
            pixmap = QPixmap(QSize(iconSize, iconSize) * ratio);
            pixmap.setDevicePixelRatio(ratio);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(Qt::white);  // an icon in its own colours must be visible on any bar
            painter.drawEllipse(QRectF(0, 0, iconSize, iconSize));
            stateIcon(state).paint(&painter, QRect(1, 1, iconSize - 2, iconSize - 2));
            painter.end();
            QPixmapCache::insert(key, pixmap);
        }
        return pixmap;
    }

    void drawMarks(const TimelineBar &bar, const QRectF &rect, double radius)
    {
        const bool selected = bar.trial == m_marks.selectedTrial;
        if (!selected && bar.trial != m_marks.hoveredTrial)
            return;
        const bool strong = selected && bar.attempt == m_marks.selectedAttempt && m_marks.hasFocus;
        m_painter->setPen(QPen(m_palette.color(QPalette::Text), strong ? 2.5 : 1.5));
        m_painter->setBrush(Qt::NoBrush);
        m_painter->drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), radius, radius);
    }

    void drawLabel(const TimelineBar &bar, const QRectF &rect, const QColor &color)
    {
        double left = std::max<double>(rect.left(), m_scale.area.left()) + labelMargin;
        const BarLabel label = barLabel(bar, rect.right() - left + labelMargin, m_painter->fontMetrics());
        if (label.hasIcon) {
            m_painter->drawPixmap(QPointF(left, rect.center().y() - iconSize / 2.0), iconOf(bar.state));
            left += iconSize + labelMargin;
        }
        m_painter->setPen(color);
        m_painter->drawText(QRectF(left, rect.top(), rect.right() - left, rect.height()),
                            Qt::AlignLeft | Qt::AlignVCenter, label.text);
    }

    using Bar = std::vector<TimelineBar>::const_iterator;

    /// Draws thin neighbours by pixel, up to the next empty one: how much of it is busy, in the color of most of it.
    /// Failed ones stay visible.
    Bar drawTogether(Bar bar, Bar end, int top)
    {
        const double left = m_scale.xOf(bar->from);
        double right = left + 1;
        ThinBars thin(std::max<double>(left, m_scale.area.left()), m_scale.area.right() + 1.0);
        std::optional<QRectF> marked;
        for (; bar != end; ++bar) {
            const double from = m_scale.xOf(bar->from);
            const double to = m_scale.xOf(bar->to);
            if (to - from >= thinnestBar || from > right + 1)
                break;
            right = std::max(right, to);
            thin.add(from, to, bar->state);
            if (bar->trial == m_marks.selectedTrial)
                marked = rectOf(from, to, top);
        }
        const double above = top + barMargin;
        const double height = m_scale.rowHeight - 2.0 * barMargin;
        for (const ThinBars::Pixel &pixel : thin.pixels()) {
            QColor color = stateColor(pixel.state);
            color.setAlphaF(static_cast<float>(faintest + (1 - faintest) * pixel.busy));
            m_painter->fillRect(QRectF(pixel.x, above, 1, height), color);
            if (sweep::brokeDown(pixel.state))
                m_painter->fillRect(QRectF(pixel.x, above - 2, 1, 3), problemColor(m_palette));
        }
        if (marked)
            m_painter->fillRect(marked->adjusted(-0.5, -2, 0.5, 2), m_palette.color(QPalette::Text));
        return bar;
    }

    QPainter *m_painter;
    const TimelineScale &m_scale;
    const TimelineMarks &m_marks;
    const QPalette &m_palette;
};

void paintAxis(QPainter *painter, const TimelineScale &scale, const QPalette &palette, int bottom)
{
    const PlotColors colors = plotColors(palette);
    for (const TimeTick &tick :
         timeTicks(scale.from, scale.to, std::max(1, scale.area.width() / textScaled(tickSpacing)))) {
        const double x = scale.xOf(tick.time);
        painter->setPen(colors.grid);
        painter->drawLine(QPointF(x, scale.area.top()), QPointF(x, bottom));
        const QRectF room(x - textScaled(tickSpacing) / 2.0, 0, textScaled(tickSpacing), scale.area.top());
        painter->setPen(colors.subtleText);
        if (room.left() >= scale.area.left() - textScaled(tickSpacing) / 3.0
            && room.right() <= scale.area.right() + textScaled(tickSpacing) / 3.0)
            painter->drawText(room, Qt::AlignCenter, tick.label);
    }
}

void paintTitle(QPainter *painter, const TimelineRow &row, const QRect &area, const QPalette &palette)
{
    const QRect room = area.adjusted(spacing::small, 0, -spacing::small, 0);
    const QString busy =
        QCoreApplication::translate("sweepscope::ui::Timeline", "%1%").arg(std::lround(100 * row.busy));
    const int busyWidth = painter->fontMetrics().horizontalAdvance(busy);
    painter->setPen(palette.color(QPalette::Text));
    painter->drawText(
        room, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(row.title, Qt::ElideMiddle, room.width() - busyWidth - spacing::small));
    painter->setPen(subtleTextColor(palette));
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, busy);
}

}  // namespace

BarLabel barLabel(const TimelineBar &bar, double width, const QFontMetrics &metrics)
{
    const QString number = QString::number(bar.trial);
    const QString attempt =
        bar.attempt > 1
            ? QCoreApplication::translate("sweepscope::ui::Timeline", "%1 · attempt %2").arg(number).arg(bar.attempt)
            : number;
    const double room = width - 2 * labelMargin;
    const double besideIcon = room - iconSize - labelMargin;
    for (const QString &text : {attempt, number}) {
        if (metrics.horizontalAdvance(text) <= besideIcon)
            return {true, text};
    }
    if (!sweep::brokeDown(bar.state) && metrics.horizontalAdvance(number) <= room)
        return {false, number};
    return {room >= iconSize, QString()};
}

int TimelineScale::rowHeightIn(int height, std::size_t rows)
{
    const int usual = textScaled(usualRowHeight);
    return rows > 0 ? std::clamp(height / static_cast<int>(rows), usual, textScaled(mostRowHeight)) : usual;
}

int TimelineScale::legendHeight()
{
    return textScaled(usualLegendHeight);
}

double TimelineScale::xOf(WallNs time) const
{
    return area.left() + static_cast<double>(time - from) / static_cast<double>(to - from) * area.width();
}

WallNs TimelineScale::timeAt(double x) const
{
    return from + static_cast<WallNs>((x - area.left()) / area.width() * static_cast<double>(to - from));
}

int TimelineScale::rowAt(int y, std::size_t rows) const
{
    if (y < area.top())
        return -1;
    const int row = (y - area.top() + scrolled) / rowHeight;
    return row < static_cast<int>(rows) ? row : -1;
}

void paintTimeline(QPainter *painter, const Timeline &timeline, const TimelineScale &scale, const TimelineMarks &marks,
                   const QPalette &palette, const QFont &font)
{
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(smallFont(font));
    const int bottom = std::min(scale.area.bottom() + 1, scale.topOf(timeline.rows.size()));
    paintAxis(painter, scale, palette, bottom);
    const auto first = static_cast<std::size_t>(std::max(0, scale.scrolled / scale.rowHeight));
    Pen pen(painter, scale, marks, palette);
    for (std::size_t row = first; row < timeline.rows.size() && scale.topOf(row) <= scale.area.bottom(); ++row) {
        const int top = scale.topOf(row);
        painter->setClipRect(QRect(0, scale.area.top(), scale.area.right() + 1, scale.area.height()));
        if (!timeline.rows[row].title.isEmpty()) {
            paintTitle(painter, timeline.rows[row], {0, top, scale.area.left(), scale.rowHeight}, palette);
            painter->setPen(palette.color(QPalette::Midlight));
            painter->drawLine(0, top, scale.area.right(), top);
        }
        painter->setClipRect(scale.area);
        pen.row(timeline.rows[row], top);
    }
    painter->setClipping(false);
    const int below = std::min(scale.area.bottom() + 1, bottom + spacing::small);
    paintTimelineLegend(painter, timelineLegend(timeline, scale),
                        QRect(0, below, scale.area.right(), TimelineScale::legendHeight()), palette);
}

}  // namespace sweepscope::ui
