#include "terminationsignals.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace sweepscope::ctl {

namespace {

// A signal handler can reach only globals: the two ends of a pipe.
int readEnd = -1;
int writeEnd = -1;

void forward(int)
{
    const int savedErrno = errno;
    const char byte = 1;
    [[maybe_unused]] const ssize_t put = ::write(writeEnd, &byte, 1);  // a full pipe already wakes the reader
    errno = savedErrno;
}

void handle(int signal, void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

TerminationSignals::TerminationSignals(QObject *parent) : QObject(parent)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;  // then the signals end this process, as by default
    readEnd = ends[0];
    writeEnd = ends[1];
    m_notifier = std::make_unique<QSocketNotifier>(readEnd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char bytes[16];
        while (::read(readEnd, bytes, sizeof bytes) > 0) {
        }
        Q_EMIT received();
    });
    handle(SIGTERM, forward);
    handle(SIGINT, forward);
}

TerminationSignals::~TerminationSignals()
{
    if (!m_notifier)
        return;
    handle(SIGTERM, SIG_DFL);
    handle(SIGINT, SIG_DFL);
    m_notifier.reset();
    ::close(readEnd);
    ::close(writeEnd);
}

}  // namespace sweepscope::ctl
