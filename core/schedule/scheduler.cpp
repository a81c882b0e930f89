#include "schedule/scheduler.h"

#include "sweep/launchpreparation.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace sweepscope::schedule {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

Fact behind(const SweepDemand &first, const SweepDemand &demand)
{
    return Fact(first.priority > demand.priority ? Code::BehindPriority : Code::BehindOlderSweep)
        .with(Field::Sweep, first.next.trial.sweep);
}

}  // namespace

GpuWishes wishesOf(const sweep::SweepSpec &spec)
{
    const sweep::DevicesSection &devices = spec.devices;
    return {devices.pin,    devices.exclude, devices.perGpu, devices.memoryBytes, sweep::ranksMayShareGpu(spec),
            devices.foreign};
}

Request requestOf(const sweep::SweepSpec &spec, int trial, int ranks, const sweep::ParameterSet &parameters)
{
    const sweep::DevicesSection &devices = spec.devices;
    return {ranks,
            devices.perRank,
            devices.kind,
            devices.cpuSlots,
            wishesOf(spec),
            {spec.name, trial},
            {},
            devices.concurrent,
            {devices.coresPerRank, sweep::requestedThreads(spec, parameters),
             devices.affinity == sweep::CpuAffinity::Auto}};
}

Decision Scheduler::decide(const std::vector<SweepDemand> &demands)
{
    Decision decision;
    const SweepDemand *waitsForCores = nullptr;  ///< the first that waits
    std::map<std::string, const SweepDemand *> waitsForGpu;
    for (const SweepDemand &demand : demands) {
        Request request = demand.next;
        const int trial = request.trial.number;
        if (trial == 0)
            continue;
        const auto waits = [&](facts::Fact reason) {
            decision.waiting.push_back({demand.sweepId, trial, std::move(reason), {}});
        };
        if (demand.running >= request.concurrent) {
            waits(Fact(Code::ConcurrencyLimit).with(Field::Limit, request.concurrent));
            continue;
        }
        const bool gpus = wantsGpus(request.kind);
        if (!gpus && waitsForCores != nullptr) {
            waits(behind(*waitsForCores, demand));
            continue;
        }
        for (const auto &[gpu, older] : waitsForGpu)
            request.reserved[gpu] = behind(*older, demand);
        const std::string holder = holderName(demand.sweepId, trial);
        auto devices = m_allocator.allocate(holder, request);
        if (devices) {
            decision.start = TrialStart{demand.sweepId, trial, holder, std::move(*devices)};
            return decision;
        }
        if (devices.error().code != ErrorCode::Unavailable) {
            decision.impossible = TrialReason{demand.sweepId, trial, devices.error().reason, {}};
            return decision;
        }
        waits(devices.error().reason);
        decision.waiting.back().obstacles = devices.error().obstacles;
        if (!gpus) {
            waitsForCores = &demand;
            continue;
        }
        if (devices.error().endsWithOurs) {
            for (const std::string &gpu : m_allocator.gpusFor(request))
                waitsForGpu.emplace(gpu, &demand);
        }
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

void Scheduler::adopt(std::int64_t sweepId, int trial, const std::vector<std::string> &deviceIds,
                      const GpuWishes &wishes, const std::vector<std::vector<int>> &cpus)
{
    m_allocator.adopt(holderName(sweepId, trial), deviceIds, wishes, cpus);
}

void Scheduler::release(std::int64_t sweepId, int trial)
{
    m_allocator.release(holderName(sweepId, trial));
}

std::vector<int> Scheduler::leasesOf(std::int64_t sweepId, int trial) const
{
    return m_allocator.leasesOf(holderName(sweepId, trial));
}

void Scheduler::transferLeases(std::int64_t sweepId, int trial, pid_t agent)
{
    m_allocator.transferLeases(holderName(sweepId, trial), agent);
}

bool Scheduler::wantsGpus(sweep::DeviceKind kind) const
{
    return kind == sweep::DeviceKind::Gpu || (kind == sweep::DeviceKind::Auto && m_allocator.hasGpus());
}

}  // namespace sweepscope::schedule
