#include "ui/logs/logtail.h"

#include "base/files.h"
#include "ui/logs/logblocks.h"
#include "ui/logs/visibletext.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr std::size_t tailBytes = 64 * 1024;
/// Size of one read.
constexpr std::size_t pollBytes = 256 * 1024;
/// Maximum distance from the end in the search for the first line of the tail.
constexpr std::int64_t maxTailBytes = 32 * 1024 * 1024;
/// More unread bytes than this cannot be caught up with line by line.
constexpr std::int64_t mostBehind = 8 * 1024 * 1024;
constexpr int linesAfterSkip = 20'000;
constexpr std::size_t maxLineBytes = longestPiece;

/// Empty at the end of the file and on errors: an unreadable log is shown as far as it was read.
std::string readAt(int fd, std::int64_t offset, std::size_t size)
{
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
        const ssize_t count = pread(fd, bytes.data() + got, size - got, offset + static_cast<off_t>(got));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        got += static_cast<std::size_t>(count);
    }
    bytes.resize(got);
    return bytes;
}

}  // namespace

LogTail::LogTail(std::filesystem::path file, int lines) : m_file(std::move(file)), m_tailLines(lines) {}

bool LogTail::open()
{
    m_fd = openRegularFile(m_file, O_RDONLY, Links::Follow).value_or(FileDescriptor());
    struct stat status {};
    if (!m_fd || fstat(m_fd.get(), &status) != 0) {
        m_fd.reset();
        return false;
    }
    m_device = status.st_dev;
    m_inode = status.st_ino;
    m_begin = m_startAtZero ? 0 : m_beginAt ? *m_beginAt : beginOfTail(status.st_size, m_tailLines);
    m_offset = m_begin;
    m_pending.clear();
    return true;
}

bool LogTail::wasReplaced() const
{
    struct stat atPath {};
    if (stat(m_file.c_str(), &atPath) == 0 && (atPath.st_dev != m_device || atPath.st_ino != m_inode))
        return true;
    struct stat status {};
    return fstat(m_fd.get(), &status) == 0 && status.st_size < m_offset + static_cast<std::int64_t>(m_pending.size());
}

std::int64_t LogTail::beginOfTail(std::int64_t end, int lines) const
{
    std::int64_t position = end;
    int found = 0;
    while (position > 0 && end - position < maxTailBytes) {
        const std::int64_t from = std::max<std::int64_t>(0, position - static_cast<std::int64_t>(tailBytes));
        const std::string block = readAt(m_fd.get(), from, static_cast<std::size_t>(position - from));
        for (std::size_t i = block.size(); i-- > 0;) {
            // The end of the last line does not begin another.
            if (block[i] == '\n' && from + static_cast<std::int64_t>(i) + 1 < end && ++found >= lines)
                return from + static_cast<std::int64_t>(i) + 1;
        }
        position = from;
    }
    if (position == 0)
        return 0;
    // A file of endless lines: begin at the next line, or here if there is none.
    const std::string block = readAt(m_fd.get(), position, tailBytes);
    const std::size_t newline = block.find('\n');
    return newline == std::string::npos ? position : position + static_cast<std::int64_t>(newline) + 1;
}

void LogTail::splitLines(LogChunk &chunk, int maxLines)
{
    std::size_t taken = 0;
    while (static_cast<int>(chunk.lines.size()) < maxLines) {
        const std::size_t newline = m_pending.find('\n', taken);
        const std::size_t length = (newline == std::string::npos ? m_pending.size() : newline) - taken;
        if (length > maxLineBytes) {
            const std::int64_t begin = m_offset + static_cast<std::int64_t>(taken);
            chunk.lines.push_back(
                {begin, begin + static_cast<std::int64_t>(maxLineBytes), m_pending.substr(taken, maxLineBytes)});
            taken += maxLineBytes;
            continue;
        }
        if (newline == std::string::npos)
            break;
        chunk.lines.push_back({m_offset + static_cast<std::int64_t>(taken),
                               m_offset + static_cast<std::int64_t>(newline) + 1,
                               visibleText(m_pending.substr(taken, length))});
        taken = newline + 1;
    }
    m_pending.erase(0, taken);
    m_offset += static_cast<std::int64_t>(taken);
}

/// Continues near the end if reading is far behind: the lines between would not stay on the screen. Returns the number
/// of bytes left out.
std::int64_t LogTail::catchUp()
{
    struct stat status {};
    const std::int64_t next = m_offset + static_cast<std::int64_t>(m_pending.size());
    if (fstat(m_fd.get(), &status) != 0 || status.st_size - next < mostBehind)
        return 0;
    const std::int64_t begin = beginOfTail(status.st_size, std::min(m_tailLines, linesAfterSkip));
    if (begin <= next)
        return 0;
    const std::int64_t skipped = begin - m_offset;
    m_offset = begin;
    m_pending.clear();
    return skipped;
}

LogChunk LogTail::poll(int maxLines)
{
    LogChunk chunk;
    if (m_fd && wasReplaced()) {
        m_fd.reset();
        m_startAtZero = true;
        m_restarted = true;
    }
    if (m_fd)
        chunk.skipped = catchUp();
    else
        open();
    if (!m_fd) {
        chunk.missing = true;
        return chunk;
    }
    chunk.restarted = std::exchange(m_restarted, false);
    chunk.begin = m_begin;
    // Reads to the end of the file if that comes first, because a reader at the end polls less often.
    while (static_cast<int>(chunk.lines.size()) < maxLines) {
        if (m_pending.find('\n') == std::string::npos) {
            const std::string read =
                readAt(m_fd.get(), m_offset + static_cast<std::int64_t>(m_pending.size()), pollBytes);
            if (read.empty())
                break;
            m_pending += read;
        }
        splitLines(chunk, maxLines);
    }
    chunk.more = static_cast<int>(chunk.lines.size()) >= maxLines;
    if (!chunk.more)
        chunk.partial = visibleText(m_pending);
    return chunk;
}

std::vector<LogLine> LogTail::after(std::int64_t offset, int lines) const
{
    std::vector<LogLine> result;
    std::int64_t end = offset;
    std::string pending;
    while (m_fd && static_cast<int>(result.size()) < lines) {
        const std::string block = readAt(m_fd.get(), end + static_cast<std::int64_t>(pending.size()), pollBytes);
        if (block.empty())
            break;
        pending += block;
        std::size_t taken = 0;
        while (static_cast<int>(result.size()) < lines) {
            const std::size_t newline = pending.find('\n', taken);
            const std::size_t length = (newline == std::string::npos ? pending.size() : newline) - taken;
            const std::size_t shown = std::min(length, maxLineBytes);
            if (newline == std::string::npos && length <= maxLineBytes)
                break;
            const std::size_t next = taken + shown + (shown == length ? 1 : 0);
            result.push_back({end + static_cast<std::int64_t>(taken), end + static_cast<std::int64_t>(next),
                              visibleText(pending.substr(taken, shown))});
            taken = next;
        }
        pending.erase(0, taken);
        end += static_cast<std::int64_t>(taken);
    }
    return result;
}

std::vector<LogLine> LogTail::before(std::int64_t offset, int lines) const
{
    std::vector<LogLine> result;
    if (!m_fd || offset <= 0)
        return result;
    const std::int64_t begin = beginOfTail(offset, lines);
    const std::string bytes = readAt(m_fd.get(), begin, static_cast<std::size_t>(offset - begin));
    std::size_t position = 0;
    while (position < bytes.size()) {
        const std::size_t newline = std::min(bytes.find('\n', position), bytes.size());
        const std::size_t length = std::min(newline - position, maxLineBytes);
        const std::size_t next = position + length + (position + length == newline ? 1 : 0);
        result.push_back({begin + static_cast<std::int64_t>(position), begin + static_cast<std::int64_t>(next),
                          visibleText(bytes.substr(position, length))});
        position = next;
    }
    return result;
}

std::int64_t LogTail::wholeEnd() const
{
    struct stat status {};
    if (!m_fd || fstat(m_fd.get(), &status) != 0)
        return 0;
    const auto last = static_cast<std::int64_t>(status.st_size);
    for (std::int64_t position = last; position > 0 && last - position < maxTailBytes;) {
        const std::int64_t from = std::max<std::int64_t>(0, position - static_cast<std::int64_t>(tailBytes));
        const std::string block = readAt(m_fd.get(), from, static_cast<std::size_t>(position - from));
        const std::size_t newline = block.rfind('\n');
        if (newline != std::string::npos)
            return from + static_cast<std::int64_t>(newline) + 1;
        position = from;
    }
    return last > maxTailBytes ? last : 0;  // for an endless line, what is there
}

std::int64_t LogTail::lineFrom(std::int64_t offset) const
{
    const std::int64_t whole = wholeEnd();
    for (std::int64_t position = offset - 1; position >= 0 && position < whole;) {
        const std::string block = readAt(m_fd.get(), position, tailBytes);
        const std::size_t newline = block.find('\n');
        if (newline != std::string::npos)
            return std::min(whole, position + static_cast<std::int64_t>(newline) + 1);
        if (block.empty())
            break;
        position += static_cast<std::int64_t>(block.size());
    }
    return offset <= 0 ? 0 : whole;
}

}  // namespace sweepscope::ui
