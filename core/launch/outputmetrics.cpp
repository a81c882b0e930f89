#include "launch/outputmetrics.h"

#include "base/files.h"
#include "feed/feedwriter.h"
#include "launch/agentmessage.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;

/// Small, so that its points (at worst one for each byte and series) rarely fill a ring.
constexpr std::size_t chunkBytes = 16 * 1024;
constexpr std::uint64_t pointsAtOnce = 50'000;
constexpr auto timeAtOnce = 10ms;

}  // namespace

OutputMetrics::OutputMetrics(MetricsPicker picker, std::filesystem::path log, std::vector<char> buffer)
    : m_picker(std::move(picker)), m_path(std::move(log)), m_buffer(std::move(buffer))
{}

Expected<OutputMetrics> OutputMetrics::create(const output::MetricsSection &metrics, int rank,
                                              const std::filesystem::path &log, const std::filesystem::path &ring)
{
    auto opened = feed::FeedWriter::open(ring);
    if (!opened)
        return tl::unexpected(opened.error());
    const auto writer = std::make_shared<feed::FeedWriter>(std::move(*opened));
    MetricsPicker::Sink sink;
    sink.declare = [writer](const std::string &series) { return writer->declare(series); };
    sink.write = [writer](std::uint16_t id, std::int64_t step, double value) { writer->write(id, step, value); };
    sink.complain = [rank](const std::string &sentence) {
        logWarning("in the output of rank " + std::to_string(rank) + ", " + sentence);
    };
    auto picker = MetricsPicker::create(metrics, std::move(sink));
    if (!picker)
        return tl::unexpected(picker.error());
    return OutputMetrics(std::move(*picker), log, std::vector<char>(chunkBytes));
}

bool OutputMetrics::advance()
{
    if (!m_log)
        m_log = openRegularFile(m_path, O_RDONLY).value_or(FileDescriptor());
    const auto until = std::chrono::steady_clock::now() + timeAtOnce;
    const std::uint64_t most = m_picker.points() + pointsAtOnce;
    while (m_log && m_picker.points() < most && std::chrono::steady_clock::now() < until) {
        const ssize_t got = ::pread(m_log.get(), m_buffer.data(), m_buffer.size(), m_offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        m_offset += got;
        m_lines.add({m_buffer.data(), static_cast<std::size_t>(got)},
                    [this](std::string_view line) { m_picker.pick(line); });
    }
    return m_log.get() >= 0;
}

void OutputMetrics::finish()
{
    m_lines.finish([this](std::string_view line) { m_picker.pick(line); });
    m_picker.finish();
}

}  // namespace sweepscope::launch
