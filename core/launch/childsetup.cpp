#include "launch/childsetup.h"

#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <linux/close_range.h>
#include <unistd.h>

namespace sweepscope::launch {

std::vector<char *> execPointers(std::vector<std::string> &texts)
{
    std::vector<char *> found;
    for (std::string &text : texts)
        found.push_back(text.data());
    found.push_back(nullptr);
    return found;
}

void resetSignals() noexcept
{
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number)
        ::sigaction(number, &action, nullptr);  // fails for KILL, STOP and the C library's own signals, as intended
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void setStandardStreams(int in, int out) noexcept
{
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::fcntl(fd, F_SETFD, 0);  // dup2() onto the same descriptor keeps its close-on-exec flag
}

void closeOthersOnExec() noexcept
{
    // Kernels before 5.11 lack CLOSE_RANGE_CLOEXEC: there, O_CLOEXEC at every open must suffice.
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

void closeOthers(std::span<const int> kept) noexcept
{
    const auto closeBetween = [](int first, unsigned last) {
        if (static_cast<unsigned>(first) > last || ::close_range(static_cast<unsigned>(first), last, 0) == 0)
            return;
        const auto limit = static_cast<unsigned>(::sysconf(_SC_OPEN_MAX));
        for (int fd = first; static_cast<unsigned>(fd) <= last && static_cast<unsigned>(fd) < limit; ++fd)
            ::close(fd);
    };
    int next = STDERR_FILENO + 1;
    for (const int fd : kept) {
        closeBetween(next, static_cast<unsigned>(fd) - 1);
        next = fd + 1;
    }
    closeBetween(next, ~0U);
}

}  // namespace sweepscope::launch
