#pragma once

#include <span>
#include <string>
#include <vector>

/// What a new process does between fork and exec. Functions that are noexcept do not allocate, lock or use stdio: they
/// make only async-signal-safe calls, because the forked process may have had other threads.
namespace sweepscope::launch {

/// Returns arguments or environment in the form that exec requires, prepared before the fork. They point into `texts`.
std::vector<char *> execPointers(std::vector<std::string> &texts);

/// Sets default actions and an empty mask: a rank must not inherit what the parent ignores or blocks.
void resetSignals() noexcept;

/// Sets stdin, and one descriptor for both stdout and stderr; they stay open over exec.
void setStandardStreams(int in, int out) noexcept;

/// Sets close-on-exec on every descriptor except stdin, stdout and stderr, even on one opened without O_CLOEXEC.
void closeOthersOnExec() noexcept;

/// Closes them immediately, for a process that continues without exec. `kept`, in ascending order, stay open.
void closeOthers(std::span<const int> kept = {}) noexcept;

}  // namespace sweepscope::launch
