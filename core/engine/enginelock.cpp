#include "engine/enginelock.h"

#include "base/files.h"
#include "launch/agentprocess.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace sweepscope::engine {

namespace {

/// Returns the pid that the lock's owner wrote; empty if there is none yet.
std::string writtenPid(const std::filesystem::path &lockFile)
{
    const std::string text = readFile(lockFile, 64).value_or(std::string());
    return text.substr(0, text.find('\n'));
}

bool isAlive(const std::string &pid)
{
    // A zombie does not run: a killed engine may not be reaped yet.
    const long number = std::strtol(pid.c_str(), nullptr, 10);
    return launch::processStartTime(static_cast<pid_t>(number)).has_value();
}

/// Waits for a lock whose owner is dead: an agent that a killed engine was about to start shares the lock until it
/// execs, milliseconds later.
bool lockInTime(int file, const std::filesystem::path &lockFile)
{
    constexpr int tries = 250;
    constexpr auto untilNextTry = std::chrono::milliseconds(20);
    for (int i = 1;; ++i) {
        if (::flock(file, LOCK_EX | LOCK_NB) == 0)
            return true;
        const int reason = errno;
        if (reason != EWOULDBLOCK || i == tries || isAlive(writtenPid(lockFile))) {
            errno = reason;
            return false;
        }
        std::this_thread::sleep_for(untilNextTry);
    }
}

}  // namespace

Expected<EngineLock> EngineLock::acquire(const std::filesystem::path &lockFile)
{
    FileDescriptor file(::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
        return makeErrnoError("the workspace folder " + lockFile.parent_path().string()
                                  + " is not writable (cannot write " + lockFile.string()
                                  + "); choose another one with --workspace",
                              errno);
    if (!lockInTime(file.get(), lockFile)) {
        if (errno != EWOULDBLOCK)
            return makeErrnoError("cannot lock " + lockFile.string(), errno);
        const std::string pid = writtenPid(lockFile);
        return makeError(
            ErrorCode::AlreadyExists,
            "another engine" + (pid.empty() ? std::string() : " (process " + pid + ")")
                + " already runs for the workspace " + lockFile.parent_path().string()
                + (pid.empty() ? std::string() : "; to end it: kill " + pid + " (trials that run continue)"));
    }
    const std::string pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(file.get(), 0) != 0)
        return makeErrnoError("cannot write " + lockFile.string(), errno);
    if (Expected<void> written = writeAll(file.get(), pid, lockFile); !written)
        return tl::unexpected<Error>(written.error());
    return EngineLock(std::move(file));
}

bool EngineLock::isDeleted() const
{
    return hasNoName(m_file.get());
}

}  // namespace sweepscope::engine
