#include "engine/gpuhistory.h"

#include "feed/feedreader.h"

#include <algorithm>
#include <string_view>
#include <sys/stat.h>

namespace sweepscope::engine {

namespace {

constexpr std::uint64_t placeBytes = 1024 * 1024;
/// Beyond the nearest reading, if there is one close enough to matter.
constexpr WallNs readingMargin = 2 * series::longestReadingGap;

struct SeriesFollower final : feed::RecordVisitor {
    SeriesFollower(std::map<std::uint16_t, std::string> &seriesNames, std::optional<WallNs> &newest)
        : names(seriesNames), last(newest)
    {}
    void series(const feed::SeriesDeclaration &declaration) override { names[declaration.id] = declaration.name; }
    void point(const feed::Point &point) override { last = std::max(last.value_or(point.timeNs), point.timeNs); }

    std::map<std::uint16_t, std::string> &names;
    std::optional<WallNs> &last;
};

struct GpuCollector final : feed::RecordVisitor {
    using Readings = std::vector<series::TimedValue>;

    void declare(std::uint16_t id, std::string_view name)
    {
        const std::size_t dot = name.rfind('.');
        const auto gpu = dot == std::string_view::npos ? gpus.end() : gpus.find(std::string(name.substr(0, dot)));
        if (gpu == gpus.end())
            return;
        const std::string_view quantity = name.substr(dot + 1);
        if (quantity == "energy")
            targets[id] = &gpu->second.joules;
        else if (quantity == "power")
            targets[id] = &gpu->second.watts;
    }
    void series(const feed::SeriesDeclaration &declaration) override { declare(declaration.id, declaration.name); }
    void point(const feed::Point &point) override
    {
        last = std::max(last, point.timeNs);
        const auto target = targets.find(point.series);
        if (target == targets.end() || point.timeNs < from || point.timeNs > until)
            return;
        Readings &readings = *target->second;
        // After the clock was set back, times repeat.
        if (readings.empty() || readings.back().time < point.timeNs)
            readings.push_back({point.timeNs, point.value});
    }

    WallNs from = 0;
    WallNs until = 0;
    WallNs last = 0;
    std::map<std::string, series::GpuReadings> gpus;
    std::map<std::uint16_t, Readings *> targets;
};

}  // namespace

GpuHistory::GpuHistory(std::filesystem::path feed) : m_feed(std::move(feed)) {}
GpuHistory::~GpuHistory() = default;
GpuHistory::GpuHistory(GpuHistory &&) noexcept = default;

std::optional<GpuHistory::FileId> GpuHistory::fileId() const
{
    struct stat status {};
    if (::stat(m_feed.c_str(), &status) != 0)
        return std::nullopt;
    return FileId(status.st_dev, status.st_ino);
}

std::optional<WallNs> GpuHistory::follow()
{
    // The sampler replaces the file when it drops its older half.
    if (const std::optional<FileId> file = fileId(); file != m_file) {
        m_file = file;
        m_reader.reset();
        m_series.clear();
        m_places.clear();
        m_last.reset();
    }
    if (!m_file)
        return std::nullopt;
    if (!m_reader)
        m_reader = std::make_unique<feed::FeedReader>(m_feed, std::filesystem::path());
    SeriesFollower follower(m_series, m_last);
    for (;;) {
        const Expected<std::uint64_t> records = m_reader->poll(follower, placeBytes);
        if (!records || *records == 0)
            return m_last;
        const feed::StreamPosition position = m_reader->position();
        if (!m_last || (!m_places.empty() && position.offset - m_places.back().position.offset < placeBytes))
            continue;
        m_places.push_back({*m_last, position});
        for (const auto &[id, name] : m_series)
            m_places.back().position.declared.push_back(id);
    }
}

std::map<std::string, series::GpuReadings> GpuHistory::read(const std::set<std::string> &gpus, WallNs from,
                                                            WallNs until) const
{
    GpuCollector collector;
    collector.from = from - readingMargin;
    collector.until = until + readingMargin;
    for (const std::string &gpu : gpus)
        collector.gpus[gpu];
    if (!m_file || fileId() != m_file)
        return std::move(collector.gpus);
    feed::FeedReader reader(m_feed, {});
    const auto place = std::ranges::lower_bound(m_places, collector.from, {}, &Place::time);
    if (place != m_places.begin()) {
        reader.startAt((place - 1)->position);
        for (const auto &[id, name] : m_series)
            collector.declare(id, name);
    }
    while (collector.last <= collector.until) {
        const Expected<std::uint64_t> records = reader.poll(collector, placeBytes);
        if (!records || *records == 0)
            break;
    }
    return std::move(collector.gpus);
}

}  // namespace sweepscope::engine
