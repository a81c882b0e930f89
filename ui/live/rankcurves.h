#pragma once

#include "series/columnmath.h"
#include "ui/live/plotframe.h"
#include "ui/live/visiblecolumns.h"

#include <vector>

namespace sweepscope::ui {

/// One series of a trial: for each attempt, the oldest first, its ranks; null where a rank does not report it.
using SeriesParts = std::vector<std::vector<const series::Series *>>;

/// The first that is reported, of any rank of any attempt; null: none is.
const series::Series *firstOf(const SeriesParts &parts);

/// Makes curves of one frame from the series of a trial's ranks. Where a later attempt repeats steps, both are drawn.
class RankCurves {
public:
    /// The arguments must outlive it.
    RankCurves(VisibleColumns &columns, const PlotFrame &frame, const PlotRequest &request)
        : m_columns(columns), m_frame(frame), m_request(request)
    {}

    /// A curve for each rank, and what they have in common if the request says so.
    void addRanks(PlotPanel &panel, const SeriesParts &parts) const;
    /// The mean or median of the ranks; `band`, their spread, is set if the request says so.
    PlotCurve common(const SeriesParts &parts, std::vector<series::Column> &band) const;
    /// The mean of the ranks on grid(), for areas on top of each other: of repeated steps the last time counts.
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
