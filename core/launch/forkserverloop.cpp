#include "launch/forkserverloop.h"

#include "base/filedescriptor.h"
#include "base/log.h"
#include "launch/agent.h"
#include "launch/agentreport.h"
#include "launch/childsetup.h"
#include "launch/forkserverprotocol.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sweepscope::launch {

namespace {

using namespace forkserver;

struct Request {
    std::string text;
    FileDescriptor log;
    FileDescriptor engine;
    std::vector<FileDescriptor> leases;

    const char *folder() const { return text.c_str(); }
    /// Returns pointers into `text`, ended by a null pointer.
    std::vector<char *> environment()
    {
        std::vector<char *> variables;
        for (std::size_t at = text.find('\0') + 1; at < text.size(); at = text.find('\0', at) + 1)
            variables.push_back(text.data() + at);
        variables.push_back(nullptr);
        return variables;
    }
};

bool isSocket(int fd)
{
    struct stat info {};
    return ::fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode);
}

std::ptrdiff_t entries(const char *folder)
{
    std::error_code error;
    const std::filesystem::directory_iterator found(folder, error);
    return error ? 0 : std::distance(begin(found), end(found));
}

/// Returns nullopt at end of file: the engine is gone, or needs no more agents.
std::optional<Request> receive()
{
    pollfd polled{socketFd, POLLIN, 0};
    const auto limit = std::chrono::milliseconds(idleLimit).count();
    int found = 0;
    do {
        found = ::poll(&polled, 1, static_cast<int>(limit));
    } while (found < 0 && errno == EINTR);
    if (found <= 0)
        return std::nullopt;

    Request request;
    request.text.resize(maxRequestBytes);
    alignas(cmsghdr) std::array<char, CMSG_SPACE(maxDescriptors * sizeof(int))> control{};
    iovec part{request.text.data(), request.text.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socketFd, &message, MSG_CMSG_CLOEXEC);
    const cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (got <= 0 || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 || header == nullptr
        || header->cmsg_len < CMSG_LEN(2 * sizeof(int)))
        return std::nullopt;
    std::vector<int> fds((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(fds.data(), CMSG_DATA(header), fds.size() * sizeof(int));
    request.log = FileDescriptor(fds[0]);
    request.engine = FileDescriptor(fds[1]);
    for (std::size_t i = 2; i < fds.size(); ++i)
        request.leases.emplace_back(fds[i]);
    request.text.resize(static_cast<std::size_t>(got));
    if (request.text.back() != '\0')
        return std::nullopt;
    return request;
}

/// Waits for the engine's go. It notes our start time first, so that it has our identity even if we end immediately.
bool mayGo(int engine)
{
    char mark = 0;
    ssize_t got = 0;
    do {
        got = ::read(engine, &mark, 1);
    } while (got < 0 && errno == EINTR);
    return got == 1 && mark == goMark;
}

[[noreturn]] void becomeAgent(Request &request, const ProcessTitle &title, LoadedProgram::Main main)
{
    sendReport(request.engine.get(), AgentReport::AgentPid, ::getpid());
    if (!mayGo(request.engine.get()))
        ::_exit(127);
    std::vector<char *> environment = request.environment();
    environ = environment.data();
    const std::array<const char *, 3> arguments{"sweepscope-agent", request.folder(), nullptr};
    title.show("sweepscope-agent", arguments.data(), nullptr);
    resetSignals();
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    setStandardStreams(null, request.log.get());
    if (null < 0 || ::chdir(request.folder()) != 0) {
        sendReport(request.engine.get(), AgentReport::StartFailed, errno);
        ::_exit(127);
    }
    std::vector<int> kept;
    for (const FileDescriptor &lease : request.leases)
        kept.push_back(lease.get());
    std::sort(kept.begin(), kept.end());
    closeOthers(kept);
    const LoadedProgram loaded(main, title);
    const Expected<void> done = runAgent(request.folder(), std::move(request.leases), loaded);
    if (!done)  // not log(): if the agent does not start, the engine shows this line as the reason
        std::fprintf(stderr, "sweepscope-agent: %s\n", done.error().message.c_str());
    std::fflush(nullptr);
    ::_exit(done ? 0 : 2);
}

/// In a new session, and not as our child, for which we would have to wait.
void startAgent(Request &request, const ProcessTitle &title, LoadedProgram::Main main)
{
    const pid_t child = ::fork();
    if (child == 0) {
        ::setsid();
        const pid_t agent = ::fork();
        if (agent == 0)
            becomeAgent(request, title, main);
        if (agent < 0)
            sendReport(request.engine.get(), AgentReport::ForkFailed, errno);
        ::_exit(0);
    }
    if (child < 0)
        sendReport(request.engine.get(), AgentReport::ForkFailed, errno);
    while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace

int serveForks(int argc, char **argv, LoadedProgram::Main main)
{
    if (!isSocket(socketFd)) {
        // Not log(): a person typed this command in a terminal.
        std::fprintf(stderr, "error: only Sweepscope's engine may run fork-server\n");
        return 2;
    }
    ::fcntl(socketFd, F_SETFD, FD_CLOEXEC);
    // Counting opens one more descriptor.
    if (entries("/proc/self/task") != 1 || entries("/proc/self/fd") != socketFd + 2) {
        log(LogLevel::Warning, "fork",
            "trials are not forked, and start slower: a library of the worker started a thread or opened a file when "
            "it was loaded");
        return 2;
    }
    const ProcessTitle title(argc, argv);
    const std::array<const char *, 3> arguments{"sweepscope-worker", "fork-server", nullptr};
    title.show("sweepscope-fork", arguments.data(), nullptr);
    if (::send(socketFd, &readyMark, 1, MSG_NOSIGNAL) != 1)
        return 2;
    while (std::optional<Request> request = receive())
        startAgent(*request, title, main);
    return 0;
}

}  // namespace sweepscope::launch
