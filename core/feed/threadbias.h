// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

namespace sweepscope::feed {

/// Lets one thread write with plain loads and stores, and other threads in nevertheless.
///
/// An atomic read-modify-write has to wait until every store before it has reached the cache: after the stores into a
/// ring that costs more than all the rest of a point. Most ranks report from one thread, so that thread *owns* the
/// writer and says by a plain store that it is inside. Another thread that comes makes the kernel pass a barrier to all
/// threads of the process (membarrier, once per change of owner) and thereby knows whether the owner is inside (it
/// waits for that one point) or will notice that it is none any more. After a few changes the writer is *shared*:
/// several threads report at once, and from then on they all use read-modify-writes.
class ThreadBias {
public:
    ThreadBias();
    ThreadBias(const ThreadBias &) = delete;
    ThreadBias &operator=(const ThreadBias &) = delete;

    /// One per stay of an owner: no other thread ever writes its `inside`.
    struct Slot {
        std::atomic<const void *> thread{nullptr};
        std::atomic<bool> inside{false};
    };

    /// The slot to leave() afterwards if the calling thread owns the writer, else null. Null in a signal handler that
    /// interrupted the owner inside.
    Slot *enter() noexcept
    {
        // Acquire: the slot, and what the owner before it left behind.
        Slot *const slot = m_current.load(std::memory_order_acquire);
        // Relaxed: set once. Acquire: a thread may have been given the place of one that has ended.
        if (slot == nullptr || slot->thread.load(std::memory_order_relaxed) != thisThread()
            || slot->inside.load(std::memory_order_acquire))
            return nullptr;
        slot->inside.store(true, std::memory_order_relaxed);
        // The store stays before the load: for the compiler by this fence, for the processor by the membarrier of
        // whoever takes the ownership.
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (m_current.load(std::memory_order_relaxed) == slot)
            return slot;
        leave(slot);
        return nullptr;
    }

    /// Release: the next owner sees what was done inside.
    static void leave(Slot *slot) noexcept { slot->inside.store(false, std::memory_order_release); }

    /// For the slow path; the calling thread is not inside and holds the lock until it lets go of it.
    std::unique_lock<std::mutex> lock() { return std::unique_lock(m_changing); }

    /// With the lock: nobody owns the writer any more, and nobody is inside.
    void revoke() noexcept;
    /// With the lock, after revoke(): whether the calling thread may own it, or it is time to share.
    bool mayOwn() const noexcept { return m_used < m_slots.size(); }
    /// With the lock, after revoke(): the calling thread owns it and is inside already: no other thread takes it back
    /// before it has written. leave() the slot afterwards.
    Slot *own() noexcept;
    /// With the lock, after revoke(): for good.
    void share() noexcept { m_shared.store(true, std::memory_order_release); }
    /// Acquire: what the last owner left behind.
    bool shared() const noexcept { return m_shared.load(std::memory_order_acquire); }

    /// Whether the calling thread is inside already: this is a signal handler. Looked for in all slots, because another
    /// thread may be at taking the ownership back: then the slot is not the current one any more, and that thread, with
    /// the lock in its hands, waits until this one is out.
    bool isNested() const noexcept
    {
        // Relaxed: what the calling thread itself stored. A slot of another thread is never taken for its own, except
        // of one that has ended, and that one is not inside.
        return std::any_of(m_slots.begin(), m_slots.end(), [](const Slot &slot) {
            return slot.thread.load(std::memory_order_relaxed) == thisThread()
                   && slot.inside.load(std::memory_order_relaxed);
        });
    }

private:
    static const void *thisThread() noexcept
    {
        static thread_local char mark;
        return &mark;
    }

    std::atomic<Slot *> m_current{nullptr};
    std::atomic<bool> m_shared{false};
    std::mutex m_changing;
    std::array<Slot, 8> m_slots;
    std::size_t m_used = 0;
};

}  // namespace sweepscope::feed
