#include "ui/live/plotcursor.h"

#include "ui/live/liveplot.h"
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
    if (event->type() == QEvent::MouseMove) {
        m_pointer = static_cast<QMouseEvent *>(event)->position();
        const std::optional<double> before = m_x;
        place();
        if (m_x || before)
            m_plot->layer(QStringLiteral("overlay"))->replot();
        Q_EMIT moved();
    } else if (event->type() == QEvent::Leave) {
        m_pointer.reset();
        place();
        m_plot->layer(QStringLiteral("overlay"))->replot();
        Q_EMIT moved();
    }
    return false;
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
    const PlotPane *pointed = m_pointer && !m_plot->frame().main.id.isEmpty() ? paneAbove(*m_pointer) : nullptr;
    if (!pointed) {
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
    m_x = pointed->xAxis()->pixelToCoord(m_pointer->x());
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
    // Below the lowest of those that stand above each other here.
    const auto lowest = std::find_if(panes.rbegin(), panes.rend(), [this](const auto &pane) {
        const QRect area = pane->area()->rect();
        return m_pointer->x() >= area.left() && m_pointer->x() <= area.right();
    });
    m_label->position->setCoords(std::floor(m_pointer->x()) + 0.5, (*lowest)->area()->rect().bottom() + 3);
    m_label->setVisible(true);
}

/// The pane over which the pointer stands, or the nearest one above or below it.
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
        return QLocale().toString(static_cast<qlonglong>(std::llround(*m_x)));
    const QCPAxis *axis = m_plot->panes()[0]->xAxis();
    return m_plot->timeTicker().exactText(*m_x, axis->range().size() / std::max(1, axis->axisRect()->width()));
}

}  // namespace sweepscope::ui
