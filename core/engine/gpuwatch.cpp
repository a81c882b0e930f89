#include "engine/gpuwatch.h"

#include "device/foreignprocesses.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

constexpr std::chrono::seconds drainPatience{60};

/// More than a driver temporarily keeps of a process, less than a training uses.
constexpr double slackBytes = 512.0 * 1024 * 1024;
constexpr double slackShare = 0.05;
/// Used if the memory in use before the trial is unknown.
constexpr double looseSlackBytes = 1024.0 * 1024 * 1024;

/// Returns the bytes in use below which the memory of a GPU counts as free again after its last trial: what was in use
/// before the trial, or what others use now, plus a slack, because a driver temporarily keeps memory of a process.
/// `before`: nullopt if unknown. `memoryBytes`: of the GPU; 0: unknown.
double drainedBelow(std::optional<double> before, double others, std::uint64_t memoryBytes)
{
    const double share = slackShare * static_cast<double>(memoryBytes);
    const double tight = memoryBytes > 0 ? std::min(slackBytes, share) : slackBytes;
    const double slack = before ? tight : std::max(looseSlackBytes, share);
    return std::max(before.value_or(0), others) + slack;
}

}  // namespace

void GpuWatch::assigned(const std::string &gpuId, const node::DeviceSnapshot &snapshot)
{
    const auto seen = snapshot.gpus.find(gpuId);
    m_before[gpuId] = seen != snapshot.gpus.end() ? seen->second.usedBytes : std::nullopt;
    m_draining.erase(gpuId);
}

void GpuWatch::released(const std::string &gpuId, Time now)
{
    const auto before = m_before.find(gpuId);
    m_draining[gpuId] = {now, before != m_before.end() ? before->second : std::nullopt};
    m_before.erase(gpuId);
}

std::map<std::string, schedule::GpuState> GpuWatch::states(const std::vector<device::Device> &gpus,
                                                           const node::DeviceSnapshot &snapshot,
                                                           const std::function<bool(const std::string &)> &isHeld,
                                                           Time since, Time now)
{
    std::map<std::string, schedule::GpuState> states;
    for (const device::Device &gpu : gpus) {
        schedule::GpuState &state = states[gpu.id];
        const auto seen = snapshot.gpus.find(gpu.id);
        if (const auto trouble = snapshot.unusable.find(gpu.id); trouble != snapshot.unusable.end())
            state.unusable = trouble->second;
        else if (seen == snapshot.gpus.end() || seen->second.at < since)
            state.unusable = Code::GpuNotRead;
        if (seen == snapshot.gpus.end())
            continue;
        findForeignUse(state, seen->second, isHeld(gpu.id));
        updateDrain(state, gpu, seen->second, now);
    }
    return states;
}

void GpuWatch::findForeignUse(schedule::GpuState &state, const node::GpuSnapshot &seen, bool isHeld) const
{
    const device::ForeignUse use = device::foreignUse(seen.processes, [&](const device::DeviceProcess &process) {
        // In a container, our own processes have unknown pids: on a GPU that is ours, such processes are taken for
        // ours.
        return process.user ? m_isOurs(process.pid) || !m_isAlive(process.pid) : isHeld;
    });
    state.foreign = schedule::usedBy(use);
    state.foreignBytes = use.bytes;
}

/// Includes desktops.
double GpuWatch::bytesOfOthers(const node::GpuSnapshot &seen) const
{
    double bytes = 0;
    for (const device::DeviceProcess &process : seen.processes) {
        if (!process.user || (m_isAlive(process.pid) && !m_isOurs(process.pid)))
            bytes += static_cast<double>(process.memoryBytes.value_or(0));
    }
    return bytes;
}

void GpuWatch::updateDrain(schedule::GpuState &state, const device::Device &gpu, const node::GpuSnapshot &seen,
                           Time now)
{
    const auto found = m_draining.find(gpu.id);
    if (found == m_draining.end())
        return;
    Drain &drain = found->second;
    const double expected = drainedBelow(drain.before, bytesOfOthers(seen), gpu.memoryBytes);
    const bool isKnown = seen.at > drain.released;
    if (isKnown && (!seen.usedBytes || *seen.usedBytes <= expected)) {
        m_draining.erase(found);
        return;
    }
    const auto passed = now - drain.released;
    state.drainsForLong = passed >= drainPatience;
    if (!isKnown || !seen.usedBytes) {
        state.draining = Code::GpuDraining;
        return;
    }
    state.draining = Fact(Code::GpuDraining).with(Field::Bytes, static_cast<std::int64_t>(*seen.usedBytes));
    if (!state.drainsForLong)
        return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
    state.draining = std::move(state.draining).with(Field::Seconds, seconds);
    if (!std::exchange(drain.warned, true))
        m_warnings.push_back(schedule::ofGpu(state.draining, gpu));
}

facts::Facts GpuWatch::takeWarnings()
{
    return std::exchange(m_warnings, {});
}

}  // namespace sweepscope::engine
