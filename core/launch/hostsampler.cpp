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
{
    auto log = feed::LogWriter::open(layout.hostFeed(), {-1, spec.ranks, wallNow(), spec.attemptId});
    if (log)
        m_log = std::move(*log);
    else
        say("CPU and memory of the ranks are not recorded: " + log.error().message);
}

void HostSampler::add(const RankProcess &rank)
{
    if (!m_log)
        return;
    const std::string prefix = "rank" + std::to_string(rank.rank);
    m_ranks.push_back({rank.rank, device::ProcessUsage(rank.identity.pid), m_log->declare(prefix + ".cpu", "%"),
                       m_log->declare(prefix + ".memory", "B"), m_log->declare(prefix + ".read", "B/s"),
                       m_log->declare(prefix + ".write", "B/s")});
}

std::optional<double> HostSampler::cpuPercent(int rank) const
{
    for (const Watched &watched : m_ranks) {
        if (watched.rank == rank)
            return watched.cpuPercent;
    }
    return std::nullopt;
}

void HostSampler::sample(const std::vector<device::ProcessStat> &processes)
{
    if (!m_log)
        return;
    const std::int64_t now = steadyNs();
    const WallNs time = wallNow();
    for (Watched &rank : m_ranks) {
        if (const auto sample = rank.usage.sample(now, processes)) {
            rank.cpuPercent = sample->cpuPercent;
            m_log->write(rank.cpu, m_step, time, sample->cpuPercent);
            m_log->write(rank.memory, m_step, time, static_cast<double>(sample->residentBytes));
            if (sample->readBytesPerSecond)
                m_log->write(rank.read, m_step, time, *sample->readBytesPerSecond);
            if (sample->writtenBytesPerSecond)
                m_log->write(rank.write, m_step, time, *sample->writtenBytesPerSecond);
        }
    }
    ++m_step;
    // What a full disk does not take waits in the log writer, and is tried again with the next sample.
    const auto flushed = m_log->flush();
    if (!flushed && !m_told)
        say("CPU and memory of the ranks: " + flushed.error().message);
    m_told = !flushed;
}

}  // namespace sweepscope::launch
