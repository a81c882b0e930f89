#include "ui/plot/trialfeeds.h"

#include "base/thincopy.h"
#include "sweep/metricvalue.h"
#include "ui/plot/columns.h"
#include "ui/plot/devicestrips.h"
#include "ui/plot/stepparts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace sweepscope::ui {

namespace {

/// Per feed and call: reading this takes a few milliseconds, so that the first frame of a long trial arrives soon.
constexpr std::uint64_t pollBytes = 4 * 1024 * 1024;
/// The rate of a trial refers to about this time.
constexpr std::int64_t paceNs = 10'000'000'000;

/// Returns the number of samples in the last seconds; at least one.
std::size_t samplesOfPace(const series::Series &series)
{
    const std::int64_t begin = series.back().timeNs - paceNs;
    const auto isWithin = [&](std::size_t back) { return series.sample(series.size() - 1 - back).timeNs >= begin; };
    std::size_t within = 1;
    std::size_t beyond = 2;
    while (beyond < series.size()
           && isWithin(beyond)) {  // doubles the distance, so that a dense series costs few steps too
        within = beyond;
        beyond *= 2;
    }
    beyond = std::min(beyond, series.size());
    while (beyond - within > 1) {
        const std::size_t middle = within + (beyond - within) / 2;
        (isWithin(middle) ? within : beyond) = middle;
    }
    return within;
}

/// The rate over the last seconds of a series; time before a pause does not count. nullopt if there are too few values,
/// or steps go back.
std::optional<double> stepsPerSecond(const series::Series &series)
{
    if (series.size() < 2)
        return std::nullopt;
    const series::Sample newest = series.back();
    const series::Sample earlier = series.sample(series.size() - 1 - samplesOfPace(series));
    const double seconds = toSeconds(newest.timeNs - earlier.timeNs);
    if (seconds <= 0 || newest.step <= earlier.step)
        return std::nullopt;
    return static_cast<double>(newest.step - earlier.step) / seconds;
}

/// Free space right of the newest point, as a share of the range: for an ended attempt, and the minimum for a growing
/// one.
constexpr double headroom = 0.015;
constexpr double leastHeadroom = 0.004;

/// Returns the end of a view that follows curves, now from `from` to `to`. Moves in strides, so that columns stay in
/// place between them and only new ones are computed.
double endOfView(double from, double to)
{
    const double size = (to - from) * (1 + leastHeadroom);
    const double stride = std::exp2(std::ceil(std::log2(size / 64)));
    return from + std::ceil(size / stride) * stride;
}

/// Curves of ranks in a chart below the first.
constexpr int mostCurvesBelow = 16;

void setExtents(PlotPanel &panel, const PlotFrame &frame)
{
    for (PlotCurve &curve : panel.curves)
        curve.extent = extentOf(curve.columns, curve.raw, frame.from, frame.to);
}

}  // namespace

TrialFeeds::TrialFeeds(TrialSource source, Readings readings)
    : m_source(std::move(source)), m_hasReadings(readings == Readings::All)
{
    if (m_hasReadings)
        m_readings.update(m_source);
    const auto cache = std::make_shared<series::BlockCache>();
    for (int number = m_source.continuesOthers() ? m_source.firstAttempt : m_source.attempt; number <= m_source.attempt;
         ++number) {
        const bool isPresent = number == m_source.attempt;
        const AttemptLayout files = isPresent ? m_source.files() : m_source.filesOf(number);
        Attempt &attempt = m_attempts.emplace_back(Attempt{number, {}});
        // While an attempt runs, its agent writes the index.
        const bool isOver = !isPresent || m_source.ended > 0;
        for (int rank = 0; rank < m_source.ranks; ++rank)
            attempt.ranks.emplace_back(
                series::FeedFiles{files.rankFeed(rank), files.rankRing(rank), files.rankIndex(rank)},
                isOver ? series::IndexUse::Write : series::IndexUse::Read, cache);
    }
}

void TrialFeeds::updateSource(const TrialSource &source)
{
    if (m_hasReadings)
        m_readings.update(source);
    m_source = source;
}

bool TrialFeeds::poll()
{
    const auto anything = [](std::uint64_t records) { return records > 0; };
    bool changed = false;
    for (Attempt &attempt : m_attempts) {
        const qint64 missing = attempt.missingBytes;
        attempt.missingBytes = missingBytes(attempt);
        changed |= missing != attempt.missingBytes;
        if (attempt.isRead && missing == 0)
            continue;
        attempt.problems.resize(attempt.ranks.size());
        bool isNew = false;
        for (std::size_t rank = 0; rank < attempt.ranks.size(); ++rank)
            isNew |= storeResult(attempt.ranks[rank].poll(pollBytes).map(anything), attempt.problems[rank]);
        attempt.isRead = !isNew && &attempt != &m_attempts.back();
        if (attempt.isRead)
            save(attempt);
        changed |= isNew;
    }
    if (m_hasReadings)
        changed |= m_readings.poll(pollBytes);
    if (!changed && m_source.ended > 0)
        save(m_attempts.back());
    return changed;
}

/// Looks only where files come from another machine.
qint64 TrialFeeds::missingBytes(const Attempt &attempt) const
{
    const AttemptLayout files = m_source.filesOf(attempt.number);
    qint64 missing = 0;
    for (int rank = 0; rank < m_source.ranks && m_source.isMirrored; ++rank) {
        if (const auto copy = thinCopyOf(files.rankFeed(rank)))
            missing += copy->stands - copy->bytes;
    }
    return missing;
}

/// Saves the index, so that opening this trial again need not read the feeds.
void TrialFeeds::save(Attempt &attempt)
{
    for (series::FeedSeries &rank : attempt.ranks)
        rank.save();
}

std::vector<const series::Series *> TrialFeeds::allSeries() const
{
    std::vector<const series::Series *> all;
    for (const Attempt &attempt : m_attempts) {
        for (const series::FeedSeries &rank : attempt.ranks) {
            for (const series::Series &series : rank.all())
                all.push_back(&series);
        }
    }
    return all;
}

QStringList TrialFeeds::seriesNames() const
{
    // Called for each frame, with many ranks that mostly declare the same series.
    QStringList names;
    std::unordered_set<std::string_view> known;
    for (const series::Series *series : allSeries()) {
        if (!sweep::isBookkeeping(series->name()) && known.insert(series->name()).second)
            names.append(QString::fromStdString(series->name()));
    }
    return names;
}

std::size_t TrialFeeds::points(std::string_view series) const
{
    std::size_t points = 0;
    for (const std::vector<const series::Series *> &attempt : partsOf(series)) {
        std::size_t most = 0;
        for (const series::Series *rank : attempt)
            most = std::max(most, rank ? rank->size() : 0);
        points += most;
    }
    return points;
}

std::optional<TrialPace> TrialFeeds::pace() const
{
    TrialPace pace;
    const series::Series *densest = nullptr;
    for (const series::FeedSeries &rank : present().ranks) {
        for (const series::Series &series : rank.all()) {
            if (series.empty() || sweep::isBookkeeping(series.name()))
                continue;
            const series::Sample newest = series.back();
            pace.step = std::max(pace.step, newest.step);
            pace.at = std::max(pace.at, newest.timeNs);
            if (!densest || series.size() > densest->size())
                densest = &series;
        }
    }
    if (!densest)
        return std::nullopt;
    pace.stepsPerSecond = stepsPerSecond(*densest);
    return pace;
}

std::string TrialFeeds::chooseSeries(const QString &wanted, const QStringList &names) const
{
    for (const QString &name : {wanted, QStringLiteral("loss"), QString::fromStdString(m_source.objective)}) {
        if (!name.isEmpty() && names.contains(name))
            return name.toStdString();
    }
    return names.isEmpty() ? std::string() : names.first().toStdString();
}

double TrialFeeds::startSeconds() const
{
    WallNs start = 0;
    const auto earlier = [&start](WallNs time) { start = time > 0 && (start == 0 || time < start) ? time : start; };
    for (const Attempt &attempt : m_attempts) {
        for (const series::FeedSeries &rank : attempt.ranks)
            earlier(rank.preamble().createdNs);
    }
    for (const series::Series *series : allSeries())
        earlier(series->empty() ? 0 : series->front().timeNs);
    return toSeconds(start > 0 ? start : m_source.started);
}

QStringList TrialFeeds::watchedFiles() const
{
    const AttemptLayout files = m_source.files();
    std::vector<std::filesystem::path> paths = m_readings.files();
    paths.push_back(files.folder);
    for (int rank = 0; rank < m_source.ranks; ++rank)
        paths.push_back(files.rankFeed(rank));
    QStringList there;
    std::error_code error;
    for (const std::filesystem::path &path : paths) {
        if (std::filesystem::exists(path, error))
            there.append(QString::fromStdString(path.string()));
    }
    return there;
}

bool TrialFeeds::hasRings() const
{
    // A ring that still exists has no writer: its log is full or damaged.
    if (m_source.ended > 0)
        return false;
    const AttemptLayout files = m_source.files();
    std::error_code error;
    for (int rank = 0; rank < m_source.ranks; ++rank) {
        if (std::filesystem::exists(files.rankRing(rank), error))
            return true;
    }
    return false;
}

void TrialFeeds::setRange(PlotFrame &frame, const PlotRequest &request, const SeriesParts &shown) const
{
    frame.start = startSeconds();
    frame.from = request.from;
    frame.to = request.to;
    if (!request.follow)
        return;
    if (request.axis == series::XAxis::Step) {
        bool first = true;
        for (const std::vector<const series::Series *> &part : shown) {
            for (const series::Series *series : part) {
                if (!series || series->empty())
                    continue;
                const auto [low, high] = series->extent(request.axis);
                frame.from = first ? low : std::min(frame.from, low);
                frame.to = first ? high : std::max(frame.to, high);
                first = false;
            }
        }
    } else {
        WallNs end = 0;
        const auto later = [&end](const series::Series &series) {
            if (!series.empty())
                end = std::max(end, series.back().timeNs);
        };
        for (const series::Series *series : allSeries())
            later(*series);
        // The growing measurements of a frozen attempt would squeeze its curves while it is paused.
        if (!m_source.isFrozen)
            end = std::max(end, m_readings.newestOfRanks());
        for (const std::string &device : m_source.devices) {
            const series::Series *series = m_readings.ofDevice(device, "utilization");
            if (series && m_source.ended == 0 && !m_source.isFrozen)
                later(*series);
        }
        frame.from = frame.start;
        frame.to = toSeconds(end);
    }
    frame.to = std::max(frame.to, frame.from + 1);
    frame.to = m_source.ended > 0 ? frame.to + (frame.to - frame.from) * headroom : endOfView(frame.from, frame.to);
}

SeriesParts TrialFeeds::partsOf(std::string_view name) const
{
    SeriesParts parts;
    for (const Attempt &attempt : m_attempts) {
        std::vector<const series::Series *> &ranks = parts.emplace_back();
        for (const series::FeedSeries &rank : attempt.ranks)
            ranks.push_back(rank.find(name));
    }
    return parts;
}

void TrialFeeds::addAttemptEnds(PlotPanel &panel, const SeriesParts &parts, const PlotRequest &request) const
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
    const SeriesParts parts = partsOf(name);
    RankCurves(m_columns, frame, request).addRanks(panel, parts);
    addAttemptEnds(panel, parts, request);
}

PlotPanel TrialFeeds::seriesPanel(const Chart &chart, const PlotFrame &frame, const PlotRequest &request)
{
    PlotPanel panel;
    panel.isStrip = false;
    if (chart.series.size() == 1) {
        PlotRequest own = request;
        // Only the first panel is drawn ahead; this many curves would block the GUI thread.
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
    const RankCurves curves(m_columns, frame, mean);
    QStringList units;
    for (const QString &name : chart.series) {
        const SeriesParts parts = partsOf(name.toStdString());
        const series::Series *any = firstOf(parts);
        if (!any)
            continue;
        PlotCurve curve = curves.common(parts, panel.band);
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
    const RankCurves curves(m_columns, frame, mean);
    std::vector<std::vector<series::Column>> parts;
    const auto add = [&](const SeriesParts &shown, const QString &name) {
        PlotCurve curve = curves.stacked(shown);
        curve.raw.clear();
        curve.name = name;
        curve.color = static_cast<int>(panel.curves.size());
        panel.curves.push_back(std::move(curve));
    };
    double sum = 0;
    for (const StepPart &part : stepParts) {
        const SeriesParts shown = partsOf(part.series);
        if (!firstOf(shown))
            continue;
        add(shown, QCoreApplication::translate("StepParts", part.name));
        parts.push_back(panel.curves.back().columns);
        sum += panel.curves.back().newest.value_or(0);
    }
    const SeriesParts whole = partsOf("step_time");
    std::vector<series::Column> wholeColumns;
    if (firstOf(whole)) {
        add(whole, QCoreApplication::translate("StepParts", "other"));
        PlotCurve &other = panel.curves.back();
        wholeColumns = other.columns;
        if (other.newest)
            other.newest = beyond(*other.newest, sum);
    }
    addAttemptEnds(panel, whole, request);
    Stack stack = stacked(parts, wholeColumns, curves.grid());
    for (std::size_t i = 0; i < panel.curves.size(); ++i)
        panel.curves[i].stack = std::move(stack.edges[i]);
    if (parts.size() < panel.curves.size())
        panel.curves[parts.size()].columns = std::move(stack.other);
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
        const DeviceStrips strips(m_source, m_readings);
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
    const DeviceStrips strips(m_source, m_readings);
    frame.stripIds = strips.ids();
    const std::string name = chooseSeries(request.series, frame.seriesNames);
    frame.main.id = QString::fromStdString(name);
    setRange(frame, request, partsOf(name));
    frame.charts =
        request.charts.isEmpty() ? usualCharts(frame.seriesNames, frame.main.id, frame.stripIds) : request.charts;
    for (const QString &id : chartsOf(frame.charts)) {
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
    for (const std::string &one : {m_readings.problem(), damage})
        problem = problem.empty() ? one : problem;
    frame.problem = QString::fromStdString(problem);
    for (const Attempt &attempt : m_attempts)
        frame.missingBytes += attempt.missingBytes;
    return frame;
}

}  // namespace sweepscope::ui
