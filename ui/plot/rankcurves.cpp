#include "ui/plot/rankcurves.h"

#include "ui/plot/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sweepscope::ui {

namespace {

/// A rank that is this far behind the others says nothing about the present.
constexpr std::int64_t patienceNs = 5'000'000'000;

std::optional<double> meanOf(const std::vector<double> &values)
{
    if (values.empty())
        return std::nullopt;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Ignores NaN, as the columns of the curve do.
std::optional<double> medianOf(std::vector<double> values)
{
    if (values.empty())
        return std::nullopt;
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Returns the time of the newest report of any rank; 0 if there is none.
WallNs newestReport(const std::vector<const series::Series *> &attempt)
{
    WallNs newest = 0;
    for (const series::Series *series : attempt)
        newest = std::max(newest, series && !series->empty() ? series->back().timeNs : 0);
    return newest;
}

bool isSilent(const series::Series &series, WallNs now)
{
    return now - series.back().timeNs > patienceNs;
}

/// Appends the columns of the next attempt. A line connects them unless it would go back, or cross a time without an
/// attempt.
void append(std::vector<series::Column> &columns, std::vector<series::Column> next, series::XAxis axis)
{
    if (!columns.empty() && !next.empty())
        next.front().startsSegment = axis == series::XAxis::WallTime || next.front().x <= columns.back().x;
    columns.insert(columns.end(), next.begin(), next.end());
}

}  // namespace

const series::Series *firstOf(const SeriesParts &parts)
{
    for (const std::vector<const series::Series *> &part : parts) {
        const auto found = std::ranges::find_if(part, [](const series::Series *series) { return series != nullptr; });
        if (found != part.end())
            return *found;
    }
    return nullptr;
}

std::vector<series::Column> RankCurves::visible(const series::Series &series) const
{
    return m_columns.of(series,
                        {m_request.axis, m_frame.from, m_frame.to, m_request.columns, series::Edges::WithNeighbours},
                        series::smoothingContext(m_request.smoothing, m_request.columns));
}

void RankCurves::setColumns(PlotCurve &curve, std::vector<series::Column> columns) const
{
    // Remove what was read before the view for smoothing, except for the last column, where the line starts.
    const auto withoutContext = [from = m_frame.from](std::vector<series::Column> &all) {
        auto first =
            std::find_if(all.begin(), all.end(), [from](const series::Column &column) { return column.x >= from; });
        if (first != all.begin() && first != all.end())
            all.erase(all.begin(), std::prev(first));
    };
    if (m_request.smoothing > 0 && curve.drawn) {
        curve.raw = columns;
        columns = series::smoothed(columns, m_request.smoothing);
        withoutContext(curve.raw);
    }
    withoutContext(columns);
    curve.columns = std::move(columns);
}

series::ColumnGrid RankCurves::grid() const
{
    const int context = series::smoothingContext(m_request.smoothing, m_request.columns);
    const double width = (m_frame.to - m_frame.from) / m_request.columns;
    return {m_frame.from - width * context, m_frame.to, m_request.columns + context};
}

/// Returns the columns of one rank. `now`: the newest report of all ranks of its attempt.
series::CurveColumns RankCurves::columnsOf(const series::Series &series, WallNs now) const
{
    // A silent rank counts only up to its last value.
    const bool silent = isSilent(series, now);
    return {visible(series), silent ? series.extent(m_request.axis).second : std::numeric_limits<double>::infinity()};
}

/// Attempt by attempt: if a later one repeats steps, both are drawn.
PlotCurve RankCurves::common(const SeriesParts &parts, std::vector<series::Column> &band) const
{
    const bool quartiles = m_request.rankView == RankView::Quartiles;
    series::Aggregate common;
    std::vector<double> newest;
    for (const std::vector<const series::Series *> &attempt : parts) {
        const WallNs now = newestReport(attempt);
        if (now == 0)
            continue;
        std::vector<series::CurveColumns> ranks;
        newest.clear();
        for (const series::Series *series : attempt) {
            if (!series || series->empty())
                continue;
            ranks.push_back(columnsOf(*series, now));
            if (!isSilent(*series, now))
                newest.push_back(series->back().value);
        }
        series::Aggregate own =
            series::aggregate(ranks, grid(), quartiles ? series::Spread::Quartiles : series::Spread::Extremes);
        append(common.center, std::move(own.center), m_request.axis);
        append(common.band, std::move(own.band), m_request.axis);
    }
    PlotCurve curve;
    curve.newest = quartiles ? medianOf(std::move(newest)) : meanOf(newest);
    setColumns(curve, std::move(common.center));
    if (m_request.rankView != RankView::Mean)
        band = std::move(common.band);
    return curve;
}

/// The mean of the ranks, for stacked areas: of repeated steps the last values count.
PlotCurve RankCurves::stacked(const SeriesParts &parts) const
{
    const std::size_t ranks = parts.empty() ? 0 : parts.front().size();
    std::vector<series::CurveColumns> curves(ranks, {{}, std::numeric_limits<double>::infinity()});
    std::vector<double> newest;
    for (const std::vector<const series::Series *> &attempt : parts) {
        const WallNs now = newestReport(attempt);
        if (now == 0)
            continue;
        newest.clear();
        for (std::size_t rank = 0; rank < attempt.size(); ++rank) {
            const series::Series *series = attempt[rank];
            if (!series || series->empty())
                continue;
            series::CurveColumns own = columnsOf(*series, now);
            append(curves[rank].columns, std::move(own.columns), m_request.axis);
            curves[rank].until = own.until;
            if (!isSilent(*series, now))
                newest.push_back(series->back().value);
        }
    }
    PlotCurve curve;
    curve.newest = meanOf(newest);
    setColumns(curve, series::aggregate(curves, grid(), series::Spread::Extremes).center);
    return curve;
}

void RankCurves::addRanks(PlotPanel &panel, const SeriesParts &parts) const
{
    const bool ranksDrawn = m_request.rankView == RankView::Ranks;
    panel.rankView = m_request.rankView;
    if (!ranksDrawn && firstOf(parts))
        panel.curves.push_back(common(parts, panel.band));
    const std::size_t ranks = parts.empty() ? 0 : parts.back().size();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        PlotCurve curve;
        std::vector<series::Column> columns;
        bool isDeclared = false;
        for (const std::vector<const series::Series *> &attempt : parts) {
            const series::Series *series = attempt[rank];
            if (!series)
                continue;
            isDeclared = true;
            panel.unit = QString::fromStdString(series->unit());
            if (series->empty())
                continue;
            curve.newest = newestValue(*series);
            append(columns, visible(*series), m_request.axis);
        }
        if (!isDeclared)
            continue;
        curve.name = QStringLiteral("rank %1").arg(rank);
        curve.color = static_cast<int>(rank);
        curve.drawn = ranksDrawn;
        setColumns(curve, std::move(columns));
        panel.curves.push_back(std::move(curve));
    }
}

}  // namespace sweepscope::ui
