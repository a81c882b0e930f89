#include "ui/logs/logsource.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sweepscope::ui {

LogSource::LogSource(const LogFile &file, int tailLines) : LineSource(file), m_tail(file.path, tailLines) {}

bool LogSource::read(int lines, WallNs now)
{
    const int room = lines - static_cast<int>(m_waiting.size());
    if (room <= 0)
        return false;
    const LogChunk chunk = m_tail.poll(room);
    m_more = chunk.more;
    m_missing = chunk.missing;
    m_restarted |= chunk.restarted;
    m_begin = chunk.begin;
    m_skipped += chunk.skipped;
    if (!chunk.lines.empty())
        refreshTimes();
    for (const LogLine &line : chunk.lines) {
        m_last = std::max(m_last, timeOf(line.offset, now, m_first));
        m_waiting.push_back({m_ansi.read(line.bytes), 0, line.offset, line.end, m_last, m_levels.read(line.bytes)});
    }
    m_first = m_first && m_more;
    return std::exchange(m_partial, chunk.partial) != chunk.partial;
}

WallNs LogSource::nextTime() const
{
    if (hasNext())
        return m_waiting.front().time;
    return m_more ? std::numeric_limits<WallNs>::min() : std::numeric_limits<WallNs>::max();
}

ShownLine LogSource::takeNext(int file)
{
    ShownLine line = std::move(m_waiting.front());
    m_waiting.pop_front();
    line.file = file;
    return line;
}

void LogSource::describe(LogBatch &batch)
{
    batch.missing &= m_missing;
    batch.skipped += std::exchange(m_skipped, 0);
    batch.begin.push_back(m_begin);
}

std::optional<StyledLine> LogSource::partial() const
{
    if (m_partial.empty() || hasNext())
        return std::nullopt;
    AnsiReader copy = m_ansi;  // the line is read again once it is complete
    return copy.read(m_partial);
}

}  // namespace sweepscope::ui
