#include "launch/agentprocess.h"

#include "base/detachedprogram.h"
#include "base/filedescriptor.h"
#include "base/files.h"
#include "base/workspacelayout.h"
#include "process/processstat.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <utility>

namespace sweepscope::launch {

namespace {

/// Waits for our child on a separate thread, so that it leaves no zombie.
void reap(pid_t pid)
{
    try {
        std::thread([pid] {
            while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
            }
        }).detach();
    } catch (const std::system_error &) {  // too many threads: a zombie does no harm
    }
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
    const AttemptLayout layout{std::filesystem::absolute(attemptFolder, error)};
    if (task == AgentTask::Run && !std::filesystem::is_regular_file(layout.launchFile(), error))
        return makeError(ErrorCode::NotFound, "cannot start an agent: there is no " + layout.launchFile().string());
    // A rank may have put something else in its place.
    if (const auto log = openRegularFile(layout.agentLog(), O_WRONLY | O_APPEND | O_CREAT); !log)
        return tl::unexpected(log.error());
    DetachedProgram agent{std::filesystem::absolute(agentProgram, error),
                          {},
                          layout.agentLog(),
                          layout.folder,
                          {leases.begin(), leases.end()}};
    if (task == AgentTask::Tidy)
        agent.arguments.push_back("--tidy");
    agent.arguments.push_back(layout.folder.string());
    const Expected<pid_t> pid = startDetached(agent);
    if (!pid)
        return tl::unexpected(pid.error());
    // Our child keeps its pid until it is waited for, so the start time is its own, even if it has ended.
    const auto stat = process::readProcessStat(*pid);
    reap(*pid);
    if (!stat)
        return makeError(ErrorCode::NotFound, "there is no process " + std::to_string(*pid));
    return ProcessIdentity{*pid, stat->startTime};
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
