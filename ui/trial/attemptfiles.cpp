#include "ui/trial/attemptfiles.h"

#include "base/printable.h"
#include "sweep/metricvalue.h"
#include "ui/models/valueorder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <system_error>

namespace sweepscope::ui {

namespace {

constexpr std::uint64_t pollBytes = 4 * 1024 * 1024;
/// More files than this are probably a data set.
constexpr std::size_t mostFiles = 500;
constexpr int deepest = 2;
constexpr std::size_t mostEvents = 200;
constexpr double everywhere = std::numeric_limits<double>::infinity();

void widen(MetricSummary &metric, const series::Column &column)
{
    if (!column.hasFinite())
        return;
    metric.low = std::min(metric.low.value_or(column.min), column.min);
    metric.high = std::max(metric.high.value_or(column.max), column.max);
}

}  // namespace

AttemptFiles::AttemptFiles(AttemptSource source) : m_source(std::move(source))
{
    const auto cache = std::make_shared<series::BlockCache>();
    std::vector<std::filesystem::path> folders = m_source.continued;
    folders.push_back(m_source.folder);
    for (const std::filesystem::path &folder : folders) {
        const AttemptLayout files{folder};
        for (int rank = 0; rank < m_source.ranks; ++rank)
            m_feeds.emplace_back(series::FeedFiles{files.rankFeed(rank), files.rankRing(rank), files.rankIndex(rank)},
                                 series::IndexUse::Read, cache);
    }
}

bool AttemptFiles::poll()
{
    bool changed = false;
    for (series::FeedSeries &rank : m_feeds) {
        // The page of curves reports problems of a feed; here the readable part is enough.
        const Expected<std::uint64_t> records = rank.poll(pollBytes);
        changed |= records && *records > 0;
    }
    return changed;
}

void AttemptFiles::addMetric(std::vector<MetricSummary> &metrics, const series::Series &series) const
{
    const QString name = QString::fromStdString(series.name());
    auto metric = std::ranges::find(metrics, name, &MetricSummary::name);
    if (metric == metrics.end())
        metric = metrics.insert(metrics.end(), {name, QString::fromStdString(series.unit()), {}, {}, {}, 0});
    if (series.empty())
        return;
    metric->points += series.size();
    for (const series::Column &column : series.columns(series::XAxis::Step, -everywhere, everywhere, 1))
        widen(*metric, column);
}

/// Mean over the ranks that report it, in the newest attempt that has it.
std::optional<double> AttemptFiles::lastOf(const std::string &name) const
{
    const auto ranks = static_cast<std::size_t>(m_source.ranks);
    for (std::size_t end = m_feeds.size(); end >= ranks && end > 0; end -= ranks) {
        double sum = 0;
        int reporting = 0;
        for (std::size_t i = end - ranks; i < end; ++i) {
            const series::Series *series = m_feeds[i].find(name);
            if (series == nullptr || series->empty())
                continue;
            sum += series->back().value;
            ++reporting;
        }
        if (reporting > 0)
            return sum / reporting;
    }
    return std::nullopt;
}

AttemptContents AttemptFiles::contents()
{
    AttemptContents contents;
    std::set<int> reporting;
    for (std::size_t i = 0; i < m_feeds.size(); ++i) {
        for (const series::Series &series : m_feeds[i].all()) {
            if (sweep::isBookkeeping(series.name()))
                continue;
            addMetric(contents.metrics, series);
            if (!series.empty())
                reporting.insert(static_cast<int>(i) % m_source.ranks);
        }
    }
    contents.reportingRanks.assign(reporting.begin(), reporting.end());
    for (MetricSummary &metric : contents.metrics)
        metric.last = lastOf(metric.name.toStdString());
    contents.files = files();
    contents.events = events();
    if (!m_environment)
        m_environment = launch::readEnvironment({m_source.folder});
    contents.environment = m_environment;
    return contents;
}

std::vector<AttemptFile> AttemptFiles::files() const
{
    std::vector<AttemptFile> files;
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(m_source.folder, error);
    for (; !error && entry != std::filesystem::recursive_directory_iterator() && files.size() < mostFiles;
         entry.increment(error)) {
        if (entry.depth() >= deepest)
            entry.disable_recursion_pending();
        std::error_code unknown;
        if (!entry->is_regular_file(unknown))
            continue;
        const std::uintmax_t bytes = entry->file_size(unknown);
        if (!unknown)
            files.push_back({QString::fromStdString(
                                 std::filesystem::path(entry->path()).lexically_relative(m_source.folder).string()),
                             static_cast<qint64>(bytes)});
    }
    std::ranges::sort(files, isNaturallyLess, &AttemptFile::path);
    return files;
}

std::vector<RankEvent> AttemptFiles::events() const
{
    std::vector<RankEvent> events;
    const std::size_t first = m_feeds.size() - static_cast<std::size_t>(m_source.ranks);
    for (int rank = 0; rank < m_source.ranks; ++rank) {
        for (const feed::Event &event : m_feeds[first + static_cast<std::size_t>(rank)].events()) {
            using Kind = feed::EventKind;
            if (event.kind == Kind::Message || event.kind == Kind::Warning || event.kind == Kind::Error)
                events.push_back(
                    {rank, event.step, event.timeNs, event.kind, QString::fromStdString(printable(event.text))});
        }
    }
    std::ranges::stable_sort(events, std::greater(), &RankEvent::timeNs);
    if (events.size() > mostEvents)
        events.resize(mostEvents);
    return events;
}

}  // namespace sweepscope::ui
