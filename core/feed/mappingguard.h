// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstddef>

namespace sweepscope::feed {

/// Lets the calling thread access a mapped file that another process may truncate. Checking the size first does not
/// help: the file may shrink between check and access, and the kernel then ends the process by SIGBUS. While a guard
/// exists, a handler of that signal replaces the whole mapping with zeros, and the thread continues.
///
///     access -> SIGBUS -> is the address in a mapping that this thread guards?
///                            yes: zeros are mapped over it, `lost` is set, the access is repeated
///                            no:  the previous handler gets the signal
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
