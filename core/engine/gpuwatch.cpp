#include "engine/gpuwatch.h"

#include "device/foreignprocesses.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

constexpr std::chrono::seconds drainPatience{60};
/// More than what a driver keeps of a process for a while, less than what a training takes.
constexpr double drainSlackBytes = 512.0 * 1024 * 1024;
constexpr double drainSlackShare = 0.05;
/// Where nobody has seen how much was in use before.
constexpr double looseSlackBytes = 1024.0 * 1024 * 1024;

}  // namespace

void GpuWatch::given(const std::string &gpuId, const DeviceLook &look)
{
    const auto seen = look.gpus.find(gpuId);
    m_before[gpuId] = seen != look.gpus.end() ? seen->second.usedBytes : std::nullopt;
    m_draining.erase(gpuId);
}

void GpuWatch::released(const std::string &gpuId, Time now)
{
    const auto before = m_before.find(gpuId);
    m_draining[gpuId] = {now, before != m_before.end() ? before->second : std::nullopt};
    m_before.erase(gpuId);
}

std::map<std::string, device::GpuState> GpuWatch::states(const std::vector<device::Device> &gpus,
                                                         const DeviceLook &look,
                                                         const std::function<bool(const std::string &)> &isHeld,
                                                         Time since, Time now)
{
    std::map<std::string, device::GpuState> states;
    for (const device::Device &gpu : gpus) {
        device::GpuState &state = states[gpu.id];
        const auto seen = look.gpus.find(gpu.id);
        if (const auto trouble = look.unusable.find(gpu.id); trouble != look.unusable.end())
            state.unusable = trouble->second;
        else if (seen == look.gpus.end() || seen->second.at < since)
            state.unusable = "has not been read yet";
        if (seen == look.gpus.end())
            continue;
        lookForOthers(state, seen->second, isHeld(gpu.id));
        lookForDrain(state, gpu, seen->second, now);
    }
    return states;
}

void GpuWatch::lookForOthers(device::GpuState &state, const GpuLook &seen, bool isHeld) const
{
    const device::ForeignUse use = device::foreignUse(seen.processes, [&](const device::DeviceProcess &process) {
        // Seen from a container, our own have numbers that we do not know: of a GPU that is ours they are taken for
        // ours.
        return process.user ? m_isOurs(process.pid) || !m_isAlive(process.pid) : isHeld;
    });
    state.foreign = use.words;
    state.foreignBytes = use.bytes;
}

/// Desktops too.
double GpuWatch::bytesOfOthers(const GpuLook &seen) const
{
    double bytes = 0;
    for (const device::DeviceProcess &process : seen.processes) {
        if (!process.user || (m_isAlive(process.pid) && !m_isOurs(process.pid)))
            bytes += static_cast<double>(process.memoryBytes.value_or(0));
    }
    return bytes;
}

void GpuWatch::lookForDrain(device::GpuState &state, const device::Device &gpu, const GpuLook &seen, Time now)
{
    const auto found = m_draining.find(gpu.id);
    if (found == m_draining.end())
        return;
    Drain &drain = found->second;
    const double share = drainSlackShare * static_cast<double>(gpu.memoryBytes);
    const double slack = drain.before ? std::min(drainSlackBytes, share) : std::max(looseSlackBytes, share);
    const double expected = std::max(drain.before.value_or(0), bytesOfOthers(seen)) + slack;
    const bool isKnown = seen.at > drain.released;
    if (isKnown && (!seen.usedBytes || *seen.usedBytes <= expected)) {
        m_draining.erase(found);
        return;
    }
    const std::string used = seen.usedBytes ? device::inBytes(static_cast<std::uint64_t>(*seen.usedBytes)) : "";
    state.draining = !isKnown || used.empty()
                         ? "has not been read since its last trial ended"
                         : "has not given back the memory of its last trial yet: " + used + " are in use";
    state.drainsForLong = now - drain.released >= drainPatience;
    if (!state.drainsForLong || !isKnown)
        return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - drain.released).count();
    state.draining = "still has " + used + " of its memory in use, " + std::to_string(seconds)
                     + " s after its last trial ended: a process may be left on it (nvidia-smi), or it needs a reset";
    if (!std::exchange(drain.warned, true))
        m_warnings.push_back("GPU " + std::to_string(gpu.index) + " " + state.draining);
}

std::vector<std::string> GpuWatch::takeWarnings()
{
    return std::exchange(m_warnings, {});
}

}  // namespace sweepscope::engine
