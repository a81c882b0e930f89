#include "launch/signalqueue.h"

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <limits>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace sweepscope::launch {

Expected<SignalQueue> SignalQueue::create()
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT, SIGQUIT, SIGUSR2, SIGTSTP, SIGCONT, SIGCHLD})
        ::sigaddset(&set, number);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    for (const int number : {SIGHUP, SIGPIPE, SIGXFSZ})
        ::signal(number, SIG_IGN);
    FileDescriptor fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!fd)
        return makeErrnoError("cannot receive signals", errno);
    return SignalQueue(std::move(fd));
}

std::vector<int> SignalQueue::wait(std::chrono::milliseconds timeout)
{
    pollfd entry{m_fd.get(), POLLIN, 0};
    const auto limited = std::min<std::int64_t>(timeout.count(), std::numeric_limits<int>::max());
    ::poll(&entry, 1, static_cast<int>(limited));

    std::vector<int> signals;
    signalfd_siginfo info{};
    while (::read(m_fd.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        signals.push_back(static_cast<int>(info.ssi_signo));
    return signals;
}

}  // namespace sweepscope::launch
