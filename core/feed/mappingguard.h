// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstddef>

namespace sweepscope::feed {

/// Lets the calling thread touch a mapped file that somebody may cut. No look at the file's size helps: it may be cut
/// between the look and the touch, and then the kernel ends the process by SIGBUS. While a guard lives, a handler of
/// that signal puts zeros in the place of the whole mapping instead, and the thread goes on.
///
///     touch -> SIGBUS -> is the address in a mapping that this thread guards?
///                            yes: zeros are mapped over it, `lost` is set, the touch is repeated
///                            no:  whoever had the signal before has it
///
/// The handler is installed with the first guard of the process. A guard costs two loads and two stores, so it is made
/// for each stay and not kept. Guards of one thread end in the opposite order of their beginning.
class MappingGuard {
public:
    /// `lost` becomes 1 when it happens; both live longer than the guard.
    MappingGuard(void *memory, std::size_t bytes, volatile std::sig_atomic_t &lost) noexcept;
    ~MappingGuard();
    MappingGuard(const MappingGuard &) = delete;
    MappingGuard &operator=(const MappingGuard &) = delete;

private:
    friend bool replaceLostMapping(const void *address) noexcept;

    void *m_memory;
    std::size_t m_bytes;
    volatile std::sig_atomic_t *m_lost;
    MappingGuard *m_outer;
};

}  // namespace sweepscope::feed
