#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace sweepscope {

/// Returns whether an exclusive flock() is held on the file; false if the file does not exist or cannot be opened.
bool isLocked(const std::filesystem::path &file);

/// Returns another process that holds a lock of any kind on the file according to /proc/locks, preferably a write lock;
/// nullopt if none is listed. A process that inherited the lock is not listed.
std::optional<pid_t> lockHolder(const std::filesystem::path &file);

/// "process 4711 of eve (uid 1001)"
std::string describeProcess(pid_t pid);

}  // namespace sweepscope
