// SPDX-License-Identifier: MIT
#include "feed/mappingguard.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>

namespace sweepscope::feed {

namespace {

/// The innermost guard of each thread. The handler only meets it where a guard has been made, so it never is the first
/// to touch a thread's variables, which may allocate.
thread_local MappingGuard *innermost = nullptr;

struct sigaction earlier {};

}  // namespace

/// In the signal handler: system calls only.
bool replaceLostMapping(const void *address) noexcept
{
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (const MappingGuard *guard = innermost; guard != nullptr; guard = guard->m_outer) {
        const auto begin = reinterpret_cast<std::uintptr_t>(guard->m_memory);
        if (at < begin || at - begin >= guard->m_bytes)
            continue;
        if (::mmap(guard->m_memory, guard->m_bytes, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1,
                   0)
            == MAP_FAILED)
            return false;
        *guard->m_lost = 1;
        return true;
    }
    return false;
}

namespace {

void onBusError(int signal, siginfo_t *info, void *context)
{
    const int error = errno;
    const bool isFault = info->si_code > 0;  // else a process sent the signal
    if (isFault && replaceLostMapping(info->si_addr)) {
        errno = error;
        return;
    }
    if ((earlier.sa_flags & SA_SIGINFO) != 0) {
        earlier.sa_sigaction(signal, info, context);
    } else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
        earlier.sa_handler(signal);
    } else if (isFault || earlier.sa_handler == SIG_DFL) {
        // What happens without a handler: by the fault that is met again, or by the signal sent again.
        struct sigaction nobody {};
        nobody.sa_handler = SIG_DFL;
        ::sigaction(signal, &nobody, nullptr);
        if (!isFault)
            ::raise(signal);
    }
    errno = error;
}

void install() noexcept
{
    struct sigaction action {};
    action.sa_sigaction = onBusError;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, nullptr, &earlier);  // before ours can be called
    ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

MappingGuard::MappingGuard(void *memory, std::size_t bytes, volatile std::sig_atomic_t &lost) noexcept
    : m_memory(memory), m_bytes(bytes), m_lost(&lost), m_outer(innermost)
{
    static std::once_flag installed;
    std::call_once(installed, install);
    innermost = this;
    // The compiler moves no touch of the mapping before it. The handler runs in this thread.
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

MappingGuard::~MappingGuard()
{
    std::atomic_signal_fence(std::memory_order_seq_cst);
    innermost = m_outer;
}

}  // namespace sweepscope::feed
