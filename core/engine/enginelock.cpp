#include "engine/enginelock.h"

#include "base/files.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <unistd.h>

namespace sweepscope::engine {

Expected<EngineLock> EngineLock::acquire(const std::filesystem::path &lockFile)
{
    FileDescriptor file(::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
        return makeErrnoError("the workspace folder " + lockFile.parent_path().string()
                                  + " is not writable (cannot write " + lockFile.string()
                                  + "); choose another one with --workspace",
                              errno);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return makeErrnoError("cannot lock " + lockFile.string(), errno);
        std::string pid = readFile(lockFile, 64).value_or(std::string());
        pid = pid.substr(0, pid.find('\n'));
        return makeError(ErrorCode::AlreadyExists, "another engine"
                                                       + (pid.empty() ? std::string() : " (process " + pid + ")")
                                                       + " runs for the workspace " + lockFile.parent_path().string()
                                                       + "; use that one, or end it first");
    }
    const std::string pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(file.get(), 0) != 0)
        return makeErrnoError("cannot write " + lockFile.string(), errno);
    if (Expected<void> written = writeAll(file.get(), pid, lockFile); !written)
        return tl::unexpected<Error>(written.error());
    return EngineLock(std::move(file));
}

}  // namespace sweepscope::engine
