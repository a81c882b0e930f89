#include "ui/plot/plotkeys.h"

#include "ui/plot/liveplot.h"
#include "ui/plot/plotcursor.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr double zoomFactor = 0.8;
constexpr double moveShare = 0.1;        ///< share of the range
constexpr double farCursorShare = 0.05;  ///< share of the range

QCPRange zoomed(const QCPRange &range, double factor)
{
    const double half = range.size() * factor / 2;
    return {range.center() - half, range.center() + half};
}

/// Returns about this share of the range, in whole pixels, so that the existing picture can be shifted.
double wholePixels(const QCPAxis *axis, double share)
{
    const int width = std::max(1, axis->axisRect()->width());
    return axis->range().size() / width * std::round(share * width);
}

/// Returns the range between two pixel positions, on a logarithmic axis by ratio.
QCPRange ofPixels(const QCPAxis *axis, double top, double bottom)
{
    return {axis->pixelToCoord(bottom), axis->pixelToCoord(top)};
}

/// Returns the nearest x where a curve has a value, to the left or to the right.
std::optional<double> nextValue(const PlotPane &pane, const QSet<QString> &hidden, std::optional<double> from,
                                int direction)
{
    std::optional<double> next;
    for (const PlotCurve &curve : pane.panel().curves) {
        if (!isShown(pane.kind(), pane.panel(), curve, hidden))
            continue;
        for (const series::Column &column : curve.columns) {
            const bool isAhead = !from || (direction > 0 ? column.x > *from : column.x < *from);
            // Without a start, take the newest value.
            const bool isNearer = !next || (direction > 0 && from ? column.x < *next : column.x > *next);
            if (isAhead && isNearer)
                next = column.x;
        }
    }
    return next;
}

}  // namespace

PlotKeys::PlotKeys(LivePlot *plot, PlotCursor *cursor) : QObject(plot), m_plot(plot), m_cursor(cursor)
{
    plot->installEventFilter(this);
}

bool PlotKeys::eventFilter(QObject *, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseMove:
        m_pointer = static_cast<QMouseEvent *>(event)->position();
        return false;
    case QEvent::Leave:
        m_pointer.reset();
        return false;
    case QEvent::KeyPress:
        if (!key(*static_cast<QKeyEvent *>(event)))
            return false;
        m_plot->window()->setAttribute(Qt::WA_KeyboardFocusChange);  // shows the focus frame from now on
        return true;
    default:
        return false;
    }
}

bool PlotKeys::key(const QKeyEvent &event)
{
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_plot->setXRange(zoomed(m_plot->xRange(), zoomFactor));
        return true;
    case Qt::Key_Minus:
        m_plot->setXRange(zoomed(m_plot->xRange(), 1 / zoomFactor));
        return true;
    case Qt::Key_Left:
        return moveInTime(-1, event.modifiers());
    case Qt::Key_Right:
        return moveInTime(1, event.modifiers());
    case Qt::Key_Up:
        return moveUpOrDown(1, event.modifiers());
    case Qt::Key_Down:
        return moveUpOrDown(-1, event.modifiers());
    case Qt::Key_Home:
        m_plot->follow();
        return true;
    case Qt::Key_Delete:
        return removeChart();
    case Qt::Key_M:
        return event.modifiers() == Qt::NoModifier && fillPlace();
    case Qt::Key_Escape:
        if (m_cursor->release())
            return true;
        if (m_plot->alone().isEmpty())
            return false;
        m_plot->setAlone({});
        return true;
    default:
        return false;
    }
}

bool PlotKeys::moveInTime(int direction, Qt::KeyboardModifiers modifiers)
{
    if (modifiers.testAnyFlags(Qt::ShiftModifier | Qt::ControlModifier))
        moveCursor(direction, modifiers.testFlag(Qt::ControlModifier));
    else
        m_plot->setXRange(m_plot->xRange() + direction * wholePixels(m_plot->panes()[0]->xAxis(), moveShare));
    return true;
}

bool PlotKeys::moveUpOrDown(int direction, Qt::KeyboardModifiers modifiers)
{
    PlotPane &pane = m_plot->currentPane();
    const QRectF area(pane.area()->rect());
    if (modifiers.testFlag(Qt::ControlModifier)) {
        const double more = area.height() * (direction > 0 ? 1 - zoomFactor : 1 - 1 / zoomFactor) / 2;
        m_plot->setYRange(pane, ofPixels(pane.yAxis(), area.top() + more, area.bottom() - more));
    } else if (modifiers.testFlag(Qt::ShiftModifier)) {
        const double shift = direction * area.height() * moveShare;
        m_plot->setYRange(pane, ofPixels(pane.yAxis(), area.top() - shift, area.bottom() - shift));
    } else {
        m_pointer.reset();
        m_plot->chooseBeside(-direction);
    }
    return true;
}

void PlotKeys::moveCursor(int direction, bool far)
{
    m_pointer.reset();
    const PlotPane &pane = m_plot->currentPane();
    const std::optional<double> from = m_cursor->position();
    std::optional<double> to = nextValue(pane, m_plot->hidden(), from, direction);
    if (from && far) {
        // Go that far, then to the nearest value.
        const double away = *from + direction * farCursorShare * m_plot->xRange().size();
        to = nextValue(pane, m_plot->hidden(), away, direction);
        if (!to)
            to = nextValue(pane, m_plot->hidden(), away, -direction);
    }
    if (!to)
        return;
    const QCPRange range = m_plot->xRange();
    if (!range.contains(*to)) {
        const bool isBefore = *to < range.lower;
        const double more = wholePixels(pane.xAxis(), moveShare);  // so that something beyond it is visible
        m_plot->setXRange(range + (isBefore ? *to - range.lower - more : *to - range.upper + more));
    }
    m_cursor->putAt(*to);
}

/// Returns the pane under the pointer if that was moved last; otherwise null.
const PlotPane *PlotKeys::meantPane() const
{
    if (!m_pointer)
        return &m_plot->currentPane();
    const PlotPane *titled = m_plot->titleAt(*m_pointer);
    return titled ? titled : m_plot->paneAt(*m_pointer);
}

bool PlotKeys::removeChart()
{
    const PlotPane *pane = meantPane();
    if (!pane)
        return false;
    m_plot->removeChart(m_plot->chartOf(*pane));
    return true;
}

bool PlotKeys::fillPlace()
{
    const PlotPane *pane = meantPane();
    if (!m_plot->alone().isEmpty())
        m_plot->setAlone({});
    else if (pane && m_plot->panes().size() > 1)
        m_plot->setAlone(m_plot->chartOf(*pane));
    return true;
}

}  // namespace sweepscope::ui
