#include "ui/logs/logcount.h"

#include <algorithm>

namespace sweepscope::ui {

namespace {

qint64 countLines(const std::string &block)
{
    qint64 count = 0;
    for (std::size_t end = block.find('\n'); end != block.npos; end = block.find('\n', end + 1))
        ++count;
    return count;
}

}  // namespace

LogCount::LogCount(const std::vector<LogFile> &files, const std::optional<QRegularExpression> &pattern)
{
    for (const LogFile &file : files)
        m_files.push_back({file, {{0, 0}}});
    if (pattern)
        m_matcher.emplace(*pattern);
}

bool LogCount::countOn(const std::atomic<bool> &cancelled, const std::function<void(double)> &progress)
{
    std::vector<LogBlocks> blocks;
    qint64 all = 0;
    for (File &file : m_files) {
        blocks.emplace_back(file.file.path);
        if (blocks.back().size() < file.marks.back().offset)
            file.marks = {{0, 0}};  // the file was truncated
        all += blocks.back().size() - file.marks.back().offset;
    }
    qint64 done = 0;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        std::vector<Mark> &marks = m_files[i].marks;
        for (;;) {
            const Mark last = marks.back();
            std::string block = blocks[i].from(last.offset);
            const std::size_t end = block.rfind('\n');
            if (last.offset + static_cast<qint64>(block.size()) >= blocks[i].size())
                block.resize(end == block.npos ? 0 : end + 1);  // an unfinished line is counted once it is complete
            if (block.empty())
                break;
            // The flag publishes no other data, so relaxed order is enough.
            const auto count = cancelled.load(std::memory_order_relaxed) ? std::nullopt : countIn(block, cancelled);
            if (!count)
                return false;
            const auto size = static_cast<qint64>(block.size());
            marks.push_back({last.offset + size, last.count + *count});
            done += size;
            progress(static_cast<double>(done) / static_cast<double>(std::max<qint64>(1, all)));
        }
        // Data in small pieces must not leave more marks than data that arrives at once.
        std::vector<Mark> thinned{marks.front()};
        for (std::size_t k = 1; k < marks.size(); ++k) {
            constexpr qint64 apart = 2 * 1024 * 1024;
            if (k + 1 == marks.size() || marks[k + 1].offset - thinned.back().offset > apart)
                thinned.push_back(marks[k]);
        }
        marks = std::move(thinned);
    }
    return true;
}

std::optional<qint64> LogCount::countIn(const std::string &block, const std::atomic<bool> &cancelled) const
{
    qint64 count = 0;
    if (!m_matcher)
        return countLines(block);
    const bool isDone = m_matcher->eachLine(block, cancelled, [&count](qint64, int hits) {
        count += hits;
        return true;
    });
    return isDone ? std::optional(count) : std::nullopt;
}

qint64 LogCount::total() const
{
    qint64 total = 0;
    for (const File &file : m_files)
        total += file.marks.back().count;
    return total;
}

qint64 LogCount::before(const LogPosition &position, const std::atomic<bool> &cancelled) const
{
    qint64 total = 0;
    for (std::size_t i = 0; i < std::min(m_files.size(), position.size()); ++i) {
        const auto next = std::ranges::upper_bound(m_files[i].marks, position[i], {}, &Mark::offset);
        if (next == m_files[i].marks.begin())
            continue;
        const Mark &mark = *std::prev(next);
        total += mark.count;
        if (next != m_files[i].marks.end())
            total += countIn(LogBlocks(m_files[i].file.path).read(mark.offset, position[i] - mark.offset), cancelled)
                         .value_or(0);
    }
    return total;
}

}  // namespace sweepscope::ui
