#include "ui/logs/filesearch.h"

#include "ui/logs/logblocks.h"
#include "ui/logs/logmerge.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace sweepscope::ui {

namespace {

constexpr int linesBefore = 5'000;
constexpr int linesAfter = 15'000;

/// A file, and a position in it.
struct Hit {
    std::size_t file;
    qint64 offset;
};

class Search {
public:
    Search(const FileSearch &search, const std::atomic<bool> &cancelled, const std::function<void(double)> &progress)
        : m_matcher(search.pattern), m_cancelled(cancelled), m_progress(progress), m_merge(search.files)
    {
        for (const LogFile &file : search.files) {
            m_blocks.emplace_back(file.path);
            m_ends.push_back(m_blocks.back().size());
            m_all += m_ends.back();
        }
    }

    const LogPosition &end() const { return m_ends; }  // includes unfinished lines
    const LogMerge &merge() const { return m_merge; }

    /// Returns the first hit in the lines between these positions.
    std::optional<Hit> forward(const LogPosition &from, LogPosition to)
    {
        std::optional<Hit> best;
        for (std::size_t i = 0; i < m_blocks.size(); ++i) {
            const auto offset = forwardIn(i, from[i], to[i]);
            if (!offset)
                continue;
            best = Hit{i, *offset};
            limit(to, *best, [](qint64 a, qint64 b) { return std::min(a, b); });
        }
        return best;
    }

    /// Returns the last hit.
    std::optional<Hit> back(LogPosition from, const LogPosition &to)
    {
        std::optional<Hit> best;
        for (std::size_t i = 0; i < m_blocks.size(); ++i) {
            const auto offset = backIn(i, from[i], to[i]);
            if (!offset)
                continue;
            best = Hit{i, *offset};
            limit(from, *best, [](qint64 a, qint64 b) { return std::max(a, b); });
        }
        return best;
    }

private:
    /// Excludes what lies beyond a hit from the search of the other files.
    template <typename Nearer>
    void limit(LogPosition &position, const Hit &hit, Nearer nearer) const
    {
        const LogPosition there = m_merge.positionOf(static_cast<int>(hit.file), hit.offset);
        std::ranges::transform(position, there, position.begin(), nearer);
    }

    // The flag publishes no other data, so relaxed order is enough.
    bool mayContinue() const { return !m_cancelled.load(std::memory_order_relaxed); }

    void reportProgress(qint64 bytes)
    {
        m_done += bytes;
        m_progress(std::min(1.0, static_cast<double>(m_done) / static_cast<double>(std::max<qint64>(1, m_all))));
    }

    std::optional<qint64> forwardIn(std::size_t file, qint64 from, qint64 to)
    {
        while (from < to && mayContinue()) {
            const std::string block = m_blocks[file].from(from);
            if (block.empty())
                break;
            std::optional<qint64> found;
            m_matcher.eachLine(block, m_cancelled, [&found, from](qint64 line, int) {
                found = from + line;
                return false;
            });
            if (found)
                return *found < to ? found : std::nullopt;
            from += static_cast<qint64>(block.size());
            reportProgress(static_cast<qint64>(block.size()));
        }
        return std::nullopt;
    }

    std::optional<qint64> backIn(std::size_t file, qint64 from, qint64 to)
    {
        while (to > from && mayContinue()) {
            qint64 begin = 0;
            const std::string block = m_blocks[file].before(to, from, begin);
            if (block.empty())
                break;
            std::optional<qint64> found;
            m_matcher.eachLine(block, m_cancelled, [&found, begin](qint64 line, int) {
                found = begin + line;
                return true;
            });
            if (found)
                return found;
            reportProgress(to - begin);
            to = begin;
        }
        return std::nullopt;
    }

    LineMatcher m_matcher;
    const std::atomic<bool> &m_cancelled;
    const std::function<void(double)> &m_progress;
    LogMerge m_merge;
    std::vector<LogBlocks> m_blocks;
    LogPosition m_ends;
    qint64 m_all = 0;
    qint64 m_done = 0;
};

bool isBehind(const LogPosition &position, const LogPosition &other)
{
    return !std::ranges::equal(position, other, [](qint64 a, qint64 b) { return a >= b; });
}

}  // namespace

std::optional<LogStretch> searchFiles(const FileSearch &wanted, const std::atomic<bool> &cancelled,
                                      const std::function<void(double)> &progress)
{
    Search search(wanted, cancelled, progress);
    const LogPosition begin = search.merge().begin();
    LogPosition from = wanted.from;
    from.resize(begin.size(), 0);
    for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = std::clamp<qint64>(from[i], 0, search.end()[i]);
    auto hit = wanted.forward ? search.forward(from, search.end()) : search.back(begin, from);
    const bool wrapped = !hit;
    if (wrapped)
        hit = wanted.forward ? search.forward(begin, from) : search.back(from, search.end());
    if (!hit)
        return std::nullopt;
    LogStretch stretch = readAround(wanted.files, static_cast<int>(hit->file), hit->offset);
    stretch.wrapped = wrapped;
    return stretch;
}

LogStretch readAround(const std::vector<LogFile> &files, int file, qint64 offset)
{
    const LogMerge merge(files);
    LogPosition place = merge.positionOf(file, offset);
    LogStretch stretch = readStretch(files, place, linesAfter);
    std::vector<ShownLine> before = merge.before(place, linesBefore);
    stretch.begin = place;
    stretch.lines.insert(stretch.lines.begin(), std::make_move_iterator(before.begin()),
                         std::make_move_iterator(before.end()));
    stretch.file = file;
    stretch.hit = offset;
    return stretch;
}

LogStretch readStretch(const std::vector<LogFile> &files, const LogPosition &position, int lines)
{
    const LogMerge merge(files);
    LogStretch stretch;
    stretch.begin = position;
    stretch.end = position;
    stretch.lines = merge.after(stretch.end, lines);
    stretch.more = !stretch.lines.empty() && isBehind(stretch.end, merge.end());
    return stretch;
}

}  // namespace sweepscope::ui
