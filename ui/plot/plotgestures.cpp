#include "ui/plot/plotgestures.h"

#include "ui/plot/liveplot.h"
#include "ui/theme/plotcolors.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

/// A shorter drag counts as a click.
constexpr double clickPixels = 5;
constexpr double wheelFactor = 0.8;

QCPRange zoomed(const QCPAxis *axis, double factor, double at)
{
    const QCPRange range = axis->range();
    if (axis->scaleType() == QCPAxis::stLogarithmic)
        return {at * std::pow(range.lower / at, factor), at * std::pow(range.upper / at, factor)};
    return {at + (range.lower - at) * factor, at + (range.upper - at) * factor};
}

QCPRange fromPixels(const QCPAxis *axis, double a, double b)
{
    const double first = axis->pixelToCoord(a);
    const double second = axis->pixelToCoord(b);
    return {std::min(first, second), std::max(first, second)};
}

}  // namespace

PlotGestures::PlotGestures(LivePlot *plot) : QObject(plot), m_plot(plot), m_box(new QCPItemRect(plot))
{
    m_box->setLayer(QStringLiteral("overlay"));
    m_box->setClipToAxisRect(false);
    m_box->setVisible(false);
    for (QCPItemPosition *corner : {m_box->topLeft, m_box->bottomRight})
        corner->setType(QCPItemPosition::ptAbsolute);
    plot->installEventFilter(this);
}

bool PlotGestures::eventFilter(QObject *, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(static_cast<QMouseEvent *>(event));
    case QEvent::MouseMove:
        return move(static_cast<QMouseEvent *>(event));
    case QEvent::MouseButtonRelease:
        return release(static_cast<QMouseEvent *>(event));
    case QEvent::MouseButtonDblClick:
        cancel();
        m_plot->follow();
        return true;
    case QEvent::Wheel:
        return wheel(static_cast<QWheelEvent *>(event));
    case QEvent::KeyPress:
        if (static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape)
            cancel();
        return false;
    default:
        return false;
    }
}

bool PlotGestures::press(QMouseEvent *event)
{
    m_plot->setFocus(Qt::MouseFocusReason);
    if (const PlotPane *titled = m_plot->titleAt(event->position());
        titled && m_drag == Drag::None && event->button() == Qt::LeftButton) {
        m_drag = Drag::Chart;
        m_chart = m_plot->chartOf(*titled);
        m_from = m_last = event->position();
        m_plot->setCursor(Qt::ClosedHandCursor);
        return true;
    }
    const PlotPane *pane = m_plot->paneAt(event->position());
    if (!pane || m_drag != Drag::None)
        return false;
    const bool pan = event->button() == Qt::MiddleButton
                     || (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (!pan && event->button() != Qt::LeftButton)
        return false;
    const auto &panes = m_plot->panes();
    m_plot->choose(*pane);
    m_pane = static_cast<int>(
        std::find_if(panes.begin(), panes.end(), [pane](const auto &p) { return p.get() == pane; }) - panes.begin());
    const bool selects = m_plot->isSelectable() && event->modifiers().testFlag(Qt::ControlModifier);
    m_drag = pan ? Drag::Pan : selects ? Drag::Selection : Drag::Box;
    m_from = m_last = event->position();
    if (pan)
        m_plot->setCursor(Qt::ClosedHandCursor);
    return true;
}

bool PlotGestures::move(QMouseEvent *event)
{
    if (m_drag == Drag::Box || m_drag == Drag::Selection) {
        showBox(m_from, event->position());
    } else if (m_drag == Drag::Chart) {
        if ((event->position() - m_from).manhattanLength() >= clickPixels)
            m_plot->showInsertion(m_plot->placeAt(event->position(), m_chart));
    } else if (m_drag == Drag::None) {
        m_plot->setCursor(m_plot->titleAt(event->position()) ? Qt::OpenHandCursor : Qt::ArrowCursor);
    } else if (m_drag == Drag::Pan && static_cast<std::size_t>(m_pane) < m_plot->panes().size()) {
        PlotPane &pane = *m_plot->panes()[static_cast<std::size_t>(m_pane)];
        const QPointF to = event->position();
        if (pane.yPinned() && to.y() != m_last.y()) {
            const double shift = m_last.y() - to.y();
            m_plot->setYRange(pane,
                              fromPixels(pane.yAxis(), pane.area()->top() + shift, pane.area()->bottom() + 1 + shift));
        }
        const double shift = pane.xAxis()->pixelToCoord(m_last.x()) - pane.xAxis()->pixelToCoord(to.x());
        m_last = to;
        if (shift != 0)
            m_plot->setXRange(m_plot->xRange() + shift);
    }
    return false;  // the cursor also handles it
}

bool PlotGestures::release(QMouseEvent *event)
{
    if (m_drag == Drag::None)
        return false;
    const Drag drag = m_drag;
    cancel();
    if (drag == Drag::Box)
        zoomBox(m_from, event->position());
    if (drag == Drag::Selection)
        selectBox(m_from, event->position());
    if (drag == Drag::Chart && (event->position() - m_from).manhattanLength() < clickPixels) {
        m_plot->setAlone(m_plot->alone() == m_chart ? QString() : m_chart);
    } else if (drag == Drag::Chart) {
        if (const std::optional<ChartPlace> place = m_plot->placeAt(event->position(), m_chart))
            m_plot->moveChart(m_chart, *place);
    }
    return true;
}

void PlotGestures::cancel()
{
    if (m_drag == Drag::Chart)
        m_plot->showInsertion(std::nullopt);
    m_drag = Drag::None;
    m_plot->unsetCursor();
    if (m_box->visible()) {
        m_box->setVisible(false);
        m_box->layer()->replot();
    }
}

void PlotGestures::showBox(const QPointF &from, const QPointF &to)
{
    if (static_cast<std::size_t>(m_pane) >= m_plot->panes().size())
        return;
    const PlotPane &pane = *m_plot->panes()[static_cast<std::size_t>(m_pane)];
    const QRectF area(pane.area()->rect());
    QRectF box = QRectF(from, to).normalized();
    // The marked area is the one that will be zoomed: a flat box, and any box over a device plot, is a time range.
    if (m_drag == Drag::Selection) {
        // Just what it is.
    } else if (box.height() < 2 * clickPixels || pane.kind() == PanelKind::Strip) {
        box.setTop(area.top());
        box.setBottom(area.bottom());
    } else if (box.width() < 2 * clickPixels) {
        box.setLeft(area.left());
        box.setRight(area.right());
    }
    box = box.intersected(area);
    const PlotColors colors = plotColors(m_plot->palette());
    m_box->topLeft->setPixelPosition(box.topLeft());
    m_box->bottomRight->setPixelPosition(box.bottomRight());
    m_box->setPen(QPen(m_plot->palette().color(QPalette::Highlight), 1));
    m_box->setBrush(colors.selection);
    m_box->setVisible(true);
    m_box->layer()->replot();
}

void PlotGestures::zoomBox(const QPointF &from, const QPointF &to)
{
    const double width = std::abs(from.x() - to.x());
    const double height = std::abs(from.y() - to.y());
    if ((width < clickPixels && height < clickPixels) || static_cast<std::size_t>(m_pane) >= m_plot->panes().size())
        return;
    PlotPane &pane = *m_plot->panes()[static_cast<std::size_t>(m_pane)];
    const QRectF area(pane.area()->rect());
    const auto insideX = [&area](double x) { return std::clamp(x, area.left(), area.right()); };
    const auto insideY = [&area](double y) { return std::clamp(y, area.top(), area.bottom()); };
    const bool yToo = height >= 2 * clickPixels && pane.kind() == PanelKind::Curves;
    const QCPRange y = fromPixels(pane.yAxis(), insideY(from.y()), insideY(to.y()));
    const QCPRange x = fromPixels(pane.xAxis(), insideX(from.x()), insideX(to.x()));
    if (yToo)
        m_plot->setYRange(pane, y);
    if (width >= 2 * clickPixels || !yToo)
        m_plot->setXRange(x);
}

void PlotGestures::selectBox(const QPointF &from, const QPointF &to)
{
    const QRectF box = QRectF(from, to).normalized();
    const bool isClick = box.width() < clickPixels && box.height() < clickPixels;
    if (isClick || static_cast<std::size_t>(m_pane) >= m_plot->panes().size())
        return;
    const PlotPane &pane = *m_plot->panes()[static_cast<std::size_t>(m_pane)];
    m_plot->selectCurves(pane.curvesIn(box.intersected(pane.area()->rect())));
}

bool PlotGestures::wheel(QWheelEvent *event)
{
    PlotPane *pane = m_plot->paneAt(event->position());
    const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    // Of more charts than fit, the wheel shows the others.
    const auto *scroll =
        qobject_cast<QScrollArea *>(m_plot->parentWidget() ? m_plot->parentWidget()->parentWidget() : nullptr);
    const bool scrolls = m_wheelScrollsPage || (scroll && scroll->verticalScrollBar()->maximum() > 0);
    if (scrolls && !event->modifiers().testFlag(Qt::ControlModifier)) {
        event->ignore();
        return true;
    }
    if (!pane || notches == 0)
        return false;
    const double factor = std::pow(wheelFactor, notches);
    if (event->position().x() < pane->area()->left()) {
        QCPAxis *axis = pane->yAxis();
        m_plot->setYRange(*pane, zoomed(axis, factor, axis->pixelToCoord(event->position().y())));
    } else {
        const double x = std::min(event->position().x(), static_cast<double>(pane->area()->right()));
        m_plot->setXRange(zoomed(pane->xAxis(), factor, pane->xAxis()->pixelToCoord(x)));
    }
    event->accept();
    return true;
}

}  // namespace sweepscope::ui
