#include "ui/logs/filesearch.h"

#include "ui/logs/logtail.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace sweepscope::ui {

namespace {

constexpr qint64 blockBytes = 4 * 1024 * 1024;
constexpr int linesBefore = 5'000;
constexpr int linesAfter = 15'000;

/// What a terminal would show of it: what colours a line, or writes over it, is no part of its text.
QString shownText(std::string_view line)
{
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    line.remove_prefix(line.rfind('\r') == line.npos ? 0 : line.rfind('\r') + 1);
    return AnsiReader().read(line).text;
}

class Search {
public:
    Search(const FileSearch &search, const std::atomic<bool> &cancelled, const std::function<void(double)> &progress)
        : m_pattern(search.pattern),
          m_inBlock(search.pattern.pattern(), search.pattern.patternOptions() | QRegularExpression::MultilineOption),
          m_cancelled(cancelled),
          m_progress(progress),
          m_file(search.file, std::ios::binary | std::ios::ate),
          m_size(m_file ? static_cast<qint64>(m_file.tellg()) : 0)
    {
        m_pattern.optimize();
        m_inBlock.optimize();
    }

    qint64 size() const { return m_size; }

    /// Offset of the first line with a hit of those that begin in [from, to).
    std::optional<qint64> forward(qint64 from, qint64 to)
    {
        while (from < to && goesOn()) {
            std::string block = read(from, std::min(blockBytes, m_size - from));
            const std::size_t end = block.rfind('\n');
            if (from + static_cast<qint64>(block.size()) < m_size && end != std::string::npos)
                block.resize(end + 1);
            if (block.empty())
                return std::nullopt;
            if (const auto hit = find(block, true))
                return from + *hit < to ? std::optional(from + *hit) : std::nullopt;
            from += static_cast<qint64>(block.size());
            tell(static_cast<qint64>(block.size()));
        }
        return std::nullopt;
    }

    /// The last one of those that lie in [from, to).
    std::optional<qint64> back(qint64 from, qint64 to)
    {
        while (to > from && goesOn()) {
            qint64 begin = std::max(from, to - blockBytes);
            std::string block = read(begin, to - begin);
            if (begin > from) {  // half a line belongs to the next block
                const std::size_t end = block.find('\n');
                if (end != std::string::npos && end + 1 < block.size()) {
                    block.erase(0, end + 1);
                    begin += static_cast<qint64>(end) + 1;
                }
            }
            if (block.empty())
                return std::nullopt;
            if (const auto hit = find(block, false))
                return begin + *hit;
            tell(to - begin);
            to = begin;
        }
        return std::nullopt;
    }

private:
    // The flag carries nothing but itself: relaxed order is enough.
    bool goesOn() const { return !m_cancelled.load(std::memory_order_relaxed); }

    void tell(qint64 bytes)
    {
        m_done += bytes;
        m_progress(static_cast<double>(m_done) / static_cast<double>(std::max<qint64>(1, m_size)));
    }

    std::string read(qint64 offset, qint64 size)
    {
        std::string bytes(static_cast<std::size_t>(std::max<qint64>(0, size)), '\0');
        m_file.clear();
        m_file.seekg(offset);
        m_file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<std::size_t>(m_file.gcount()));
        return bytes;
    }

    bool fits(std::string_view line) const
    {
        const QRegularExpressionMatch match = m_pattern.match(shownText(line));
        return match.hasMatch() && match.capturedLength() > 0;
    }

    /// Offset in the block of the first or last line that fits.
    std::optional<qint64> find(const std::string &block, bool first) const
    {
        const bool isPlain = block.find('\x1b') == block.npos && block.find('\r') == block.npos;
        return isPlain ? findPlain(block, first) : findByLine(block, first);
    }

    /// All lines at once, which is many times as fast; what is found across the end of a line is none.
    std::optional<qint64> findPlain(const std::string &block, bool first) const
    {
        const QString text = QString::fromUtf8(block.data(), static_cast<qsizetype>(block.size()));
        std::optional<qint64> found;
        qsizetype counted = 0;      // of `text`
        std::size_t lineBegin = 0;  // of `block`: where the line of text[counted] begins
        QRegularExpressionMatchIterator matches = m_inBlock.globalMatch(text);
        while (matches.hasNext() && goesOn()) {
            const QRegularExpressionMatch match = matches.next();
            if (match.capturedLength() == 0)
                continue;
            for (; counted < match.capturedStart(); ++counted)
                if (text[counted] == u'\n')
                    lineBegin = block.find('\n', lineBegin) + 1;
            const std::size_t end = std::min(block.find('\n', lineBegin), block.size());
            if (!fits(std::string_view(block).substr(lineBegin, end - lineBegin)))
                continue;
            found = static_cast<qint64>(lineBegin);
            if (first)
                break;
        }
        return found;
    }

    std::optional<qint64> findByLine(const std::string &block, bool first) const
    {
        std::optional<qint64> found;
        for (std::size_t begin = 0; begin < block.size() && goesOn();) {
            const std::size_t end = std::min(block.find('\n', begin), block.size());
            if (fits(std::string_view(block).substr(begin, end - begin))) {
                found = static_cast<qint64>(begin);
                if (first)
                    break;
            }
            begin = end + 1;
        }
        return found;
    }

    QRegularExpression m_pattern;
    QRegularExpression m_inBlock;
    const std::atomic<bool> &m_cancelled;
    const std::function<void(double)> &m_progress;
    std::ifstream m_file;
    qint64 m_size;
    qint64 m_done = 0;
};

void append(std::vector<ShownLine> &lines, const std::vector<LogLine> &read)
{
    AnsiReader ansi;
    for (const LogLine &line : read)
        lines.push_back({ansi.read(line.bytes), 0, line.offset});
}

}  // namespace

std::optional<LogStretch> searchFile(const FileSearch &wanted, const std::atomic<bool> &cancelled,
                                     const std::function<void(double)> &progress)
{
    Search search(wanted, cancelled, progress);
    const qint64 from = std::clamp<qint64>(wanted.from, 0, search.size());
    auto hit = wanted.forward ? search.forward(from, search.size()) : search.back(0, from);
    const bool wrapped = !hit;
    if (wrapped)
        hit = wanted.forward ? search.forward(0, from) : search.back(from, search.size());
    if (!hit)
        return std::nullopt;
    LogTail tail(wanted.file, 1);
    tail.poll(1);  // opens it
    std::vector<ShownLine> before;
    append(before, tail.before(*hit, linesBefore));
    LogStretch stretch = readStretch(wanted.file, *hit, linesAfter);
    stretch.lines.insert(stretch.lines.begin(), std::make_move_iterator(before.begin()),
                         std::make_move_iterator(before.end()));
    stretch.hit = *hit;
    stretch.wrapped = wrapped;
    return stretch;
}

LogStretch readStretch(const std::filesystem::path &file, qint64 offset, int lines)
{
    LogTail tail(file, 1);
    tail.poll(1);
    LogStretch stretch;
    std::error_code error;
    stretch.size = static_cast<qint64>(std::filesystem::file_size(file, error));
    std::int64_t end = offset;
    append(stretch.lines, tail.after(offset, lines, end));
    stretch.end = end;
    return stretch;
}

}  // namespace sweepscope::ui
