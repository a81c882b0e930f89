#include "ui/timeline/timelineview.h"

#include "ui/theme/itemfocus.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"
#include "ui/timeline/timelinewords.h"

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

constexpr int titleWidth = 118;
constexpr int axisHeight = 26;
constexpr int rightMargin = 8;
constexpr int grip = 3;               // pixels around a thin bar that still count as a hit
constexpr int barSteps = 1'000'000;   // of the scroll bar
constexpr double wheelStep = 1.0015;  // per eighth of a degree
constexpr double keyZoom = 1.5;

}  // namespace

TimelineView::TimelineView(QWidget *parent)
    : QAbstractScrollArea(parent), m_band(new QRubberBand(QRubberBand::Rectangle, viewport()))
{
    setObjectName(QStringLiteral("timelineView"));
    setAccessibleName(tr("Timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
}

void TimelineView::setTimeline(Timeline timeline)
{
    m_timeline = std::move(timeline);
    m_selectedRow = m_selectedRow < static_cast<int>(m_timeline.rows.size()) ? m_selectedRow : -1;
    updateBars();
    viewport()->update();
}

void TimelineView::setNow(WallNs now)
{
    bool any = false;
    for (TimelineRow &row : m_timeline.rows) {
        for (std::vector<TimelineBar> *bars : {&row.bars, &row.breaks}) {
            for (TimelineBar &bar : *bars) {
                if (!bar.continues || bar.to >= now)
                    continue;
                bar.to = now;
                any = true;
            }
        }
    }
    if (!any)
        return;
    m_timeline.to = std::max(m_timeline.to, now);
    updateBars();
    viewport()->update();
}

std::pair<WallNs, WallNs> TimelineView::visibleRange() const
{
    if (m_view)
        return *m_view;
    return {m_timeline.from, std::max(m_timeline.to, m_timeline.from + narrowest)};
}

TimelineScale TimelineView::scaleIn(const QSize &size) const
{
    const auto [from, to] = visibleRange();
    const QRect area(textScaled(titleWidth), textScaled(axisHeight),
                     std::max(1, size.width() - textScaled(titleWidth) - rightMargin),
                     std::max(1, size.height() - textScaled(axisHeight) - TimelineScale::legendHeight()));
    return {from, to, area, verticalScrollBar()->value(),
            TimelineScale::rowHeightIn(area.height(), m_timeline.rows.size())};
}

void TimelineView::fit()
{
    setView(std::nullopt);
}

void TimelineView::zoom(double factor)
{
    const TimelineScale now = scale();
    zoomAt(factor, now.area.left() + now.area.width() / 2.0);
}

void TimelineView::zoomAt(double factor, double x)
{
    if (m_timeline.isEmpty())
        return;
    const TimelineScale now = scale();
    const auto at = static_cast<double>(now.timeAt(x) - now.from);
    const auto span = static_cast<double>(now.to - now.from);
    const double wanted = std::max<double>(span / factor, narrowest);
    if (wanted >= static_cast<double>(m_timeline.to - m_timeline.from)) {
        fit();
        return;
    }
    const WallNs from = now.from + static_cast<WallNs>(at - at * wanted / span);
    setView(std::pair(from, from + static_cast<WallNs>(wanted)));
}

void TimelineView::pan(double pixels)
{
    if (!m_view)
        return;
    const TimelineScale now = scale();
    const auto by = static_cast<WallNs>(pixels / now.area.width() * static_cast<double>(now.to - now.from));
    setView(std::pair(m_view->first + by, m_view->second + by));
}

/// Limits the view to the available range.
void TimelineView::setView(std::optional<std::pair<WallNs, WallNs>> view)
{
    const bool wasFitted = isFitted();
    if (view) {
        const WallNs span = view->second - view->first;
        view->first = std::max(m_timeline.from, std::min(view->first, m_timeline.to - span));
        view->second = view->first + span;
    }
    m_view = view;
    updateBars();
    viewport()->update();
    if (wasFitted != isFitted())
        Q_EMIT fittedChanged(isFitted());
}

void TimelineView::updateBars()
{
    m_settingBars = true;
    const TimelineScale now = scale();
    const int rows = static_cast<int>(m_timeline.rows.size()) * now.rowHeight;
    verticalScrollBar()->setSingleStep(now.rowHeight);
    verticalScrollBar()->setPageStep(now.area.height());
    verticalScrollBar()->setRange(0, std::max(0, rows - now.area.height()));
    const auto whole = static_cast<double>(std::max<WallNs>(1, m_timeline.to - m_timeline.from));
    const double shown = std::min(1.0, static_cast<double>(now.to - now.from) / whole);
    horizontalScrollBar()->setPageStep(std::max(1, static_cast<int>(shown * barSteps)));
    horizontalScrollBar()->setSingleStep(std::max(1, horizontalScrollBar()->pageStep() / 10));
    horizontalScrollBar()->setRange(0, m_view ? barSteps - horizontalScrollBar()->pageStep() : 0);
    horizontalScrollBar()->setValue(
        static_cast<int>(static_cast<double>(now.from - m_timeline.from) / whole * barSteps));
    m_settingBars = false;
}

void TimelineView::scrollContentsBy(int dx, int dy)
{
    if (m_settingBars)
        return;
    if (dx != 0 && m_view) {
        const auto whole = static_cast<double>(m_timeline.to - m_timeline.from);
        const WallNs from = m_timeline.from + static_cast<WallNs>(horizontalScrollBar()->value() * (whole / barSteps));
        m_view = std::pair(from, from + (m_view->second - m_view->first));
    }
    if (dx != 0 || dy != 0)
        viewport()->update();
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    m_marks.hasFocus = hasFocus();
    paintTimeline(&painter, m_timeline, scale(), m_marks, palette(), font());
    if (m_marks.selectedTrial == 0)  // otherwise the bar shows the focus
        paintWidgetFocus(&painter, this);
}

void TimelineView::paintPicture(QPainter *painter, const QSize &size) const
{
    paintTimeline(painter, m_timeline, scaleIn(size), {}, palette(), font());
}

void TimelineView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateBars();
}

TimelineView::Found TimelineView::find(const QPoint &position) const
{
    const TimelineScale now = scale();
    const int row = position.x() < now.area.left() ? -1 : now.rowAt(position.y(), m_timeline.rows.size());
    if (row < 0)
        return {};
    const WallNs tolerance = now.timeAt(grip) - now.timeAt(0);
    return {row, barAt(m_timeline.rows[static_cast<std::size_t>(row)], now.timeAt(position.x()), tolerance)};
}

QRect TimelineView::rectOf(int trial, int attempt) const
{
    const TimelineScale now = scale();
    for (std::size_t row = 0; row < m_timeline.rows.size(); ++row) {
        for (const TimelineBar &bar : m_timeline.rows[row].bars) {
            if (bar.trial == trial && bar.attempt == attempt)
                return QRectF(now.xOf(bar.from), now.topOf(row), now.xOf(bar.to) - now.xOf(bar.from), now.rowHeight)
                    .toAlignedRect()
                    .intersected(now.area);
        }
    }
    return {};
}

QString TimelineView::textOf(const Found &found, WallNs time) const
{
    if (found.row < 0)
        return {};
    return found.bar ? barText(*found.bar) : idleText(m_timeline, static_cast<std::size_t>(found.row), time);
}

void TimelineView::setDetail(const QString &text)
{
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    Q_EMIT detailChanged(text);
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave) {
        m_marks.hoveredTrial = 0;
        setDetail({});
        viewport()->update();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const Found found = find(help->pos());
        QString text = textOf(found, scale().timeAt(help->pos().x()));
        if (const QString more = found.bar && m_trialText ? m_trialText(found.bar->trial) : QString(); !more.isEmpty())
            text += u'\n' + more;
        QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::select(int row, const TimelineBar &bar)
{
    m_selectedRow = row;
    m_marks.selectedTrial = bar.trial;
    m_marks.selectedAttempt = bar.attempt;
    setDetail(textOf({row, &bar}, bar.from));
    const TimelineScale now = scale();
    if (m_view && (bar.to < now.from || bar.from > now.to)) {
        const WallNs middle = bar.from + (bar.to - bar.from) / 2;
        setView(std::pair(middle - (now.to - now.from) / 2, middle + (now.to - now.from) / 2));
    }
    const int top = row * now.rowHeight;
    const int value = verticalScrollBar()->value();
    verticalScrollBar()->setValue(std::clamp(value, top + now.rowHeight - now.area.height(), std::max(0, top)));
    viewport()->update();
    Q_EMIT attemptSelected(m_marks.selectedTrial, m_marks.selectedAttempt);
}

void TimelineView::selectTrial(int trial, int attempt)
{
    if (trial == m_marks.selectedTrial && attempt == m_marks.selectedAttempt)
        return;
    m_marks.selectedTrial = trial;
    m_marks.selectedAttempt = attempt;
    m_selectedRow = -1;
    viewport()->update();
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint by = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier)  // scrolls the rows
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
    setDetail(textOf(found, now.timeAt(event->pos().x())));
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

/// Moves from the selected bar to the next one, or to the nearest one of another row.
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
