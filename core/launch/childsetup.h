#pragma once

/// What a new process does between fork and exec. Nothing here allocates, locks or uses stdio: only async-signal-safe
/// calls, because the forked process may have other threads.
namespace sweepscope::launch {

/// Default actions and an empty mask: what the parent ignores or blocks is its own affair.
void resetSignals() noexcept;

/// stdin, and stdout and stderr together; they stay open over exec.
void setStandardStreams(int in, int out) noexcept;

/// Every descriptor but stdin, stdout and stderr closes on exec, even one that somebody opened without O_CLOEXEC.
void closeOthersOnExec() noexcept;

/// The same at once, for a process that goes on without exec.
void closeOthers() noexcept;

}  // namespace sweepscope::launch
