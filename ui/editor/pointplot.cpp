#include "ui/editor/pointplot.h"

#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr QSize plotSize{320, 210};
constexpr int discSize = 17;
constexpr int tickWidth = 56;  ///< least distance of two ticks
constexpr int tickHeight = 28;
constexpr int mostTicksOfPlot = 8;
constexpr double widestLabel = 0.3;      ///< share of the plot's width
constexpr double goldenAngle = 2.39996;  ///< in radians; successive points do not cover each other

bool isSamePlace(const QPointF &one, const QPointF &other)
{
    return (one - other).manhattanLength() < 1;
}

/// Moves points that share a place onto a spiral around it.
std::vector<QPointF> spread(const std::vector<QPointF> &places, double distance)
{
    std::vector<QPointF> moved;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto end = places.begin() + static_cast<std::ptrdiff_t>(i);
        const auto before = static_cast<double>(
            std::count_if(places.begin(), end, [&](const QPointF &place) { return isSamePlace(place, places[i]); }));
        const double angle = goldenAngle * before;
        moved.push_back(places[i] + distance * std::sqrt(before) * QPointF(std::cos(angle), std::sin(angle)));
    }
    return moved;
}

}  // namespace

PointPlot::PointPlot(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setTextRole(this, TextRole::Small);
    followTextSize(this, [this] { updateGeometry(); });
}

void PointPlot::setPoints(Axis x, Axis y, const QStringList &texts)
{
    m_x = std::move(x);
    m_y = std::move(y);
    m_texts = texts;
    update();
}

void PointPlot::clear()
{
    setPoints({}, {}, {});
}

QSize PointPlot::sizeHint() const
{
    return plotSize * textScale();
}

std::vector<AxisTick> PointPlot::ticksOf(const Axis &axis, Qt::Orientation orientation) const
{
    const bool isHorizontal = orientation == Qt::Horizontal;
    const int room = isHorizontal ? width() / textScaled(tickWidth) : height() / textScaled(tickHeight);
    return axis.scale.ticks(axis.scale.lowest(), axis.scale.highest(), std::clamp(room, 2, mostTicksOfPlot));
}

/// Of the labels at the vertical axis.
int PointPlot::labelWidth() const
{
    int widest = 0;
    for (const AxisTick &tick : ticksOf(m_y, Qt::Vertical))
        widest = std::max(widest, fontMetrics().horizontalAdvance(tick.text));
    return std::min(widest + 2, static_cast<int>(widestLabel * width()));  // advances are rounded
}

/// The plot without the labels of its axes.
QRectF PointPlot::area() const
{
    const bool isEmpty = m_x.values.empty();
    const int left = isEmpty ? 0 : labelWidth() + spacing::small;
    const int bottom = isEmpty ? 0 : fontMetrics().height() + spacing::tiny;
    return QRectF(rect()).adjusted(left + 0.5, 0.5, -0.5, -bottom - 0.5);
}

std::vector<QPointF> PointPlot::places() const
{
    const QRectF inside = area();
    std::vector<QPointF> places;
    for (std::size_t i = 0; i < m_x.values.size(); ++i)
        places.emplace_back(inside.left() + m_x.scale.positionOf(m_x.values[i]) * inside.width(),
                            inside.bottom() - m_y.scale.positionOf(m_y.values[i]) * inside.height());
    places = spread(places, textScaled(discSize));
    for (QPointF &place : places)
        place = {std::clamp(place.x(), inside.left(), inside.right()),
                 std::clamp(place.y(), inside.top(), inside.bottom())};
    return places;
}

void PointPlot::paintTicks(QPainter &painter, const QRectF &area) const
{
    const PlotColors colors = plotColors(palette());
    const QFontMetrics metrics = fontMetrics();
    const std::vector<AxisTick> across = ticksOf(m_x, Qt::Horizontal);
    const double room = area.width() / std::max<double>(1, static_cast<double>(across.size())) - spacing::tiny;
    for (const AxisTick &tick : across) {
        const double x = area.left() + m_x.scale.positionOfUnit(tick.unit) * area.width();
        painter.setPen(colors.grid);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const QString text = metrics.elidedText(tick.text, Qt::ElideMiddle, static_cast<int>(room));
        const int textWidth = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - textWidth / 2.0, 0.0, std::max(0.0, width() - 1.0 * textWidth));
        painter.setPen(colors.subtleText);
        painter.drawText(QPointF(left, area.bottom() + spacing::tiny + metrics.ascent()), text);
    }
    for (const AxisTick &tick : ticksOf(m_y, Qt::Vertical)) {
        const double y = area.bottom() - m_y.scale.positionOfUnit(tick.unit) * area.height();
        painter.setPen(colors.grid);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        const QRectF label(0, y - metrics.height(), labelWidth(), 2 * metrics.height());
        painter.setPen(colors.subtleText);
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(tick.text, Qt::ElideMiddle, labelWidth()));
    }
}

/// The first trials on top.
void PointPlot::paintDiscs(QPainter &painter) const
{
    const std::vector<QPointF> centers = places();
    const double size = textScaled(discSize);
    for (std::size_t i = centers.size(); i-- > 0;) {
        const QRectF disc(centers[i] - QPointF(size, size) / 2, QSizeF(size, size));
        painter.setPen(palette().color(QPalette::Base));
        painter.setBrush(palette().color(QPalette::Link));
        painter.drawEllipse(disc);
        painter.drawText(disc, Qt::AlignCenter, QString::number(i + 1));
    }
}

void PointPlot::paintEvent(QPaintEvent *)
{
    const PlotColors colors = plotColors(palette());
    const QRectF inside = area();
    QPainter painter(this);
    painter.fillRect(inside, colors.background);
    if (!m_x.values.empty())
        paintTicks(painter, inside);
    painter.setPen(colors.axis);
    painter.drawRect(inside);
    painter.setRenderHint(QPainter::Antialiasing);
    paintDiscs(painter);
}

bool PointPlot::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const std::vector<QPointF> centers = places();
    const auto under = std::ranges::find_if(centers, [&](const QPointF &center) {
        return (center - QPointF(help->pos())).manhattanLength() < textScaled(discSize);
    });
    QToolTip::showText(help->globalPos(), under != centers.end() ? m_texts.value(under - centers.begin()) : QString(),
                       this);
    return true;
}

}  // namespace sweepscope::ui
