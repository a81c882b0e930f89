#include "ui/plot/plotcursor.h"

#include "ui/plot/liveplot.h"
#include "ui/theme/plotcolors.h"

#include <QEvent>
#include <QLocale>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

PlotCursor::PlotCursor(LivePlot *plot) : QObject(plot), m_plot(plot), m_label(new QCPItemText(plot))
{
    m_label->setLayer(QStringLiteral("overlay"));
    m_label->setClipToAxisRect(false);
    m_label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_label->position->setType(QCPItemPosition::ptAbsolute);
    m_label->setPadding(QMargins(5, 2, 5, 2));
    m_label->setVisible(false);
    plot->installEventFilter(this);
    connect(plot, &LivePlot::updated, this, &PlotCursor::place);
    connect(plot, &QCustomPlot::afterLayout, this, &PlotCursor::place);
}

bool PlotCursor::eventFilter(QObject *, QEvent *event)
{
    if (event->type() == QEvent::MouseMove)
        moveTo(static_cast<QMouseEvent *>(event)->position(), std::nullopt);
    else if (event->type() == QEvent::Leave && m_pointer)
        moveTo(std::nullopt, std::nullopt);
    return false;
}

void PlotCursor::putAt(double x)
{
    moveTo(std::nullopt, x);
}

bool PlotCursor::release()
{
    if (!m_put)
        return false;
    moveTo(std::nullopt, std::nullopt);
    return true;
}

void PlotCursor::moveTo(std::optional<QPointF> pointer, std::optional<double> x)
{
    const std::optional<double> before = m_x;
    m_pointer = pointer;
    m_put = x;
    place();
    if (m_x || before)
        m_plot->layer(QStringLiteral("overlay"))->replot();
    Q_EMIT moved();
}

void PlotCursor::hide()
{
    m_x.reset();
    m_label->setVisible(false);
    for (QCPItemLine *line : m_lines)
        line->setVisible(false);
}

void PlotCursor::place()
{
    const auto &panes = m_plot->panes();
    const PlotPane *pointed = m_plot->frame().main.id.isEmpty() ? nullptr
                              : m_put                           ? &m_plot->currentPane()
                              : m_pointer                       ? paneAbove(*m_pointer)
                                                                : nullptr;
    if (!pointed || (m_put && !pointed->xAxis()->range().contains(*m_put))) {
        hide();
        return;
    }
    while (m_lines.size() > panes.size()) {
        m_plot->removeItem(m_lines.back());
        m_lines.pop_back();
    }
    while (m_lines.size() < panes.size()) {
        auto *line = new QCPItemLine(m_plot);
        line->setLayer(QStringLiteral("overlay"));
        line->setClipToAxisRect(false);
        line->start->setType(QCPItemPosition::ptAbsolute);
        line->end->setType(QCPItemPosition::ptAbsolute);
        m_lines.push_back(line);
    }
    const PlotColors colors = plotColors(m_plot->palette());
    m_x = m_put ? *m_put : pointed->xAxis()->pixelToCoord(m_pointer->x());
    const double at = m_put ? pointed->xAxis()->coordToPixel(*m_put) : m_pointer->x();
    for (std::size_t i = 0; i < panes.size(); ++i) {
        const QRect rect = panes[i]->area()->rect();
        const double x = std::floor(panes[i]->xAxis()->coordToPixel(*m_x)) + 0.5;
        m_lines[i]->start->setCoords(x, rect.top());
        m_lines[i]->end->setCoords(x, rect.bottom() + 1);
        m_lines[i]->setPen(QPen(colors.cursor, 1, Qt::DotLine));
        m_lines[i]->setVisible(true);
    }
    m_label->setText(text());
    m_label->setFont(panes.back()->xAxis()->tickLabelFont());
    m_label->setColor(colors.background);
    m_label->setBrush(colors.cursor);
    // Below the lowest pane that has this time at this position: in a row with other widths it is elsewhere.
    const auto lowest = std::find_if(panes.rbegin(), panes.rend(), [at, this](const auto &pane) {
        const QRect area = pane->area()->rect();
        return at >= area.left() && at <= area.right() + 1 && std::abs(pane->xAxis()->coordToPixel(*m_x) - at) <= 2;
    });
    const PlotPane &below = lowest == panes.rend() ? *pointed : **lowest;
    // Keep the whole label visible at the edges.
    const QMargins around = m_label->padding();
    const double half = QFontMetrics(m_label->font()).horizontalAdvance(m_label->text()) / 2.0 + around.left() + 2;
    const double middle = std::clamp(at, std::min(half, m_plot->width() / 2.0), std::max(m_plot->width() - half, half));
    m_label->position->setCoords(std::floor(middle) + 0.5, below.area()->rect().bottom() + 3);
    m_label->setVisible(true);
}

/// Returns the pane under the pointer, or the nearest one above or below it.
const PlotPane *PlotCursor::paneAbove(const QPointF &point) const
{
    const PlotPane *nearest = nullptr;
    double least = 0;
    for (const auto &pane : m_plot->panes()) {
        const QRect area = pane->area()->rect();
        if (point.x() < area.left() || point.x() > area.right())
            continue;
        const double away = std::max({0.0, area.top() - point.y(), point.y() - area.bottom()});
        if (!nearest || away < least) {
            nearest = pane.get();
            least = away;
        }
    }
    return nearest;
}

QString PlotCursor::text() const
{
    if (m_plot->xScale() == XScale::Step)
        return QLocale().toString(static_cast<qlonglong>(std::floor(*m_x)));
    const QCPAxis *axis = m_plot->panes()[0]->xAxis();
    return m_plot->timeTicker().exactText(*m_x, axis->range().size() / std::max(1, axis->axisRect()->width()));
}

}  // namespace sweepscope::ui
