#include "engine/gpuwatch.h"

#include "device/foreignprocesses.h"
#include "schedule/memorydrain.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

constexpr std::chrono::seconds drainPatience{60};
/// What others noted may be old, or wrong: it keeps nobody from a GPU for ever.
constexpr std::chrono::minutes formerPatience{10};

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
    m_endSeen.insert(gpuId);
}

/// When it ended nobody knows: what was read before it was found free may be of a time before its memory was taken.
std::string GpuWatch::left(const std::string &gpuId, const schedule::FormerLease &former, Time now)
{
    const auto settled = m_settled.find(gpuId);
    const bool isSettled = settled != m_settled.end() && settled->second == former.mark;
    if (isSettled || (former.isOurs && m_endSeen.contains(gpuId)) || m_draining.contains(gpuId))
        return {};
    const std::optional<double> before =
        former.usedBefore ? std::optional(static_cast<double>(*former.usedBefore)) : std::nullopt;
    m_draining[gpuId] = {now, before, former};
    return "has not been read since " + former.holder + " had it";
}

void GpuWatch::settle(const std::string &gpuId)
{
    const auto drain = m_draining.find(gpuId);
    if (drain->second.former)
        m_settled[gpuId] = drain->second.former->mark;
    m_draining.erase(drain);
}

std::map<std::string, schedule::GpuState> GpuWatch::states(const std::vector<device::Device> &gpus,
                                                           const DeviceLook &look,
                                                           const std::function<bool(const std::string &)> &isHeld,
                                                           Time since, Time now)
{
    std::map<std::string, schedule::GpuState> states;
    for (const device::Device &gpu : gpus) {
        schedule::GpuState &state = states[gpu.id];
        const auto seen = look.gpus.find(gpu.id);
        if (const auto trouble = look.unusable.find(gpu.id); trouble != look.unusable.end())
            state.unusable = trouble->second;
        else if (seen == look.gpus.end() || seen->second.at < since)
            state.unusable = "has not been read yet";
        if (seen == look.gpus.end())
            continue;
        if (seen->second.usedBytes && seen->second.at >= since)
            state.usedBytes = static_cast<std::uint64_t>(std::max(0.0, *seen->second.usedBytes));
        lookForOthers(state, seen->second, isHeld(gpu.id));
        lookForDrain(state, gpu, seen->second, now);
    }
    return states;
}

void GpuWatch::lookForOthers(schedule::GpuState &state, const GpuLook &seen, bool isHeld) const
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

void GpuWatch::lookForDrain(schedule::GpuState &state, const device::Device &gpu, const GpuLook &seen, Time now)
{
    const auto found = m_draining.find(gpu.id);
    if (found == m_draining.end())
        return;
    Drain &drain = found->second;
    const double expected = schedule::drainedBelow(drain.before, bytesOfOthers(seen), gpu.memoryBytes);
    const bool isKnown = seen.at > drain.released;
    if (isKnown && (!seen.usedBytes || *seen.usedBytes <= expected))
        return settle(gpu.id);
    std::string used = seen.usedBytes ? device::inBytes(static_cast<std::uint64_t>(*seen.usedBytes)) : "";
    if (drain.former && drain.before)
        used += " (" + device::inBytes(static_cast<std::uint64_t>(*drain.before)) + " before)";
    const std::string last = drain.former ? drain.former->holder : "its last trial";
    const std::string end = drain.former ? last + " had it" : last + " ended";
    const std::string limit =
        drain.former ? "; after " + std::to_string(formerPatience.count()) + " min it is given all the same" : "";
    const auto passed = now - drain.released;
    state.drainsForLong = passed >= drainPatience;
    if (!isKnown || !seen.usedBytes) {
        state.draining = "has not been read since " + end;
        return;
    }
    if (!state.drainsForLong) {
        state.draining = "has not given back the memory of " + last + " yet: " + used + " are in use" + limit;
        return;
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
    const std::string still =
        "still has " + used + " of its memory in use, " + std::to_string(seconds) + " s after " + end;
    const std::string label = "GPU " + std::to_string(gpu.index) + " ";
    if (drain.former && passed >= formerPatience) {
        m_warnings.push_back(label + still + ": it is given all the same from now on");
        return settle(gpu.id);
    }
    state.draining = still + ": a process may be left on it (nvidia-smi), or it needs a reset" + limit;
    if (!std::exchange(drain.warned, true))
        m_warnings.push_back(label + state.draining);
}

std::vector<std::string> GpuWatch::takeWarnings()
{
    return std::exchange(m_warnings, {});
}

}  // namespace sweepscope::engine
