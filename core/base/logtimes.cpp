#include "base/logtimes.h"

#include "base/files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope {

namespace {

/// Finer than a person tells apart, and coarse enough for runs of weeks.
constexpr WallNs pause = 200'000'000;
/// Between two looks of a writer that is on time.
constexpr WallNs longestLook = 300'000'000;
constexpr std::size_t blockBytes = 64 * 1024;
/// A day of a log that never rests has a tenth of this; of longer ones the end is read.
constexpr std::int64_t mostBytes = 128 * 1024 * 1024;
constexpr std::size_t longestLine = 64;

}  // namespace

LogTimesWriter::LogTimesWriter(std::filesystem::path log, std::filesystem::path times)
    : m_log(std::move(log)), m_times(std::move(times))
{}

void LogTimesWriter::poll(WallNs now)
{
    if (std::abs(now - m_polled) >= pause)  // the clock may be set back
        recordLength(now);
}

void LogTimesWriter::recordLength(WallNs now)
{
    m_polled = now;
    struct stat status {};
    if (::stat(m_log.c_str(), &status) != 0 || status.st_size <= m_bytes)
        return;
    if (!m_fd)
        m_fd = openRegularFile(m_times, O_WRONLY | O_CREAT | O_APPEND).value_or(FileDescriptor());
    if (!m_fd)
        return;
    const std::string line = (m_torn ? "\n" : "") + std::to_string(status.st_size) + ' ' + std::to_string(now) + '\n';
    const ssize_t written = ::write(m_fd.get(), line.data(), line.size());
    if (written == static_cast<ssize_t>(line.size()))
        m_bytes = status.st_size;
    if (written >= 0)
        m_torn = written < static_cast<ssize_t>(line.size());
}

LogTimes::LogTimes(std::filesystem::path times) : m_file(std::move(times)) {}

void LogTimes::refresh()
{
    if (!m_fd) {
        m_fd = openRegularFile(m_file, O_RDONLY).value_or(FileDescriptor());
        struct stat status {};
        if (!m_fd || ::fstat(m_fd.get(), &status) != 0) {
            m_fd.reset();
            return;
        }
        m_offset = std::max<std::int64_t>(0, status.st_size - mostBytes);
    }
    std::string block(blockBytes, '\0');
    for (;;) {
        const ssize_t got = ::pread(m_fd.get(), block.data(), block.size(), m_offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        m_offset += got;
        for (const char character : std::string_view(block).substr(0, static_cast<std::size_t>(got))) {
            if (character == '\n')
                parseLine(std::exchange(m_pending, {}));
            else if (m_pending.size() <= longestLine)
                m_pending += character;
        }
    }
}

void LogTimes::parseLine(const std::string &untrustedLine)
{
    Known known{};
    const char *const end = untrustedLine.data() + untrustedLine.size();
    const auto bytes = std::from_chars(untrustedLine.data(), end, known.bytes);
    if (bytes.ec != std::errc() || bytes.ptr == end || *bytes.ptr != ' ')
        return;
    const auto time = std::from_chars(bytes.ptr + 1, end, known.time);
    if (time.ec != std::errc() || time.ptr != end || (!m_known.empty() && known.bytes <= m_known.back().bytes))
        return;
    if (!m_known.empty())
        known.time = std::max(known.time, m_known.back().time);
    m_known.push_back(known);
}

LogTimes readLogTimes(const std::filesystem::path &times)
{
    LogTimes read(times);
    for (std::int64_t before = -1, known = 0; known > before;) {
        before = known;
        read.refresh();
        known = read.lengthBefore(std::numeric_limits<WallNs>::max());
    }
    return read;
}

std::optional<WallNs> LogTimes::timeOf(std::int64_t offset) const
{
    const auto first = std::upper_bound(m_known.begin(), m_known.end(), offset,
                                        [](std::int64_t value, const Known &known) { return value < known.bytes; });
    return first == m_known.end() ? std::nullopt : std::optional(first->time);
}

std::optional<WallNs> LogTimes::writtenAt(std::int64_t offset) const
{
    const auto first = std::upper_bound(m_known.begin(), m_known.end(), offset,
                                        [](std::int64_t value, const Known &known) { return value < known.bytes; });
    if (first == m_known.end())
        return std::nullopt;
    const bool isFirst = first == m_known.begin();
    const std::int64_t seenBefore = isFirst ? 0 : std::prev(first)->bytes;
    // While nothing is printed, no line tells of a look.
    const WallNs span = isFirst ? longestLook : std::min(first->time - std::prev(first)->time, longestLook);
    const double left = static_cast<double>(first->bytes - 1 - offset) / static_cast<double>(first->bytes - seenBefore);
    return first->time - static_cast<WallNs>(left * static_cast<double>(span));
}

std::int64_t LogTimes::lengthBefore(WallNs time) const
{
    const auto first = std::lower_bound(m_known.begin(), m_known.end(), time,
                                        [](const Known &known, WallNs value) { return known.time < value; });
    return first == m_known.begin() ? 0 : std::prev(first)->bytes;
}

}  // namespace sweepscope
