#include "ui/logs/logmerge.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace sweepscope::ui {

namespace {

/// Per file.
constexpr int linesAtOnce = 2000;
/// Limits what is read for one request, for lines of any length.
constexpr std::size_t mostBytes = 32 * 1024 * 1024;
constexpr WallNs justNow = std::numeric_limits<WallNs>::max();

}  // namespace

LogMerge::LogMerge(const std::vector<LogFile> &files)
{
    m_files.reserve(files.size());
    for (const LogFile &file : files) {
        m_files.push_back({LogTail(file.path, 1), LogTimes(file.times)});
        m_files.back().tail.open();
        m_files.back().times.refresh();
    }
}

LogPosition LogMerge::end() const
{
    LogPosition result;
    for (const File &file : m_files)
        result.push_back(file.tail.wholeEnd());
    return result;
}

WallNs LogMerge::timeOf(std::size_t file, qint64 offset) const
{
    const LogTimes &times = m_files[file].times;
    return times.timeOf(offset).value_or(times.isEmpty() ? 0 : justNow);
}

LogPosition LogMerge::positionOf(int file, qint64 offset) const
{
    const auto own = static_cast<std::size_t>(file);
    const WallNs time = timeOf(own, offset);
    LogPosition result = begin();
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        const File &other = m_files[i];
        const bool goesFirst = i < own;  // among equally old lines
        if (i == own)
            result[i] = offset;
        else if (other.times.isEmpty())
            result[i] = time > 0 || goesFirst ? other.tail.wholeEnd() : 0;
        else if (time == justNow && goesFirst)
            result[i] = other.tail.wholeEnd();
        else
            result[i] = other.tail.lineFrom(other.times.lengthBefore(goesFirst ? time + 1 : time));
    }
    return result;
}

std::vector<LogMerge::Taken> LogMerge::takeBefore(LogPosition &position, int lines) const
{
    // For each file, lines that were read but not taken, and the time of the last.
    struct Waiting {
        std::vector<LogLine> lines;
        WallNs time = 0;
    };
    std::vector<Waiting> waiting(m_files.size());
    const auto prepare = [&](std::size_t i) {
        Waiting &file = waiting[i];
        if (file.lines.empty())
            file.lines = m_files[i].tail.before(position[i], std::min(lines, linesAtOnce));
        if (!file.lines.empty())
            file.time = timeOf(i, file.lines.back().offset);
    };
    for (std::size_t i = 0; i < waiting.size(); ++i)
        prepare(i);
    std::vector<Taken> result;
    std::size_t bytes = 0;
    while (static_cast<int>(result.size()) < lines && bytes < mostBytes) {
        std::optional<std::size_t> newest;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (!waiting[i].lines.empty() && (!newest || waiting[i].time >= waiting[*newest].time))
                newest = i;
        }
        if (!newest)
            break;
        std::vector<LogLine> &from = waiting[*newest].lines;
        bytes += from.back().bytes.size();
        position[*newest] = from.back().offset;
        result.push_back({std::move(from.back()), *newest});
        from.pop_back();
        prepare(*newest);
    }
    std::ranges::reverse(result);
    return result;
}

std::vector<LogMerge::Taken> LogMerge::takeAfter(LogPosition &position, int lines) const
{
    struct Waiting {
        std::vector<LogLine> lines;
        std::size_t next = 0;
        WallNs time = 0;
        bool hasNext() const { return next < lines.size(); }
    };
    std::vector<Waiting> waiting(m_files.size());
    const auto prepare = [&](std::size_t i) {
        Waiting &file = waiting[i];
        if (!file.hasNext()) {
            file.lines = m_files[i].tail.after(position[i], std::min(lines, linesAtOnce));
            file.next = 0;
        }
        if (file.hasNext())
            file.time = timeOf(i, file.lines[file.next].offset);
    };
    for (std::size_t i = 0; i < waiting.size(); ++i)
        prepare(i);
    std::vector<Taken> result;
    std::size_t bytes = 0;
    while (static_cast<int>(result.size()) < lines && bytes < mostBytes) {
        std::optional<std::size_t> oldest;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].hasNext() && (!oldest || waiting[i].time < waiting[*oldest].time))
                oldest = i;
        }
        if (!oldest)
            break;
        Waiting &from = waiting[*oldest];
        LogLine &line = from.lines[from.next++];
        bytes += line.bytes.size();
        position[*oldest] = line.end;
        result.push_back({std::move(line), *oldest});
        prepare(*oldest);
    }
    return result;
}

std::vector<ShownLine> LogMerge::shown(const std::vector<Taken> &taken) const
{
    // Colours and messages last across lines, separately in each file.
    std::vector<AnsiReader> readers(m_files.size());
    std::vector<LevelReader> levels(m_files.size());
    std::vector<ShownLine> result;
    result.reserve(taken.size());
    for (const auto &[line, file] : taken)
        result.push_back({readers[file].read(line.bytes), static_cast<int>(file), line.offset, line.end,
                          m_files[file].times.timeOf(line.offset).value_or(0), levels[file].read(line.bytes)});
    return result;
}

std::vector<ShownLine> LogMerge::before(LogPosition &position, int lines) const
{
    return shown(takeBefore(position, lines));
}

std::vector<ShownLine> LogMerge::after(LogPosition &position, int lines) const
{
    return shown(takeAfter(position, lines));
}

void LogMerge::goBack(LogPosition &position, int lines) const
{
    takeBefore(position, lines);
}

}  // namespace sweepscope::ui
