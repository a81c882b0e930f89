#include "runoutput.h"

#include "base/files.h"

#include <array>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace sweepscope::ctl {

namespace {
constexpr std::size_t longestBegunLine = 64 * 1024;
}  // namespace

RunOutput::RunOutput(const AttemptLayout &attempt, int ranks)
{
    for (int rank = 0; rank < ranks; ++rank)
        m_logs.push_back({attempt.rankLog(rank), {}, 0, {}});
}

void RunOutput::copy()
{
    for (Log &log : m_logs)
        copy(log);
}

void RunOutput::copy(Log &log)
{
    if (!log.file) {
        auto opened = openRegularFile(log.path, O_RDONLY);
        if (!opened)
            return;  // it has printed nothing yet
        log.file = std::move(*opened);
    }
    std::array<char, 64 * 1024> buffer;
    for (;;) {
        const ssize_t bytes = ::pread(log.file.get(), buffer.data(), buffer.size(), log.offset);
        if (bytes <= 0)
            return;
        log.offset += bytes;
        std::string_view text(buffer.data(), static_cast<std::size_t>(bytes));
        if (m_logs.size() > 1) {
            log.begunLine += text;
            const std::size_t end = log.begunLine.rfind('\n');
            const std::size_t whole = end != std::string::npos                  ? end + 1
                                      : log.begunLine.size() > longestBegunLine ? log.begunLine.size()
                                                                                : 0;
            const std::string lines = log.begunLine.substr(0, whole);
            log.begunLine.erase(0, whole);
            m_stdoutIsClosed = m_stdoutIsClosed || !writeAll(STDOUT_FILENO, lines, "stdout");
        } else {
            m_stdoutIsClosed = m_stdoutIsClosed || !writeAll(STDOUT_FILENO, text, "stdout");
        }
    }
}

void RunOutput::finish()
{
    copy();
    for (Log &log : m_logs) {
        if (!m_stdoutIsClosed)
            m_stdoutIsClosed = !writeAll(STDOUT_FILENO, std::exchange(log.begunLine, {}), "stdout");
    }
}

}  // namespace sweepscope::ctl
