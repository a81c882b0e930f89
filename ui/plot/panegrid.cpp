#include "ui/plot/panegrid.h"

#include <algorithm>
#include <limits>

namespace sweepscope::ui {

PaneGrid::PaneGrid(QCustomPlot *plot) : m_plot(plot), m_margins(new QCPMarginGroup(plot)) {}

bool PaneGrid::arrange(const std::vector<Cell> &cells)
{
    if (cells == m_cells)
        return false;
    std::vector<std::unique_ptr<PlotPane>> panes;
    for (const Cell &cell : cells) {
        const auto before = std::ranges::find_if(
            m_cells, [&cell](const Cell &one) { return one.chart == cell.chart && one.kind == cell.kind; });
        std::unique_ptr<PlotPane> kept;
        if (before != m_cells.end())
            kept = std::move(m_panes[static_cast<std::size_t>(before - m_cells.begin())]);
        panes.push_back(kept ? std::move(kept) : std::make_unique<PlotPane>(m_plot, cell.kind, m_margins));
    }
    m_panes = std::move(panes);
    m_cells = cells;
    QCPLayoutGrid *layout = m_plot->plotLayout();
    std::vector<QCPLayoutGrid *> rows;
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        if (i == 0 || m_cells[i].row != m_cells[i - 1].row) {
            rows.push_back(new QCPLayoutGrid);
            rows.back()->setColumnSpacing(0);
            layout->addElement(layout->rowCount(), 0, rows.back());
        }
        m_panes[i]->placeIn(rows.back());
    }
    // Earlier rows are empty now.
    while (layout->rowCount() > static_cast<int>(rows.size())) {
        layout->remove(layout->element(0, 0));
        layout->simplify();
    }
    return true;
}

std::size_t PaneGrid::indexOf(const PlotPane &pane) const
{
    const auto found = std::ranges::find(m_panes, &pane, [](const auto &one) { return one.get(); });
    return static_cast<std::size_t>(found - m_panes.begin());
}

PlotPane *PaneGrid::find(const QString &chart) const
{
    const auto found = std::ranges::find(m_cells, chart, &Cell::chart);
    return found == m_cells.end() ? nullptr : m_panes[static_cast<std::size_t>(found - m_cells.begin())].get();
}

PlotPane *PaneGrid::paneAt(const QPointF &point) const
{
    const auto isOver = [&point](const auto &pane) { return pane->area()->outerRect().contains(point.toPoint()); };
    const auto found = std::ranges::find_if(m_panes, isOver);
    return found == m_panes.end() ? nullptr : found->get();
}

PlotPane *PaneGrid::titleAt(const QPointF &point) const
{
    const auto isOver = [&point](const auto &pane) { return pane->titleArea().contains(point.toPoint()); };
    const auto found = std::ranges::find_if(m_panes, isOver);
    return found == m_panes.end() ? nullptr : found->get();
}

std::pair<std::size_t, std::size_t> PaneGrid::rowAround(std::size_t pane) const
{
    const auto first = std::ranges::lower_bound(m_cells, m_cells[pane].row, {}, &Cell::row);
    const auto last = std::ranges::upper_bound(m_cells, m_cells[pane].row, {}, &Cell::row);
    return {static_cast<std::size_t>(first - m_cells.begin()), static_cast<std::size_t>(last - m_cells.begin())};
}

bool PaneGrid::hasTimeBelow(std::size_t pane) const
{
    const auto [first, behind] = rowAround(pane);
    if (behind == m_cells.size())
        return true;
    const auto [next, behindNext] = rowAround(behind);
    return behindNext - next != behind - first;
}

std::optional<ChartPlace> PaneGrid::placeAt(const QPointF &point, const QString &dragged) const
{
    std::size_t nearest = 0;
    int distance = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        const QRect area = m_panes[i]->outerArea();
        const QPoint inside(std::clamp(qRound(point.x()), area.left(), area.right()),
                            std::clamp(qRound(point.y()), area.top(), area.bottom()));
        if (const int away = (inside - point.toPoint()).manhattanLength(); away < distance) {
            nearest = i;
            distance = away;
        }
    }
    if (m_cells[nearest].chart == dragged)
        return std::nullopt;
    const QRect area = m_panes[nearest]->outerArea();
    const auto [first, behind] = rowAround(nearest);
    const bool hasRoom = static_cast<qsizetype>(behind - first) < mostBeside;
    // The middle of a chart is for its row; top and bottom are for a new row: titles are on the left, and dragging one
    // straight down means a new row.
    const double edge = area.height() * 0.3;
    ChartPlace place{ChartPlace::Side::Below, m_cells[nearest].chart};
    if (hasRoom && point.y() > area.top() + edge && point.y() < area.bottom() - edge)
        place.side = point.x() > area.center().x() ? ChartPlace::Side::Right : ChartPlace::Side::Left;
    else if (point.y() < area.center().y())
        place.side = ChartPlace::Side::Above;
    return place;
}

}  // namespace sweepscope::ui
