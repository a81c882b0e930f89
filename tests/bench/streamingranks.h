#pragma once

#include "base/clock.h"
#include "feed/logwriter.h"
#include "series/feedseries.h"
#include "ui/plot/trialsource.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <pthread.h>
#include <random>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

/// Ranks that write continuously, for benchmarks of displaying them.
namespace sweepscope::bench {

using ui::TrialSource;

inline int setting(const char *name, int preset)
{
    const char *text = std::getenv(name);
    return text ? std::atoi(text) : preset;
}

inline constexpr WallNs pointInterval = 1'000'000;  // 1,000 points/s of each rank

inline void useCores(pthread_t thread, int first, int last)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int core = first; core <= last; ++core)
        CPU_SET(core, &cores);
    (void)pthread_setaffinity_np(thread, sizeof cores, &cores);
}

/// For threads started by the window's thread, which has the first core.
inline void leaveTheWindowsCore()
{
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (cores > 1)
        useCores(pthread_self(), 1, cores - 1);
}

/// The logs of an attempt, filled first and then extended on a separate thread.
class Ranks {
public:
    Ranks(std::filesystem::path folder, int ranks, int points)
    {
        m_source.sweepId = m_source.trial = m_source.attempt = 1;
        m_source.folder = std::move(folder);
        m_source.ranks = ranks;
        m_source.started = m_time = wallNow() - points * pointInterval;
        for (int rank = 0; rank < ranks; ++rank) {
            auto writer = feed::LogWriter::open(m_source.files().rankFeed(rank), {rank, ranks, m_time, "1-1-1"});
            if (!writer)
                std::abort();
            m_series.push_back(writer->declare("loss"));
            m_writers.push_back(std::move(*writer));
        }
        write(points);
        index();
    }
    ~Ranks() { stop(); }

    const TrialSource &source() const { return m_source; }
    /// The time of the newest point; not while the thread is writing.
    WallNs newest() const { return m_time - pointInterval; }

    void start()
    {
        m_thread = std::thread([this] {
            leaveTheWindowsCore();
            const WallNs begun = wallNow();
            std::int64_t written = 0;
            while (!m_stop.load(std::memory_order_relaxed)) {
                const auto due = static_cast<std::int64_t>((wallNow() - begun) / pointInterval);
                write(static_cast<int>(due - written));
                written = due;
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
        });
    }
    void stop()
    {
        m_stop.store(true, std::memory_order_relaxed);
        if (m_thread.joinable())
            m_thread.join();
        m_stop.store(false, std::memory_order_relaxed);
    }

private:
    /// Builds the index that the agent would have built by now.
    void index() const
    {
        const AttemptLayout files = m_source.files();
        for (int rank = 0; rank < m_source.ranks; ++rank) {
            series::FeedSeries builder({files.rankFeed(rank), {}, files.rankIndex(rank)}, series::IndexUse::Build);
            while (builder.poll().value_or(0) > 0) {
            }
        }
    }

    void write(int points)
    {
        const std::int64_t first = m_step.load(std::memory_order_relaxed);
        for (std::size_t rank = 0; rank < m_writers.size(); ++rank) {
            for (int i = 0; i < points; ++i) {
                const std::int64_t step = first + i;
                const double x = static_cast<double>(step) * 1e-5;
                const double noise = static_cast<double>(m_random() >> 40U) * 0x1p-24;
                m_writers[rank].write(m_series[rank], step, m_time + i * pointInterval + static_cast<WallNs>(rank),
                                      2 / (1 + x) + 0.02 * static_cast<double>(rank) + 0.3 * noise);
                if (i % 4096 == 4095)
                    (void)m_writers[rank].flush();
            }
            if (!m_writers[rank].flush())
                std::abort();
        }
        m_time += points * pointInterval;
        m_step.store(first + points, std::memory_order_relaxed);
    }

    TrialSource m_source;
    std::vector<feed::LogWriter> m_writers;
    std::vector<std::uint16_t> m_series;
    std::mt19937_64 m_random{7};
    WallNs m_time = 0;
    std::atomic<std::int64_t> m_step{0};
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

}  // namespace sweepscope::bench
