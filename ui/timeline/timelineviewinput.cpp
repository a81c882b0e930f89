// What the mouse, the wheel and the keys do to the timeline.
#include "ui/timeline/timelineview.h"

#include "ui/models/valuetext.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QRubberBand>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr double wheelStep = 1.0015;  // per eighth of a degree
constexpr double keyZoom = 1.5;

}  // namespace

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint by = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier)  // through the rows
        QApplication::sendEvent(verticalScrollBar(), event);
    else if (std::abs(by.x()) > std::abs(by.y()) || event->modifiers() & Qt::ShiftModifier)
        pan(-(by.x() != 0 ? by.x() : by.y()));
    else if (by.y() != 0)
        zoomAt(std::pow(wheelStep, by.y()), event->position().x());
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    const bool pans =
        event->button() == Qt::MiddleButton
        || (event->button() == Qt::LeftButton && event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier));
    if (!pans && event->button() != Qt::LeftButton)
        return;
    m_pressed = event->pos();
    m_panning = pans;
    m_lastX = event->pos().x();
    if (pans)
        viewport()->setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (m_pressed && m_panning) {
        pan(m_lastX - event->pos().x());
        m_lastX = event->pos().x();
        return;
    }
    const TimelineScale now = scale();
    if (m_pressed && std::abs(event->pos().x() - m_pressed->x()) >= QApplication::startDragDistance()) {
        const int left = std::clamp(std::min(event->pos().x(), m_pressed->x()), now.area.left(), now.area.right());
        const int right = std::clamp(std::max(event->pos().x(), m_pressed->x()), now.area.left(), now.area.right());
        m_band->setGeometry(left, now.area.top(), right - left + 1, now.area.height());
        m_band->show();
        return;
    }
    const Found found = find(event->pos());
    const int hovered = found.bar ? found.bar->trial : 0;
    viewport()->setCursor(found.bar ? Qt::PointingHandCursor : Qt::ArrowCursor);
    tellDetail(textOf(found, now.timeAt(event->pos().x())));
    if (std::exchange(m_marks.hoveredTrial, hovered) != hovered)
        viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const std::optional<QPoint> pressed = std::exchange(m_pressed, std::nullopt);
    viewport()->unsetCursor();
    if (!pressed || std::exchange(m_panning, false))
        return;
    if (m_band->isVisible()) {
        m_band->hide();
        const TimelineScale now = scale();
        const QRect chosen = m_band->geometry();
        const WallNs from = now.timeAt(chosen.left());
        setView(std::pair(from, std::max(from + narrowest, now.timeAt(chosen.right() + 1))));
        return;
    }
    if (const Found found = find(event->pos()); found.bar) {
        const TimelineBar bar = *found.bar;
        select(found.row, bar);
        Q_EMIT attemptActivated(bar.trial, bar.attempt);
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!find(event->pos()).bar)
        fit();
}

/// From the chosen bar to the next one, or to the nearest of another row.
void TimelineView::step(int rows, int bars)
{
    if (m_timeline.isEmpty())
        return;
    const int last = static_cast<int>(m_timeline.rows.size()) - 1;
    const int row = m_selectedRow < 0 ? 0 : std::clamp(m_selectedRow + rows, 0, last);
    const std::vector<TimelineBar> &all = m_timeline.rows[static_cast<std::size_t>(row)].bars;
    if (all.empty())
        return;
    std::ptrdiff_t at = 0;
    if (m_selectedRow >= 0) {
        const std::vector<TimelineBar> &old = m_timeline.rows[static_cast<std::size_t>(m_selectedRow)].bars;
        const auto chosen = std::find_if(old.begin(), old.end(), [this](const TimelineBar &bar) {
            return bar.trial == m_marks.selectedTrial && bar.attempt == m_marks.selectedAttempt;
        });
        const WallNs from = chosen == old.end() ? m_timeline.from : chosen->from;
        const auto near = std::lower_bound(all.begin(), all.end(), from,
                                           [](const TimelineBar &bar, WallNs time) { return bar.from < time; });
        at = near - all.begin() + bars;
    }
    select(
        row,
        all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(all.size()) - 1))]);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return step(0, -1);
    case Qt::Key_Right:
        return step(0, 1);
    case Qt::Key_Up:
        return step(-1, 0);
    case Qt::Key_Down:
        return step(1, 0);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(keyZoom);
    case Qt::Key_Minus:
        return zoom(1 / keyZoom);
    case Qt::Key_Home:
    case Qt::Key_F:
    case Qt::Key_0:
        return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marks.selectedTrial > 0)
            Q_EMIT attemptActivated(m_marks.selectedTrial, m_marks.selectedAttempt);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

}  // namespace sweepscope::ui
