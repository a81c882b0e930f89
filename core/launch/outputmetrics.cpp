#include "launch/outputmetrics.h"

#include "base/files.h"
#include "feed/feedwriter.h"
#include "launch/agentmessage.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;

/// Small, so that its points (at worst one for each byte and series) rarely fill a ring.
constexpr std::size_t chunkBytes = 16 * 1024;
constexpr std::uint64_t pointsAtOnce = 50'000;
constexpr auto timeAtOnce = 10ms;
/// Between two calls that are on time.
constexpr WallNs longestLook = 300'000'000;

}  // namespace

OutputMetrics::OutputMetrics(MetricsPicker picker, std::filesystem::path log, std::vector<char> buffer,
                             std::shared_ptr<WallNs> time)
    : m_picker(std::move(picker)),
      m_path(std::move(log)),
      m_looked(wallNow()),
      m_buffer(std::move(buffer)),
      m_time(std::move(time))
{}

Expected<OutputMetrics> OutputMetrics::create(const output::MetricsSection &metrics, int rank,
                                              const std::filesystem::path &log, const std::filesystem::path &ring,
                                              const std::filesystem::path &times)
{
    auto opened = feed::FeedWriter::open(ring);
    if (!opened)
        return tl::unexpected(opened.error());
    const auto writer = std::make_shared<feed::FeedWriter>(std::move(*opened));
    MetricsPicker::Sink sink;
    sink.declare = [writer](const std::string &series) { return writer->declare(series); };
    const auto time = std::make_shared<WallNs>(0);
    sink.write = [writer, time](std::uint16_t id, std::int64_t step, double value) {
        *time > 0 ? writer->write(id, step, *time, value) : writer->write(id, step, value);
    };
    sink.complain = [rank](const std::string &sentence) {
        logWarning("in the output of rank " + std::to_string(rank) + ", " + sentence);
    };
    auto picker = MetricsPicker::create(metrics, std::move(sink));
    if (!picker)
        return tl::unexpected(picker.error());
    OutputMetrics output(std::move(*picker), log, std::vector<char>(chunkBytes), time);
    std::error_code error;
    const std::uintmax_t length = times.empty() ? 0 : std::filesystem::file_size(log, error);
    if (!error && length > 0) {
        output.m_times = readLogTimes(times);
        output.m_written = output.m_grown.end = static_cast<std::int64_t>(length);
    }
    return output;
}

bool OutputMetrics::advance()
{
    if (!m_log)
        m_log = openRegularFile(m_path, O_RDONLY).value_or(FileDescriptor());
    const auto until = std::chrono::steady_clock::now() + timeAtOnce;
    const std::uint64_t mostPoints = m_picker.points() + pointsAtOnce;
    while (m_log && m_picker.points() < mostPoints && std::chrono::steady_clock::now() < until) {
        if (m_offset >= m_grown.end && !hasGrown())
            return false;
        const auto most = std::min<std::int64_t>(static_cast<std::int64_t>(m_buffer.size()), m_grown.end - m_offset);
        const ssize_t got = ::pread(m_log.get(), m_buffer.data(), static_cast<std::size_t>(most), m_offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        pick({m_buffer.data(), static_cast<std::size_t>(got)});
    }
    return m_log.get() >= 0;
}

/// Lines that are read together came one after another since the look before.
bool OutputMetrics::hasGrown()
{
    const WallNs now = wallNow();
    const WallNs before = std::exchange(m_looked, now);
    struct stat status {};
    if (::fstat(m_log.get(), &status) != 0 || status.st_size <= m_grown.end)
        return false;
    m_grown = {m_grown.end, status.st_size, std::clamp(before, now - longestLook, now), now};
    return true;
}

WallNs OutputMetrics::timeOf(std::int64_t offset) const
{
    if (offset < m_written)
        return m_times.writtenAt(offset).value_or(0);
    const double share =
        static_cast<double>(offset + 1 - m_grown.begin) / static_cast<double>(m_grown.end - m_grown.begin);
    return m_grown.from + static_cast<WallNs>(share * static_cast<double>(m_grown.to - m_grown.from));
}

void OutputMetrics::pick(std::string_view bytes)
{
    const auto take = [this](std::string_view line) { m_picker.pick(line); };
    while (!bytes.empty()) {
        const std::size_t part = std::min(bytes.find_first_of("\r\n"), bytes.size() - 1) + 1;
        m_offset += static_cast<std::int64_t>(part);
        *m_time = timeOf(m_offset - 1);
        m_lines.add(bytes.substr(0, part), take);
        bytes.remove_prefix(part);
    }
}

void OutputMetrics::finish()
{
    m_lines.finish([this](std::string_view line) { m_picker.pick(line); });
    m_picker.finish();
}

}  // namespace sweepscope::launch
