#pragma once

#include "series/columnmath.h"
#include "ui/plot/plotframe.h"
#include "ui/plot/visiblecolumns.h"

#include <vector>

namespace sweepscope::ui {

/// A series of a trial: for each attempt, the oldest first, its ranks; null if a rank does not report it.
using SeriesParts = std::vector<std::vector<const series::Series *>>;

/// Returns the first one reported by any rank of any attempt; null if there is none.
const series::Series *firstOf(const SeriesParts &parts);

/// Makes curves of one frame from the series of a trial's ranks. Where a later attempt repeats steps, both are drawn.
class RankCurves {
public:
    /// The arguments must outlive this object.
    RankCurves(VisibleColumns &columns, const PlotFrame &frame, const PlotRequest &request)
        : m_columns(columns), m_frame(frame), m_request(request)
    {}

    /// Adds a curve for each rank, and their aggregate if requested.
    void addRanks(PlotPanel &panel, const SeriesParts &parts) const;
    /// The mean or median of the ranks; sets `band`, their spread, if requested.
    PlotCurve common(const SeriesParts &parts, std::vector<series::Column> &band) const;
    /// The mean of the ranks on grid(), for stacked areas: of repeated steps the last values count.
    PlotCurve stacked(const SeriesParts &parts) const;
    series::ColumnGrid grid() const;

private:
    std::vector<series::Column> visible(const series::Series &series) const;
    void setColumns(PlotCurve &curve, std::vector<series::Column> columns) const;
    series::CurveColumns columnsOf(const series::Series &series, WallNs now) const;

    VisibleColumns &m_columns;
    const PlotFrame &m_frame;
    const PlotRequest &m_request;
};

}  // namespace sweepscope::ui
