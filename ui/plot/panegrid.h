#pragma once

#include "ui/plot/chartlayout.h"
#include "ui/plot/plotpane.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The panes of a plot in rows, each of which shows one chart. In reading order.
class PaneGrid {
public:
    struct Cell {
        QString chart;  ///< id
        PanelKind kind;
        int row;  ///< from 0, without gaps
        bool operator==(const Cell &) const = default;
    };

    /// Fills the layout of `plot`.
    explicit PaneGrid(QCustomPlot *plot);
    /// Removes the panes from the plot, which must still exist.
    void clear() { m_panes.clear(); }

    /// Keeps the panes of charts that stay, with the user's changes to their y axes. Returns false if nothing changed.
    bool arrange(const std::vector<Cell> &cells);

    bool isEmpty() const { return m_panes.empty(); }
    const std::vector<std::unique_ptr<PlotPane>> &panes() const { return m_panes; }
    /// The cell of each pane.
    const std::vector<Cell> &cells() const { return m_cells; }
    std::size_t indexOf(const PlotPane &pane) const;
    /// Returns the pane that shows this chart; null if there is none.
    PlotPane *find(const QString &chart) const;
    /// Returns the pane whose plot, title or axis is at this point; null between panes.
    PlotPane *paneAt(const QPointF &point) const;
    PlotPane *titleAt(const QPointF &point) const;

    /// Returns the indexes of the first pane in this one's row, and of the first in the next row.
    std::pair<std::size_t, std::size_t> rowAround(std::size_t pane) const;
    /// Whether the x axis of a pane has labels: in the lowest row, and above a row with a different number of panes,
    /// whose labels are at other positions.
    bool hasTimeBelow(std::size_t pane) const;

    /// Returns the place of a chart dropped here: next to another one, or above or below it; nullopt if it would not
    /// move.
    std::optional<ChartPlace> placeAt(const QPointF &point, const QString &dragged) const;

private:
    QCustomPlot *m_plot;
    QCPMarginGroup *m_margins;
    std::vector<std::unique_ptr<PlotPane>> m_panes;
    std::vector<Cell> m_cells;
};

}  // namespace sweepscope::ui
