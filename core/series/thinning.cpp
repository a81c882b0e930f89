#include "series/thinning.h"

#include "feed/recordencoding.h"
#include "series/feedseries.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sweepscope::series {

namespace {

class LogBytes {
public:
    void put(std::uint64_t word) { m_bytes.append(reinterpret_cast<const char *>(&word), sizeof word); }
    void add(std::uint16_t series, const Sample &sample)
    {
        setStepBase(feed::encoding::stepBaseOf(sample.step));
        feed::encoding::putPoint(*this, {series, sample.step, sample.timeNs, sample.value});
    }
    void setStepBase(std::int64_t base)
    {
        if (std::exchange(m_stepBase, base) != base)
            feed::encoding::putStepBase(*this, base);
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
    std::int64_t m_stepBase = 0;
};

/// Blocks [begin, end) of a series, whose steps and times do not fall.
struct Group {
    std::size_t begin;
    std::size_t end;
};

std::vector<Group> groupsOf(const std::vector<Block> &blocks, std::size_t perGroup)
{
    std::vector<Group> groups;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const bool goesBack =
            i > 0 && (blocks[i].firstStep < blocks[i - 1].lastStep || blocks[i].firstTimeNs < blocks[i - 1].lastTimeNs);
        if (i == 0 || goesBack || i - groups.back().begin == perGroup)
            groups.push_back({i, i});
        groups.back().end = i + 1;
    }
    return groups;
}

Sample inTheMiddleOf(const Block &block, double value)
{
    return {block.firstStep + (block.lastStep - block.firstStep) / 2,
            block.firstTimeNs + (block.lastTimeNs - block.firstTimeNs) / 2, value};
}

/// Without reading the bytes of the blocks.
void addGroup(LogBytes &log, std::uint16_t id, const Series &series, const Group &group)
{
    const std::vector<Block> &blocks = series.blocks();
    Summary all;
    for (std::size_t i = group.begin; i < group.end; ++i)
        all.add(series.summaryOf(i));
    const Block &first = blocks[group.begin];
    const Block &last = blocks[group.end - 1];
    bool needsMin = true;
    bool needsMax = true;
    bool needsNonFinite = all.finite < all.count;
    if (all.finite > 0)
        log.add(id, {first.firstStep, first.firstTimeNs, all.first});
    for (std::size_t i = group.begin; i < group.end; ++i) {
        const Summary summary = series.summaryOf(i);
        if (needsNonFinite && summary.finite < summary.count) {
            log.add(id, inTheMiddleOf(blocks[i], std::numeric_limits<double>::quiet_NaN()));
            needsNonFinite = false;
        }
        if (needsMin && summary.finite > 0 && summary.min == all.min) {
            log.add(id, inTheMiddleOf(blocks[i], all.min));
            needsMin = false;
        }
        if (needsMax && summary.finite > 0 && summary.max == all.max) {
            log.add(id, inTheMiddleOf(blocks[i], all.max));
            needsMax = false;
        }
    }
    if (all.finite > 1)
        log.add(id, {last.lastStep, last.lastTimeNs, all.last});
}

void addSeries(LogBytes &log, std::uint16_t id, const Series &series, std::size_t groups)
{
    const std::vector<Block> &blocks = series.blocks();
    std::size_t next = 0;  // the first sample that is not in `log`
    if (series.size() > 4 * groups) {
        for (const Group &group : groupsOf(blocks, (blocks.size() + groups - 1) / groups))
            addGroup(log, id, series, group);
        next = blocks.empty() ? 0 : blocks.back().firstSample + blocks.back().count;
    }
    for (; next < series.size(); ++next)
        log.add(id, series.sample(next));
}

}  // namespace

Expected<ThinLog> thinLog(const std::filesystem::path &log, const std::filesystem::path &index, int groups)
{
    FeedSeries feed({log, {}, index}, IndexUse::Read);
    for (;;) {
        const auto records = feed.poll();
        if (!records)
            return tl::unexpected(records.error());
        if (*records == 0)
            break;
    }
    LogBytes bytes;
    feed::encoding::putPreamble(bytes, feed.preamble());
    std::unordered_map<std::string_view, std::uint16_t> ids;
    for (const feed::SeriesDeclaration &one : feed.declarations()) {
        feed::encoding::putSeries(bytes, one.id, one.name, one.unit);
        ids.emplace(one.name, one.id);
    }
    for (const Series &series : feed.all()) {
        if (const auto id = ids.find(series.name()); id != ids.end())
            addSeries(bytes, id->second, series, static_cast<std::size_t>(std::max(groups, 1)));
    }
    for (const feed::Event &event : feed.events())
        feed::encoding::putEvent(bytes, event.kind, event.timeNs, event.step, event.text);
    if (feed.droppedRecords() > 0)
        feed::encoding::putGap(bytes, feed.preamble().createdNs, feed.droppedRecords());
    bytes.setStepBase(feed.stepBase());
    return ThinLog{bytes.take(), feed.readBytes()};
}

}  // namespace sweepscope::series
