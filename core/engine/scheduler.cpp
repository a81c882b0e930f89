#include "engine/scheduler.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sweepscope::engine {

namespace {

std::string atItsLimit(int concurrent)
{
    return concurrent == 1
               ? "waits: one trial of this sweep runs at a time (devices.concurrent)"
               : "waits: " + std::to_string(concurrent) + " trials of this sweep run at a time (devices.concurrent)";
}

}  // namespace

Decision Scheduler::decide(const std::vector<SweepDemand> &demands)
{
    Decision decision;
    // By kind of device, CPU and GPU: the oldest sweep that waits for some.
    std::array<const SweepDemand *, 2> waitsForDevices{};
    for (const SweepDemand &demand : demands) {
        if (demand.nextTrial == 0)
            continue;
        const auto waits = [&](std::string reason) {
            decision.waiting.push_back({demand.sweepId, demand.nextTrial, std::move(reason)});
        };
        if (demand.running >= demand.devices.concurrent) {
            waits(atItsLimit(demand.devices.concurrent));
            continue;
        }
        const SweepDemand *&older = waitsForDevices[wantsGpus(demand.devices) ? 1 : 0];
        if (older != nullptr) {
            waits("waits behind the sweep " + older->name + ", which waits for devices and "
                  + (older->priority > demand.priority ? "has a higher priority" : "is older"));
            continue;
        }
        const std::string holder = holderName(demand.sweepId, demand.nextTrial);
        Expected<device::Allocation> devices = m_allocator.allocate(
            holder, {demand.ranks, demand.devices.perRank, demand.devices.kind, demand.devices.cpuSlots});
        if (devices) {
            decision.start = TrialStart{demand.sweepId, demand.nextTrial, holder, std::move(*devices)};
            return decision;
        }
        if (devices.error().code != ErrorCode::Unavailable) {
            decision.impossible = TrialReason{demand.sweepId, demand.nextTrial, devices.error().message};
            return decision;
        }
        waits(devices.error().message);
        older = &demand;
    }
    return decision;
}

std::string Scheduler::holderName(std::int64_t sweepId, int trial)
{
    return std::to_string(sweepId) + "/" + std::to_string(trial);
}

std::optional<Scheduler::Holder> Scheduler::parseHolder(const std::string &name)
{
    Holder holder;
    const char *const end = name.data() + name.size();
    const auto id = std::from_chars(name.data(), end, holder.sweepId);
    if (id.ec != std::errc() || id.ptr == end || *id.ptr != '/')
        return std::nullopt;
    const auto trial = std::from_chars(id.ptr + 1, end, holder.trial);
    if (trial.ec != std::errc() || trial.ptr != end)
        return std::nullopt;
    return holder;
}

void Scheduler::adopt(std::int64_t sweepId, int trial, const std::vector<std::string> &deviceIds)
{
    m_allocator.adopt(holderName(sweepId, trial), deviceIds);
}

void Scheduler::release(std::int64_t sweepId, int trial)
{
    m_allocator.release(holderName(sweepId, trial));
}

bool Scheduler::wantsGpus(const sweep::DevicesSection &devices) const
{
    if (devices.kind != sweep::DeviceKind::Auto)
        return devices.kind == sweep::DeviceKind::Gpu;
    return std::any_of(m_allocator.devices().begin(), m_allocator.devices().end(),
                       [](const device::Device &device) { return device.kind == device::Kind::Gpu; });
}

}  // namespace sweepscope::engine
