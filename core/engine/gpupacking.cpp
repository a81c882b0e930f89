#include "engine/gpupacking.h"

#include <algorithm>

namespace sweepscope::engine {

using facts::Code;
using facts::Fact;

GpuPacking::GpuPacking(const std::vector<sweep::HistoryEntry> &history)
{
    for (const sweep::HistoryEntry &entry : history) {
        if (entry.reason.code == Code::SharingMeasured)
            m_ended.add(schedule::sampleOf(entry.reason));
        else if (entry.reason.code == Code::RerunAlone)
            m_alone.insert(entry.trial);
    }
}

/// Of ended and running attempts; 0: too little is known to share.
std::uint64_t GpuPacking::peakBytes() const
{
    std::uint64_t peak = m_ended.peakBytes();
    bool isKnown = peak > 0;
    for (const auto &[trial, meter] : m_meters) {
        isKnown = isKnown || meter.isSettled();
        peak = std::max(peak, meter.peakBytes());
    }
    return isKnown ? peak : 0;
}

schedule::GpuWishes GpuPacking::wishesFor(int trial, const schedule::GpuWishes &wishes) const
{
    const std::uint64_t peak = peakBytes();
    const bool shares = peak > 0 && !verdict() && !m_alone.contains(trial);
    return shares ? schedule::packedWishes(wishes, peak) : schedule::unpackedWishes(wishes);
}

Fact GpuPacking::whyAlone(int trial) const
{
    if (m_alone.contains(trial))
        return {};
    return peakBytes() == 0 ? Fact(Code::AloneToMeasure) : verdict();
}

bool GpuPacking::mayRerunAlone(int trial) const
{
    const auto meter = m_meters.find(trial);
    return meter != m_meters.end() && meter->second.hasShared() && !m_alone.contains(trial);
}

/// An attempt that failed at once has not used its memory yet.
Fact GpuPacking::measuredBy(int trial, bool isCompleted) const
{
    const auto meter = m_meters.find(trial);
    if (meter == m_meters.end() || meter->second.peakBytes() == 0 || !(isCompleted || meter->second.hasTrained()))
        return {};
    return schedule::factOf(meter->second.sample());
}

void GpuPacking::end(int trial, const Fact &measured, bool runsAlone)
{
    m_meters.erase(trial);
    if (measured)
        m_ended.add(schedule::sampleOf(measured));
    if (runsAlone)
        m_alone.insert(trial);
}

std::optional<std::uint64_t> memoryPerRank(const node::GpuSnapshot &seen, int ranks,
                                           const std::function<bool(pid_t)> &isOfAttempt, bool isAlone)
{
    std::uint64_t own = 0;
    bool isTold = false;  // by process
    for (const device::DeviceProcess &process : seen.processes) {
        if (!process.user || !process.memoryBytes)
            continue;  // in a container its pid may mean another process
        isTold = true;
        own += isOfAttempt(process.pid) ? *process.memoryBytes : 0;
    }
    if (!isTold && isAlone && seen.usedBytes)
        own = static_cast<std::uint64_t>(std::max(0.0, *seen.usedBytes));
    return own > 0 && ranks > 0 ? std::optional(own / static_cast<std::uint64_t>(ranks)) : std::nullopt;
}

}  // namespace sweepscope::engine
