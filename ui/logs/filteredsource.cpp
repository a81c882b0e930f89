#include "ui/logs/filteredsource.h"

#include "ui/logs/visibletext.h"

#include <algorithm>
#include <limits>

namespace sweepscope::ui {

FilteredSource::FilteredSource(const LogFile &file, const LogFilter &filter, int lines,
                               std::shared_ptr<const std::atomic<bool>> cancelled)
    : LineSource(file),
      m_path(file.path),
      m_blocks(file.path),
      m_filter(filter),
      // More than a view keeps, so that lines before a gap leave it.
      m_most(static_cast<std::size_t>(lines) + static_cast<std::size_t>(lines) / 10 + 1000),
      m_cancelled(std::move(cancelled))
{
    if (filter.pattern)
        m_matcher.emplace(*filter.pattern);
}

bool FilteredSource::read(int, WallNs now)
{
    if (m_tooSlow)
        return false;
    m_blocks = LogBlocks(m_path);
    m_size = m_blocks.size();
    if (m_size < m_offset) {
        m_restarted = true;
        m_offset = 0;
        m_levels = {};
        m_counts = {};
        m_matching = 0;
    }
    std::string block = m_blocks.from(m_offset);
    if (m_offset + static_cast<qint64>(block.size()) >= m_size) {
        const std::size_t end = block.rfind('\n');
        block.resize(end == block.npos ? 0 : end + 1);  // an unfinished line is shown once it is complete
    }
    m_more = !block.empty();
    if (m_more) {
        refreshTimes();
        scan(block, now);
        m_offset += static_cast<qint64>(block.size());
    }
    m_isFirst = m_isFirst && m_more;
    m_reached = std::max(m_reached, timeOf(m_offset, now, m_isFirst));
    return false;
}

void FilteredSource::scan(const std::string &block, WallNs now)
{
    std::vector<std::size_t> hits;
    if (m_matcher) {
        const bool isDone = m_matcher->eachLine(block, *m_cancelled, [&hits](qint64 line, int) {
            hits.push_back(static_cast<std::size_t>(line));
            return true;
        });
        if (!isDone) {
            // The flag publishes no other data, so relaxed order is enough.
            m_tooSlow = !m_cancelled->load(std::memory_order_relaxed);
            m_more = false;
            return;
        }
    }
    const auto endOf = [&block](std::size_t begin) { return std::min(block.find('\n', begin), block.size()); };
    if (m_filter.least == LogLevel::Other) {
        // The lines between are unknown, so none continues another.
        for (const std::size_t begin : hits) {
            const std::size_t end = endOf(begin);
            add(block, begin, end, LevelReader().read(std::string_view(block).substr(begin, end - begin)), now);
        }
        return;
    }
    auto hit = hits.begin();
    for (std::size_t begin = 0; begin < block.size();) {
        const std::size_t end = endOf(begin);
        const LineLevel level = m_levels.read(std::string_view(block).substr(begin, end - begin));
        m_counts.add(level);
        const bool isHit = !m_matcher || (hit != hits.end() && *hit == begin);
        if (m_matcher && isHit)
            ++hit;
        if (isHit && level.level >= m_filter.least)
            add(block, begin, end, level, now);
        begin = end + 1;
    }
}

void FilteredSource::add(const std::string &block, std::size_t begin, std::size_t end, LineLevel level, WallNs now)
{
    std::size_t next = end + 1;
    if (end - begin > longestPiece) {
        begin += m_matcher ? m_matcher->pieceWithHit(std::string_view(block).substr(begin, end - begin)) : 0;
        next = end - begin > longestPiece ? begin + longestPiece : next;
    }
    const qint64 offset = m_offset + static_cast<qint64>(begin);
    m_reached = std::max(m_reached, timeOf(offset, now, m_isFirst));
    m_waiting.push_back({offset, m_offset + static_cast<qint64>(next), m_reached, level});
    ++m_matching;
    if (m_waiting.size() > m_most)
        m_waiting.pop_front();
}

WallNs FilteredSource::nextTime() const
{
    if (hasNext())
        return m_waiting.front().time;
    return m_more ? m_reached : std::numeric_limits<WallNs>::max();
}

ShownLine FilteredSource::takeNext(int file)
{
    const Waiting next = m_waiting.front();
    m_waiting.pop_front();
    std::string bytes = m_blocks.read(next.offset, next.end - next.offset);
    while (bytes.ends_with('\n'))
        bytes.pop_back();
    return {AnsiReader().read(visibleText(bytes)), file, next.offset, next.end, next.time, next.level};
}

void FilteredSource::describe(LogBatch &batch)
{
    batch.missing &= m_size == 0;
    batch.begin.push_back(0);
    batch.matching += m_matching;
    batch.filtered += std::min(m_offset, m_size);
    batch.size += m_size;
    batch.tooSlow |= m_tooSlow;
    batch.levels.warnings += m_counts.warnings;
    batch.levels.errors += m_counts.errors;
}

}  // namespace sweepscope::ui
