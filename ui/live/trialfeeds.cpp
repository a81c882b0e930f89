#include "ui/live/trialfeeds.h"

#include "sweep/metricvalue.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace sweepscope::ui {

namespace {

/// Per feed and call: what is read in a few milliseconds, so that the first frame of a long trial is soon there.
constexpr std::uint64_t pollBytes = 4 * 1024 * 1024;
/// Devices are sampled once a second: the sample before the start belongs to the picture.
constexpr std::int64_t deviceSlackNs = 2'000'000'000;

/// A trial's pace is what it did in about this time.
constexpr std::int64_t paceNs = 10'000'000'000;

/// How many samples before the newest one the last seconds begin; at least one.
std::size_t samplesOfPace(const series::Series &series)
{
    const std::int64_t begin = series.back().timeNs - paceNs;
    const auto isWithin = [&](std::size_t back) { return series.sample(series.size() - 1 - back).timeNs >= begin; };
    std::size_t within = 1;
    std::size_t beyond = 2;
    while (beyond < series.size()
           && isWithin(beyond)) {  // twice as far each time: a dense series costs a few looks too
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

/// Over the last seconds of a series that has values: what was before a pause does not count any more. None: it has too few,
/// or goes back.
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

}  // namespace

TrialFeeds::TrialFeeds(TrialSource source)
    : m_source(std::move(source)), m_host(series::FeedFiles{m_source.files().hostFeed(), {}, {}})
{
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
    updateSource(m_source);
}

void TrialFeeds::updateSource(const TrialSource &source)
{
    const WallNs end = source.ended > 0 ? source.ended + deviceSlackNs : 0;
    if (!source.devices.empty() && source.started > 0) {
        if (!m_devices || m_devices->devices() != source.devices)
            m_devices.emplace(source.devicesFeed, source.devices, source.started - deviceSlackNs, end);
        m_devices->setEnd(end);
    }
    m_source = source;
}

/// Of one feed, which has `problem` from the last time. True when there is something new.
bool TrialFeeds::takeResult(const Expected<bool> &result, std::string &problem)
{
    const std::string before = std::exchange(problem, result ? std::string() : result.error().message);
    return result.value_or(false) || problem != before;
}

bool TrialFeeds::poll()
{
    const auto anything = [](std::uint64_t records) { return records > 0; };
    bool changed = false;
    for (Attempt &attempt : m_attempts) {
        if (attempt.isRead)
            continue;
        attempt.problems.resize(attempt.ranks.size());
        bool isNew = false;
        for (std::size_t rank = 0; rank < attempt.ranks.size(); ++rank)
            isNew |= takeResult(attempt.ranks[rank].poll(pollBytes).map(anything), attempt.problems[rank]);
        attempt.isRead = !isNew && &attempt != &m_attempts.back();
        if (attempt.isRead)
            save(attempt);
        changed |= isNew;
    }
    changed |= takeResult(m_host.poll(pollBytes).map(anything), m_hostProblem);
    if (m_devices)
        changed |= takeResult(m_devices->poll(pollBytes), m_devicesProblem);
    if (!changed && m_source.ended > 0)
        save(m_attempts.back());
    return changed;
}

/// Whoever opens this trial next need not read it.
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
    // In each frame, of many ranks that mostly declare the same.
    QStringList names;
    std::unordered_set<std::string_view> known;
    for (const series::Series *series : allSeries()) {
        if (!sweep::isBookkeeping(series->name()) && known.insert(series->name()).second)
            names.append(QString::fromStdString(series->name()));
    }
    return names;
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
    std::vector<std::filesystem::path> paths{files.folder, files.hostFeed()};
    for (int rank = 0; rank < m_source.ranks; ++rank)
        paths.push_back(files.rankFeed(rank));
    if (m_source.ended == 0)
        paths.push_back(m_source.devicesFeed);
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
    // Nobody writes to one that may still be there: its log is full or damaged.
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

}  // namespace sweepscope::ui
