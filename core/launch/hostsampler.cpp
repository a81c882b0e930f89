#include "launch/hostsampler.h"

#include "base/clock.h"
#include "launch/agentmessage.h"

#include <ctime>
#include <string>
#include <utility>

namespace sweepscope::launch {

namespace {

/// For durations: the wall clock may be set while a trial runs.
std::int64_t steadyNs()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

HostSampler::HostSampler(const LaunchSpec &spec, const AttemptLayout &layout)
    : m_path(layout.hostFeed()), m_preamble{-1, spec.worldSize(), wallNow(), spec.attemptId}
{}

void HostSampler::add(const RankProcess &rank)
{
    m_ranks.push_back({rank.rank, process::ProcessUsage(rank.identity.pid)});
}

std::optional<double> HostSampler::cpuPercent(int rank) const
{
    for (const Watched &watched : m_ranks) {
        if (watched.rank == rank)
            return watched.cpuPercent;
    }
    return std::nullopt;
}

/// Not at the start: most ranks that end immediately have nothing to sample.
bool HostSampler::open()
{
    if (m_log || m_cannotOpen)
        return m_log.has_value();
    auto log = feed::LogWriter::open(m_path, m_preamble);
    if (log)
        m_log = std::move(*log);
    else
        logWarning("CPU and memory of the ranks are not recorded: " + log.error().message);
    m_cannotOpen = !m_log;
    return m_log.has_value();
}

void HostSampler::write(Watched &rank, const process::ProcessUsage::Sample &usage, WallNs time)
{
    if (!rank.series) {
        const std::string prefix = "rank" + std::to_string(rank.rank);
        rank.series = Series{m_log->declare(prefix + ".cpu", "%"), m_log->declare(prefix + ".memory", "B"),
                             m_log->declare(prefix + ".read", "B/s"), m_log->declare(prefix + ".write", "B/s")};
    }
    m_log->write(rank.series->cpu, m_step, time, usage.cpuPercent);
    m_log->write(rank.series->memory, m_step, time, static_cast<double>(usage.residentBytes));
    if (usage.readBytesPerSecond)
        m_log->write(rank.series->read, m_step, time, *usage.readBytesPerSecond);
    if (usage.writtenBytesPerSecond)
        m_log->write(rank.series->write, m_step, time, *usage.writtenBytesPerSecond);
}

void HostSampler::sample(const std::vector<process::ProcessStat> &processes)
{
    const std::int64_t now = steadyNs();
    const WallNs time = wallNow();
    for (Watched &rank : m_ranks) {
        const auto usage = rank.usage.sample(now, processes);
        if (!usage)
            continue;
        rank.cpuPercent = usage->cpuPercent;
        if (open())
            write(rank, *usage, time);
    }
    ++m_step;
    if (!m_log)
        return;
    // Data that a full disk rejects stays in the log writer until the next sample.
    const auto flushed = m_log->flush();
    if (!flushed && !m_warned)
        logWarning("CPU and memory of the ranks: " + flushed.error().message);
    m_warned = !flushed;
}

}  // namespace sweepscope::launch
