#pragma once

#include "ui/live/chartlayout.h"
#include "ui/live/plotpane.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The panes of a plot in rows, each of which shows one chart. Row by row, each from the left.
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
    /// Takes the panes out of the plot, which must still exist.
    void clear() { m_panes.clear(); }

    /// Panes of charts that stay are kept, with what the person did to their y axes. False if nothing changed.
    bool arrange(const std::vector<Cell> &cells);

    bool isEmpty() const { return m_panes.empty(); }
    const std::vector<std::unique_ptr<PlotPane>> &panes() const { return m_panes; }
    /// Of each pane.
    const std::vector<Cell> &cells() const { return m_cells; }
    std::size_t indexOf(const PlotPane &pane) const;
    /// The pane that shows this chart; null if none does.
    PlotPane *find(const QString &chart) const;
    /// The pane whose plot, title or axis is at this point; null between them.
    PlotPane *paneAt(const QPointF &point) const;
    PlotPane *titleAt(const QPointF &point) const;

    /// The first pane in the row of this one, and the first of the next row.
    std::pair<std::size_t, std::size_t> rowAround(std::size_t pane) const;
    /// Whether the x axis of a pane has labels: in the lowest row, and where the row below has another number of panes, so
    /// that their labels are elsewhere.
    bool hasTimeBelow(std::size_t pane) const;

    /// Where a chart would go that is dropped here: next to another one, or above or below it. None if it would stay where
    /// it is.
    std::optional<ChartPlace> placeAt(const QPointF &point, const QString &dragged) const;

private:
    QCustomPlot *m_plot;
    QCPMarginGroup *m_margins;
    std::vector<std::unique_ptr<PlotPane>> m_panes;
    std::vector<Cell> m_cells;
};

}  // namespace sweepscope::ui
