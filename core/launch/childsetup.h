#pragma once

#include <span>
#include <string>
#include <vector>

/// What a new process does between fork and exec. What is noexcept here does not allocate, lock or use stdio: only
/// async-signal-safe calls, because the forked process may have other threads.
namespace sweepscope::launch {

/// Arguments or environment as exec takes them, made before the fork. They point into `texts`.
std::vector<char *> execPointers(std::vector<std::string> &texts);

/// Default actions and an empty mask: what the parent ignores or blocks is its own affair.
void resetSignals() noexcept;

/// stdin, and stdout and stderr together; they stay open over exec.
void setStandardStreams(int in, int out) noexcept;

/// Every descriptor but stdin, stdout and stderr closes on exec, even one that somebody opened without O_CLOEXEC.
void closeOthersOnExec() noexcept;

/// The same at once, for a process that goes on without exec. `kept`, in rising order, stay open.
void closeOthers(std::span<const int> kept = {}) noexcept;

}  // namespace sweepscope::launch
