// SPDX-License-Identifier: MIT
#include "feed/threadbias.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sweepscope::feed {

namespace {

bool membarrier(int command) noexcept
{
    return ::syscall(SYS_membarrier, command, 0, 0) == 0;
}

}  // namespace

ThreadBias::ThreadBias()
{
    // Linux 4.14; without it nobody can take the ownership back, so nobody gets it.
    if (!membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
        share();
}

void ThreadBias::revoke() noexcept
{
    Slot *const slot = m_current.load(std::memory_order_relaxed);  // relaxed: the lock orders changes
    if (slot == nullptr)
        return;
    m_current.store(nullptr, std::memory_order_relaxed);
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    // Acquire: what the owner did inside. It is there for the time of one record.
    while (slot->inside.load(std::memory_order_acquire))
        ::sched_yield();
}

ThreadBias::Slot *ThreadBias::own() noexcept
{
    Slot &slot = m_slots[m_used++];
    slot.thread.store(thisThread(), std::memory_order_relaxed);
    slot.inside.store(true, std::memory_order_relaxed);  // whoever revokes it sees this, by the lock
    m_current.store(&slot, std::memory_order_release);   // the slot, and what the owner before left behind
    return &slot;
}

}  // namespace sweepscope::feed
