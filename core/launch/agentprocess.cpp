#include "launch/agentprocess.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "base/workspacelayout.h"
#include "launch/agentreport.h"
#include "launch/childsetup.h"
#include "process/processstat.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

/// Everything that the children need, prepared before the fork: after it, allocating is not allowed.
struct AgentStart {
    const char *program;
    const char *option;  ///< null: none
    const char *folder;
    int logFd;
    int nullFd;
    int reportFd;
    int goFd;
    int goOtherEndFd;  ///< closed in the child: while it is open, the caller's end never reads as closed
    std::span<const int> leases;
};

[[noreturn]] void becomeAgent(const AgentStart &start) noexcept
{
    sendReport(start.reportFd, AgentReport::AgentPid, ::getpid());
    // The caller notes our start time first, so that it has our identity even if we end immediately; then it closes its
    // end.
    ::close(start.goOtherEndFd);
    char go = 0;
    while (::read(start.goFd, &go, 1) < 0 && errno == EINTR) {
    }
    resetSignals();
    setStandardStreams(start.nullFd, start.logFd);
    closeOthersOnExec();
    for (const int lease : start.leases)
        ::fcntl(lease, F_SETFD, 0);
    if (::chdir(start.folder) == 0) {
        std::array<char *, 4> argv{const_cast<char *>(start.program)};
        std::size_t count = 1;
        if (start.option)
            argv[count++] = const_cast<char *>(start.option);
        argv[count] = const_cast<char *>(start.folder);
        ::execv(start.program, argv.data());
    }
    sendReport(start.reportFd, AgentReport::StartFailed, errno);
    ::_exit(127);
}

/// Runs in the first child. Its own child becomes a child of init.
[[noreturn]] void leaveSession(const AgentStart &start) noexcept
{
    ::setsid();
    const pid_t agent = ::_Fork();
    if (agent == 0)
        becomeAgent(start);
    if (agent < 0)
        sendReport(start.reportFd, AgentReport::ForkFailed, errno);
    ::_exit(0);
}

// By system call number: the C library has these functions only since 2.36.
int pidfdOpen(pid_t pid)
{
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

int pidfdSendSignal(int pidfd, int signal)
{
    return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0));
}

}  // namespace

Expected<std::uint64_t> processStartTime(pid_t pid)
{
    const auto stat = pid > 0 ? process::readProcessStat(pid) : std::nullopt;
    if (!stat || stat->state == 'Z' || stat->state == 'X')
        return makeError(ErrorCode::NotFound, "there is no process " + std::to_string(pid));
    return stat->startTime;
}

bool isAlive(const ProcessIdentity &process)
{
    const auto startTime = processStartTime(process.pid);
    return startTime && *startTime == process.startTime;
}

Expected<ProcessIdentity> startAgent(const std::filesystem::path &agentProgram,
                                     const std::filesystem::path &attemptFolder, std::span<const int> leases,
                                     AgentTask task)
{
    std::error_code error;
    const std::string program = std::filesystem::absolute(agentProgram, error).string();
    const AttemptLayout layout{std::filesystem::absolute(attemptFolder, error)};
    if (task == AgentTask::Run && !std::filesystem::is_regular_file(layout.launchFile(), error))
        return makeError(ErrorCode::NotFound, "cannot start an agent: there is no " + layout.launchFile().string());
    const std::string folder = layout.folder.string();
    auto opened = openRegularFile(layout.agentLog(), O_WRONLY | O_APPEND | O_CREAT);
    if (!opened)
        return tl::unexpected(opened.error());
    const FileDescriptor log = std::move(*opened);
    const FileDescriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!null)
        return makeErrnoError("cannot open /dev/null", errno);
    std::array<int, 2> fds{-1, -1};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot start an agent", errno);
    const FileDescriptor reportRead(fds[0]);
    FileDescriptor reportWrite(fds[1]);
    if (::pipe2(fds.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot start an agent", errno);
    FileDescriptor goRead(fds[0]);
    FileDescriptor goWrite(fds[1]);

    const char *option = task == AgentTask::Tidy ? "--tidy" : nullptr;
    const AgentStart start{program.c_str(),   option,       folder.c_str(), log.get(), null.get(),
                           reportWrite.get(), goRead.get(), goWrite.get(),  leases};
    const pid_t child = ::_Fork();
    if (child == 0)
        leaveSession(start);
    if (child < 0)
        return makeErrnoError("cannot start an agent", errno);
    reportWrite.reset();
    goRead.reset();
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }

    AgentReport message{};
    if (!readReport(reportRead.get(), message))
        return makeError(ErrorCode::Io, "cannot start an agent: the new process ended before it started");
    if (message.kind == AgentReport::ForkFailed)
        return makeErrnoError("cannot start an agent", message.value);
    const pid_t pid = message.value;
    const auto startTime = processStartTime(pid);
    goWrite.reset();
    if (readReport(reportRead.get(), message))
        return makeErrnoError("cannot start " + program, message.value);
    if (!startTime)
        return tl::unexpected(startTime.error());
    return ProcessIdentity{pid, *startTime};
}

Expected<void> signalProcess(const ProcessIdentity &process, int signal)
{
    const auto gone = [&] {
        return makeError(ErrorCode::NotFound, "process " + std::to_string(process.pid) + " is gone");
    };
    if (process.pid <= 0)
        return gone();
    // The descriptor pins the process: comparing after opening it ensures that the compared process gets the signal.
    const FileDescriptor pinned(pidfdOpen(process.pid));
    if (!pinned && errno == ESRCH)
        return gone();
    if (!isAlive(process))
        return gone();
    const int result = pinned ? pidfdSendSignal(pinned.get(), signal) : ::kill(process.pid, signal);
    if (result != 0 && errno == ESRCH)
        return gone();
    if (result != 0)
        return makeErrnoError("cannot signal process " + std::to_string(process.pid), errno);
    return {};
}

}  // namespace sweepscope::launch
