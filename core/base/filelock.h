#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace sweepscope {

/// Whether somebody holds an exclusive flock() on the file. False for one that is not there or cannot be read.
bool isLocked(const std::filesystem::path &file);

/// Another process that has a lock of any kind on the file, rather one that writes, by /proc/locks; nullopt if the kernel does not say. A process
/// that inherited the lock is not listed there.
std::optional<pid_t> lockHolder(const std::filesystem::path &file);

/// "process 4711 of eve (uid 1001)"
std::string describeProcess(pid_t pid);

}  // namespace sweepscope
