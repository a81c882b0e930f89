#include "launch/agentreport.h"

#include <cerrno>
#include <unistd.h>

namespace sweepscope::launch {

void sendReport(int fd, AgentReport::Kind kind, int value) noexcept
{
    const AgentReport report{kind, value};
    // Smaller than PIPE_BUF, so the write is atomic.
    [[maybe_unused]] const ssize_t put = ::write(fd, &report, sizeof report);
}

bool readReport(int fd, AgentReport &report)
{
    ssize_t got = 0;
    do {
        got = ::read(fd, &report, sizeof report);
    } while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof report);
}

}  // namespace sweepscope::launch
