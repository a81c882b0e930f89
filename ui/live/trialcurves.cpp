// What the charts of one trial show of its feeds.
#include "ui/live/columns.h"
#include "ui/live/devicestrips.h"
#include "ui/live/stepparts.h"
#include "ui/live/trialfeeds.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <ranges>
#include <utility>

namespace sweepscope::ui {

namespace {

/// A rank that is so far behind the others says nothing about the present.
constexpr std::int64_t patienceNs = 5'000'000'000;

/// Free room right of the newest point, as a share of the range: of what is over, and at least of what still grows.
constexpr double headroom = 0.015;
constexpr double leastHeadroom = 0.004;

/// The end of a view that follows curves, which are `from` to `to` by now. It goes ahead in strides, so that the
/// columns stay where they are between them, and only the newest have to be computed.
double endOfView(double from, double to)
{
    const double size = (to - from) * (1 + leastHeadroom);
    const double stride = std::exp2(std::ceil(std::log2(size / 64)));
    return from + std::ceil(size / stride) * stride;
}

/// Of ranks, in a chart below the first.
constexpr int mostCurvesBelow = 16;

void setExtents(PlotPanel &panel, const PlotFrame &frame)
{
    for (PlotCurve &curve : panel.curves)
        curve.extent = extentOf(curve.columns, curve.raw, frame.from, frame.to);
}

std::optional<double> meanOf(const std::vector<double> &values)
{
    if (values.empty())
        return std::nullopt;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of those that are numbers, as the curve's columns have it.
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

/// When a rank of the attempt reported last; 0: none has.
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

/// Of any rank of any attempt; null: none declares it.
const series::Series *firstOf(const std::vector<std::vector<const series::Series *>> &parts)
{
    for (const series::Series *series : parts | std::views::join) {
        if (series)
            return series;
    }
    return nullptr;
}

/// The columns of the next attempt. A line leads to them, unless it would go back, or through a time without an attempt.
void append(std::vector<series::Column> &columns, std::vector<series::Column> next, series::XAxis axis)
{
    if (!columns.empty() && !next.empty())
        next.front().startsSegment = axis == series::XAxis::WallTime || next.front().x <= columns.back().x;
    columns.insert(columns.end(), next.begin(), next.end());
}

}  // namespace

void TrialFeeds::setRange(PlotFrame &frame, const PlotRequest &request, const Parts &shown) const
{
    frame.start = startSeconds();
    frame.from = request.from;
    frame.to = request.to;
    if (!request.follow)
        return;
    if (request.axis == series::XAxis::Step) {
        bool first = true;
        for (const series::Series *series : shown | std::views::join) {
            if (!series || series->empty())
                continue;
            const auto [low, high] = series->extent(request.axis);
            frame.from = first ? low : std::min(frame.from, low);
            frame.to = first ? high : std::max(frame.to, high);
            first = false;
        }
    } else {
        WallNs end = 0;
        const auto later = [&end](const series::Series &series) {
            if (!series.empty())
                end = std::max(end, series.back().timeNs);
        };
        for (const series::Series *series : allSeries())
            later(*series);
        // What is measured of a frozen attempt would squeeze its curves for as long as it is paused.
        for (const series::Series &series : m_host.all()) {
            if (!m_source.isFrozen)
                later(series);
        }
        if (m_devices && m_source.ended == 0 && !m_source.isFrozen) {
            for (const std::string &device : m_source.devices) {
                if (const series::Series *series = m_devices->find(device, "utilization"))
                    later(*series);
            }
        }
        frame.from = frame.start;
        frame.to = toSeconds(end);
    }
    frame.to = std::max(frame.to, frame.from + 1);
    frame.to = m_source.ended > 0 ? frame.to + (frame.to - frame.from) * headroom : endOfView(frame.from, frame.to);
}

std::vector<series::Column> TrialFeeds::visible(const series::Series &series, const PlotFrame &frame,
                                                const PlotRequest &request)
{
    return m_columns.of(series, {request.axis, frame.from, frame.to, request.columns, series::Edges::WithNeighbours},
                        series::smoothingContext(request.smoothing, request.columns));
}

void TrialFeeds::setColumns(PlotCurve &curve, std::vector<series::Column> columns, const PlotRequest &request,
                            double from)
{
    // What lies before the view was only for smoothing: but for the last of it, from which the line comes.
    const auto withoutContext = [from](std::vector<series::Column> &all) {
        auto first =
            std::find_if(all.begin(), all.end(), [from](const series::Column &column) { return column.x >= from; });
        if (first != all.begin() && first != all.end())
            all.erase(all.begin(), std::prev(first));
    };
    if (request.smoothing > 0 && curve.drawn) {
        curve.raw = columns;
        columns = series::smoothed(columns, request.smoothing);
        withoutContext(curve.raw);
    }
    withoutContext(columns);
    curve.columns = std::move(columns);
}

series::ColumnGrid TrialFeeds::gridOf(const PlotFrame &frame, const PlotRequest &request) const
{
    const int context = series::smoothingContext(request.smoothing, request.columns);
    const double width = (frame.to - frame.from) / request.columns;
    return {frame.from - width * context, frame.to, request.columns + context};
}

/// Of one rank. `now`: the newest report of all ranks of its attempt.
series::CurveColumns TrialFeeds::columnsOf(const series::Series &series, WallNs now, const PlotFrame &frame,
                                           const PlotRequest &request)
{
    // The last value of a rank that fell silent counts no longer when it did.
    const bool silent = isSilent(series, now);
    return {visible(series, frame, request),
            silent ? series.extent(request.axis).second : std::numeric_limits<double>::infinity()};
}

/// Attempt by attempt: where a later one does steps again, both are drawn.
PlotCurve TrialFeeds::commonCurve(PlotPanel &panel, const PlotFrame &frame, const PlotRequest &request,
                                  const Parts &parts)
{
    const bool quartiles = request.rankView == RankView::Quartiles;
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
            ranks.push_back(columnsOf(*series, now, frame, request));
            if (!isSilent(*series, now))
                newest.push_back(series->back().value);
        }
        series::Aggregate own = series::aggregate(ranks, gridOf(frame, request),
                                                  quartiles ? series::Spread::Quartiles : series::Spread::Extremes);
        append(common.center, std::move(own.center), request.axis);
        append(common.band, std::move(own.band), request.axis);
    }
    PlotCurve curve;
    curve.newest = quartiles ? medianOf(std::move(newest)) : meanOf(newest);
    setColumns(curve, std::move(common.center), request, frame.from);
    if (request.rankView != RankView::Mean)
        panel.band = std::move(common.band);
    return curve;
}

/// The mean of the ranks, for areas on top of each other: of steps that were done again the last time counts.
PlotCurve TrialFeeds::stackedCurve(const PlotFrame &frame, const PlotRequest &request, const Parts &parts)
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
            series::CurveColumns own = columnsOf(*series, now, frame, request);
            append(curves[rank].columns, std::move(own.columns), request.axis);
            curves[rank].until = own.until;
            if (!isSilent(*series, now))
                newest.push_back(series->back().value);
        }
    }
    PlotCurve curve;
    curve.newest = meanOf(newest);
    setColumns(curve, series::aggregate(curves, gridOf(frame, request), series::Spread::Extremes).center, request,
               frame.from);
    return curve;
}

TrialFeeds::Parts TrialFeeds::partsOf(std::string_view name) const
{
    Parts parts;
    for (const Attempt &attempt : m_attempts) {
        std::vector<const series::Series *> &ranks = parts.emplace_back();
        for (const series::FeedSeries &rank : attempt.ranks)
            ranks.push_back(rank.find(name));
    }
    return parts;
}

void TrialFeeds::addAttemptEnds(PlotPanel &panel, const Parts &parts, const PlotRequest &request) const
{
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        std::optional<double> end;
        for (const series::Series *series : parts[i]) {
            if (!series || series->empty())
                continue;
            const series::Sample last = series->back();
            const double x =
                request.axis == series::XAxis::Step ? static_cast<double>(last.step) : toSeconds(last.timeNs);
            end = std::max(end.value_or(x), x);
        }
        const auto isSame = [&](const AttemptEnd &one) { return one.attempt == m_attempts[i].number; };
        const auto known = std::ranges::find_if(panel.attemptEnds, isSame);
        if (known != panel.attemptEnds.end() && end)
            known->x = std::max(known->x, *end);
        else if (end)
            panel.attemptEnds.push_back({*end, m_attempts[i].number, std::nullopt});
    }
}

void TrialFeeds::addRankCurves(PlotPanel &panel, const PlotFrame &frame, const PlotRequest &request,
                               const std::string &name)
{
    const Parts parts = partsOf(name);
    const bool ranksDrawn = request.rankView == RankView::Ranks;
    panel.rankView = request.rankView;
    if (!ranksDrawn && firstOf(parts))
        panel.curves.push_back(commonCurve(panel, frame, request, parts));
    for (std::size_t rank = 0; rank < present().ranks.size(); ++rank) {
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
            append(columns, visible(*series, frame, request), request.axis);
        }
        if (!isDeclared)
            continue;
        curve.name = QStringLiteral("rank %1").arg(rank);
        curve.color = static_cast<int>(rank);
        curve.drawn = ranksDrawn;
        setColumns(curve, std::move(columns), request, frame.from);
        panel.curves.push_back(std::move(curve));
    }
    addAttemptEnds(panel, parts, request);
}

PlotPanel TrialFeeds::seriesPanel(const Chart &chart, const PlotFrame &frame, const PlotRequest &request)
{
    PlotPanel panel;
    panel.isStrip = false;
    if (chart.series.size() == 1) {
        PlotRequest own = request;
        // Only the first panel is drawn ahead; so many curves here would take the window's thread too long.
        if (m_source.ranks > mostCurvesBelow && request.rankView == RankView::Ranks)
            own.rankView = RankView::Spread;
        addRankCurves(panel, frame, own, chart.series.first().toStdString());
        if (m_source.ranks > mostCurvesBelow)
            std::erase_if(panel.curves, [](const PlotCurve &curve) { return !curve.drawn; });
        return panel;
    }
    panel.isOfSeries = true;
    panel.isOfMeans = m_source.ranks > 1;
    PlotRequest mean = request;
    mean.rankView = RankView::Mean;
    QStringList units;
    for (const QString &name : chart.series) {
        const Parts parts = partsOf(name.toStdString());
        const series::Series *any = firstOf(parts);
        if (!any)
            continue;
        PlotCurve curve = commonCurve(panel, frame, mean, parts);
        curve.name = name;
        curve.color = static_cast<int>(chart.series.indexOf(name));
        units << QString::fromStdString(any->unit());
        panel.curves.push_back(std::move(curve));
        addAttemptEnds(panel, parts, request);
    }
    units.removeDuplicates();
    if (units.size() == 1)
        panel.unit = units.first();
    return panel;
}

PlotPanel TrialFeeds::stepPartsPanel(const PlotFrame &frame, const PlotRequest &request)
{
    PlotPanel panel;
    panel.isStrip = false;
    panel.isOfSeries = true;
    panel.isOfMeans = m_source.ranks > 1;
    panel.unit = QStringLiteral("s");
    PlotRequest mean = request;
    mean.rankView = RankView::Mean;
    std::vector<std::vector<series::Column>> parts;
    const auto add = [&](const Parts &shown, const QString &name) {
        PlotCurve curve = stackedCurve(frame, mean, shown);
        curve.raw.clear();
        curve.name = name;
        curve.color = static_cast<int>(panel.curves.size());
        panel.curves.push_back(std::move(curve));
    };
    double sum = 0;
    for (const StepPart &part : stepParts) {
        const Parts shown = partsOf(part.series);
        if (!firstOf(shown))
            continue;
        add(shown, QCoreApplication::translate("StepParts", part.name));
        parts.push_back(panel.curves.back().columns);
        sum += panel.curves.back().newest.value_or(0);
    }
    const Parts whole = partsOf("step_time");
    std::vector<series::Column> wholeColumns;
    if (firstOf(whole)) {
        add(whole, QCoreApplication::translate("StepParts", "other"));
        PlotCurve &other = panel.curves.back();
        wholeColumns = other.columns;
        if (other.newest)
            other.newest = beyond(*other.newest, sum);
    }
    addAttemptEnds(panel, whole, request);
    Stack stack = stacked(parts, wholeColumns, gridOf(frame, request));
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        panel.curves[i].stack = std::move(stack.edges[i]);
        if (i == parts.size())
            panel.curves[i].columns = std::move(stack.other);
    }
    return panel;
}

std::optional<PlotPanel> TrialFeeds::panel(const Chart &chart, const PlotFrame &frame, const PlotRequest &request)
{
    PlotPanel panel;
    switch (chart.kind) {
    case Chart::Kind::Chosen: {
        Chart chosen = chart;
        chosen.series = {QString::fromStdString(shownSeries(request))};
        panel = seriesPanel(chosen, frame, request);
        chosen.kind = Chart::Kind::Series;
        panel.title = chosen.title();
        break;
    }
    case Chart::Kind::Devices: {
        const DeviceStrips strips(m_source, m_host, m_devices ? &*m_devices : nullptr);
        if (request.axis != series::XAxis::WallTime || !strips.ids().contains(chart.device))
            return std::nullopt;
        panel = strips.panel(chart.device, frame, request.columns, m_columns);
        break;
    }
    case Chart::Kind::Series:
        panel = seriesPanel(chart, frame, request);
        break;
    case Chart::Kind::StepParts:
        panel = stepPartsPanel(frame, request);
        break;
    }
    panel.id = chart.id();
    setExtents(panel, frame);
    return panel;
}

PlotFrame TrialFeeds::range(const PlotRequest &request, const std::string &name) const
{
    PlotFrame frame;
    setRange(frame, request, partsOf(name));
    return frame;
}

PlotFrame TrialFeeds::frame(const PlotRequest &request)
{
    PlotFrame frame;
    frame.view = request.view;
    frame.seriesNames = seriesNames();
    const DeviceStrips strips(m_source, m_host, m_devices ? &*m_devices : nullptr);
    frame.stripIds = strips.ids();
    const std::string name = chooseSeries(request.series, frame.seriesNames);
    frame.main.id = QString::fromStdString(name);
    setRange(frame, request, partsOf(name));
    frame.charts = request.charts.isEmpty() ? usualCharts(frame.stripIds) : request.charts;
    for (const QString &id : frame.charts | std::views::join) {
        const Chart chart = Chart::fromId(id);
        if (chart.isPinned())
            continue;
        if (chart.kind == Chart::Kind::Chosen)
            addRankCurves(frame.main, frame, request, name);
        else if (std::optional<PlotPanel> other = panel(chart, frame, request))
            frame.strips.push_back(std::move(*other));
    }
    m_columns.endFrame();
    setExtents(frame.main, frame);
    std::string problem;
    std::string damage;
    for (const Attempt &attempt : m_attempts) {
        for (const std::string &one : attempt.problems)
            problem = problem.empty() ? one : problem;
        for (const series::FeedSeries &rank : attempt.ranks) {
            frame.droppedRecords += static_cast<qint64>(rank.droppedRecords());
            damage = damage.empty() ? rank.damage() : damage;
        }
    }
    for (const std::string &one : {m_hostProblem, m_devicesProblem, damage})
        problem = problem.empty() ? one : problem;
    frame.problem = QString::fromStdString(problem);
    return frame;
}

}  // namespace sweepscope::ui
