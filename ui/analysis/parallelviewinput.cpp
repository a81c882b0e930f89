// Mouse and keys on the parallel coordinates.
#include "ui/analysis/parallelview.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double besideAxis = 10;  ///< pixels in which an axis is meant
constexpr double besideEnd = 6;    ///< and the end of a range
constexpr double besideLine = 5;
constexpr double keyShare = 0.05;  ///< of an axis of numbers
constexpr double keyRange = 0.25;

}  // namespace

int ParallelView::axisAt(const QPointF &place) const
{
    const ParallelPlaces now = places();
    if (place.y() < now.top - besideEnd || place.y() > now.bottom + besideEnd)
        return -1;
    for (std::size_t i = 0; i < now.xs.size(); ++i) {
        if (std::abs(place.x() - now.xs[i]) <= besideAxis)
            return static_cast<int>(i);
    }
    return -1;
}

int ParallelView::titleAt(const QPointF &place) const
{
    const ParallelPlaces now = places();
    if (place.y() >= now.top - besideEnd || now.xs.empty())
        return -1;
    const auto nearest = std::ranges::min_element(now.xs, {}, [&](double x) { return std::abs(x - place.x()); });
    return static_cast<int>(nearest - now.xs.begin());
}

int ParallelView::rowAt(const QPointF &place) const
{
    const ParallelPlaces now = places();
    if (now.xs.size() < 2 || place.y() < now.top - besideLine || place.y() > now.bottom + besideLine)
        return -1;
    const auto right = std::ranges::upper_bound(now.xs, place.x());
    if (right == now.xs.begin() || right == now.xs.end())
        return -1;
    const auto left = static_cast<std::size_t>(right - now.xs.begin() - 1);
    const double share = (place.x() - now.xs[left]) / (now.xs[left + 1] - now.xs[left]);
    const std::vector<float> &from = axisIn(static_cast<int>(left)).positions;
    const std::vector<float> &to = axisIn(static_cast<int>(left + 1)).positions;
    const double height = now.bottom - now.top;
    int nearest = -1;
    double distance = besideLine;
    for (const int row : m_figure->fromWorst) {  // of equally near ones the best, which is on top
        const auto at = static_cast<std::size_t>(row);
        if (!m_within[at])
            continue;
        const double here = from[at] + (to[at] - from[at]) * share;
        // Beside a steep line one is nearer than above it.
        const double slope = (to[at] - from[at]) * height / (now.xs[left + 1] - now.xs[left]);
        const double away = std::abs(now.yOf(here) - place.y()) / std::sqrt(1 + slope * slope);
        if (away <= distance) {
            distance = away;
            nearest = row;
        }
    }
    return nearest;
}

ParallelView::Drag ParallelView::dragAt(int place, double position) const
{
    const auto range = m_ranges.find(axisIn(place).id);
    if (range == m_ranges.end())
        return Drag::Range;
    const ParallelPlaces now = places();
    const double near = besideEnd / (now.bottom - now.top);
    if (std::abs(position - range->second.second) <= near)
        return Drag::HighEnd;
    if (std::abs(position - range->second.first) <= near)
        return Drag::LowEnd;
    return position > range->second.first && position < range->second.second ? Drag::MoveRange : Drag::Range;
}

void ParallelView::mousePressEvent(QMouseEvent *event)
{
    if (!m_figure || event->button() != Qt::LeftButton)
        return;
    m_from = m_last = event->position();
    m_hasMoved = false;
    if (m_dragged = titleAt(m_from); m_dragged >= 0) {
        m_drag = Drag::Axis;
    } else if (m_dragged = axisAt(m_from); m_dragged >= 0) {
        m_grip = std::clamp(places().positionAt(m_from.y()), 0.0, 1.0);
        m_drag = dragAt(m_dragged, m_grip);
        const auto range = m_ranges.find(axisIn(m_dragged).id);
        m_before = range != m_ranges.end() ? range->second : std::pair(m_grip, m_grip);
    } else {
        m_drag = Drag::Line;
    }
}

void ParallelView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_figure)
        return;
    m_last = event->position();
    if (m_drag == Drag::None) {
        hover(m_last);
        return;
    }
    m_hasMoved = m_hasMoved || (m_last - m_from).manhattanLength() >= QApplication::startDragDistance() / 2;
    if (m_hasMoved)
        dragTo(m_last);
}

void ParallelView::dragTo(const QPointF &place)
{
    if (m_drag == Drag::Axis || m_drag == Drag::Line) {
        setCursor(m_drag == Drag::Axis ? Qt::SizeHorCursor : Qt::ArrowCursor);
        update();
        return;
    }
    const double position = std::clamp(places().positionAt(place.y()), 0.0, 1.0);
    std::pair<double, double> range = m_before;
    switch (m_drag) {
    case Drag::Range:
        range = std::minmax(m_grip, position);
        break;
    case Drag::MoveRange: {
        const double by = std::clamp(position - m_grip, -m_before.first, 1 - m_before.second);
        range = {m_before.first + by, m_before.second + by};
        break;
    }
    case Drag::LowEnd:
        range = std::minmax(position, m_before.second);
        break;
    case Drag::HighEnd:
        range = std::minmax(m_before.first, position);
        break;
    case Drag::None:
    case Drag::Axis:
    case Drag::Line:
        return;
    }
    setRange(axisIn(m_dragged).id, range.first, range.second);
}

void ParallelView::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (!m_figure || drag == Drag::None || event->button() != Qt::LeftButton)
        return;
    unsetCursor();
    if (drag == Drag::Axis && m_hasMoved) {
        // Between which axes it was let go.
        const ParallelPlaces now = places();
        int to = 0;
        for (std::size_t i = 0; i < now.xs.size(); ++i)
            to += static_cast<int>(i) != m_dragged && event->position().x() > now.xs[i] ? 1 : 0;
        if (to != m_dragged)
            moveAxis(m_dragged, to);
    } else if (!m_hasMoved && drag == Drag::Line) {
        if (const int row = rowAt(event->position()); row >= 0)
            Q_EMIT trialSelected(m_figure->values.trials[static_cast<std::size_t>(row)]);
    } else if (!m_hasMoved) {
        if (drag == Drag::Range && m_ranges.erase(axisIn(m_dragged).id) > 0)
            tellRanges();
        chooseAxis(axisIn(m_dragged).id);
    }
    update();
}

void ParallelView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!m_figure || titleAt(event->position()) >= 0 || axisAt(event->position()) >= 0) {
        mousePressEvent(event);
        return;
    }
    if (const int row = rowAt(event->position()); row >= 0)
        Q_EMIT trialActivated(m_figure->values.trials[static_cast<std::size_t>(row)]);
}

void ParallelView::hover(const QPointF &place)
{
    const int axis = axisAt(place);
    const int row = axis < 0 && titleAt(place) < 0 ? rowAt(place) : -1;
    const int trial = row >= 0 ? m_figure->values.trials[static_cast<std::size_t>(row)] : 0;
    const bool isOnEnd = axis >= 0 && dragAt(axis, places().positionAt(place.y())) != Drag::Range;
    if (titleAt(place) >= 0)
        setCursor(Qt::OpenHandCursor);
    else if (axis >= 0)
        setCursor(isOnEnd ? Qt::SizeVerCursor : Qt::CrossCursor);
    else
        setCursor(trial != 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (trial == m_hovered)
        return;
    m_hovered = trial;
    QString text;
    if (trial != 0) {
        text = tr("Trial %1").arg(trial);
        if (m_figure->values.isPruned[static_cast<std::size_t>(row)])
            text += tr(" (pruned)");
        for (const int shown : m_order)
            text += u"\n%1: %2"_s.arg(m_figure->axes[static_cast<std::size_t>(shown)].title,
                                      m_figure->valueText(row, shown));
    }
    QToolTip::showText(mapToGlobal(place.toPoint()), text, this);
    update();
}

void ParallelView::leaveEvent(QEvent *)
{
    if (std::exchange(m_hovered, 0) != 0)
        update();
}

double ParallelView::keyStep(const FigureAxis &axis) const
{
    const AxisScale &scale = axis.scale;
    return scale.scale == analysis::Scale::Categories ? 1 / (scale.highest() - scale.lowest()) : keyShare;
}

bool ParallelView::keyOnRange(QKeyEvent *event)
{
    const bool isUp = event->key() == Qt::Key_Up;
    if (!isUp && event->key() != Qt::Key_Down)
        return false;
    const FigureAxis &axis = *m_figure->axis(m_chosen);
    const double step = keyStep(axis);
    const double by = isUp ? step : -step;
    const auto found = m_ranges.find(m_chosen);
    if (found == m_ranges.end()) {
        // The end of the axis that the key points to.
        const double size = axis.scale.scale == analysis::Scale::Categories ? step : keyRange;
        setRange(m_chosen, isUp ? 1 - size : 0, isUp ? 1 : size);
        return true;
    }
    auto [low, high] = found->second;
    if (event->modifiers() & Qt::ShiftModifier) {
        high = std::clamp(high + by, std::min(1.0, low + step), 1.0);
    } else if (event->modifiers() & Qt::ControlModifier) {
        low = std::clamp(low + by, 0.0, std::max(0.0, high - step));
    } else {
        const double moved = std::clamp(by, -low, 1 - high);
        low += moved;
        high += moved;
    }
    setRange(m_chosen, low, high);
    return true;
}

void ParallelView::keyPressEvent(QKeyEvent *event)
{
    if (!m_figure || !m_figure->axis(m_chosen)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (keyOnRange(event))
        return;
    const auto place = static_cast<int>(order().indexOf(m_chosen));
    const auto last = static_cast<int>(m_order.size()) - 1;
    const auto goTo = [&](int to) {
        to = std::clamp(to, 0, last);
        if (event->modifiers() & Qt::AltModifier && to != place)
            moveAxis(place, to);
        else
            chooseAxis(axisIn(to).id);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        goTo(place - 1);
        return;
    case Qt::Key_Right:
        goTo(place + 1);
        return;
    case Qt::Key_Home:
        goTo(0);
        return;
    case Qt::Key_End:
        goTo(last);
        return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (m_ranges.erase(m_chosen) > 0)
            tellRanges();
        return;
    case Qt::Key_Escape:
        if (!m_ranges.empty()) {
            clearRanges();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace sweepscope::ui
