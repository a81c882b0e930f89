#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sweepscope::train {

/// Makes the batches number `first` … `end` - 1 ahead of time, on `threads` threads, at most two per thread ahead of
/// the last one taken, and hands them out in order. With 0 threads a batch is made when it is asked for. `make` must be
/// callable from several threads at once; what it throws comes out of next().
template <typename Item>
class BatchLoader {
public:
    using Make = std::function<Item(std::int64_t number)>;

    BatchLoader(Make make, std::int64_t first, std::int64_t end, std::int64_t threads,
                const std::function<void()> &prepareThread = {})
        : m_make(std::move(make)), m_taken(first), m_started(first), m_end(end), m_ahead(2 * threads)
    {
        for (std::int64_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this, prepareThread] {
                if (prepareThread)
                    prepareThread();
                work();
            });
    }

    ~BatchLoader()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_started = m_end;
        }
        m_changed.notify_all();
        for (std::thread &thread : m_threads)
            thread.join();
    }
    BatchLoader(const BatchLoader &) = delete;
    BatchLoader &operator=(const BatchLoader &) = delete;

    /// Empty after the last one.
    std::optional<Item> next()
    {
        if (m_taken >= m_end)
            return std::nullopt;
        if (m_threads.empty())
            return m_make(m_taken++);
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_made.contains(m_taken); });
        Made made = std::move(m_made.at(m_taken));
        m_made.erase(m_taken++);
        lock.unlock();
        m_changed.notify_all();
        if (made.error)
            std::rethrow_exception(made.error);
        return std::move(made.item);
    }

private:
    struct Made {
        std::optional<Item> item;
        std::exception_ptr error;
    };

    void work()
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [this] { return m_started >= m_end || m_started < m_taken + m_ahead; });
            if (m_started >= m_end)
                return;
            const std::int64_t number = m_started++;
            lock.unlock();
            Made made;
            try {
                made.item = m_make(number);
            } catch (...) {
                made.error = std::current_exception();
            }
            lock.lock();
            m_made.emplace(number, std::move(made));
            m_changed.notify_all();
        }
    }

    Make m_make;
    std::int64_t m_taken;
    std::int64_t m_started;
    std::int64_t m_end;
    std::int64_t m_ahead;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::int64_t, Made> m_made;
    std::vector<std::thread> m_threads;
};

}  // namespace sweepscope::train
