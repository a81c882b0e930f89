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

GpuWishes wishesOf(const sweep::DevicesSection &devices, bool ranksShare)
{
    return {devices.pin, devices.exclude, devices.perGpu, devices.memoryBytes, ranksShare, devices.foreign};
}

Fact behind(const SweepDemand &first, const SweepDemand &demand)
{
    return Fact(first.priority > demand.priority ? Code::BehindPriority : Code::BehindOlderSweep)
        .with(Field::Sweep, first.name);
}

}  // namespace

SweepDemand demandOf(const sweep::SweepSpec &spec, int ranks, const sweep::ParameterSet &parameters)
{
    SweepDemand demand;
    demand.name = spec.name;
    demand.devices = spec.devices;
    demand.ranks = ranks;
    demand.ranksShare = sweep::ranksMayShareGpu(spec);
    demand.threadsAsked = sweep::threadsAsked(spec, parameters);
    return demand;
}

Request requestOf(const SweepDemand &demand)
{
    const sweep::DevicesSection &devices = demand.devices;
    return {demand.ranks,
            devices.perRank,
            devices.kind,
            devices.cpuSlots,
            wishesOf(devices, demand.ranksShare),
            {demand.name, demand.nextTrial},
            {},
            devices.concurrent,
            {devices.coresPerRank, demand.threadsAsked, devices.affinity == sweep::CpuAffinity::Auto}};
}

Decision Scheduler::decide(const std::vector<SweepDemand> &demands)
{
    Decision decision;
    const SweepDemand *waitsForCores = nullptr;  ///< the first that does
    std::map<std::string, const SweepDemand *> waitsForGpu;
    for (const SweepDemand &demand : demands) {
        if (demand.nextTrial == 0)
            continue;
        const auto waits = [&](facts::Fact reason) {
            decision.waiting.push_back({demand.sweepId, demand.nextTrial, std::move(reason), {}});
        };
        if (demand.running >= demand.devices.concurrent) {
            waits(Fact(Code::ConcurrencyLimit).with(Field::Limit, demand.devices.concurrent));
            continue;
        }
        const bool gpus = wantsGpus(demand.devices);
        if (!gpus && waitsForCores != nullptr) {
            waits(behind(*waitsForCores, demand));
            continue;
        }
        Request request = requestOf(demand);
        for (const auto &[gpu, older] : waitsForGpu)
            request.reserved[gpu] = behind(*older, demand);
        const std::string holder = holderName(demand.sweepId, demand.nextTrial);
        auto devices = m_allocator.allocate(holder, request);
        if (devices) {
            decision.start = TrialStart{demand.sweepId, demand.nextTrial, holder, std::move(*devices)};
            return decision;
        }
        if (devices.error().code != ErrorCode::Unavailable) {
            decision.impossible = TrialReason{demand.sweepId, demand.nextTrial, devices.error().reason, {}};
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
                      const sweep::DevicesSection &devices, const std::vector<std::vector<int>> &cpus)
{
    m_allocator.adopt(holderName(sweepId, trial), deviceIds, wishesOf(devices, false), cpus);
}

void Scheduler::release(std::int64_t sweepId, int trial)
{
    m_allocator.release(holderName(sweepId, trial));
}

std::vector<int> Scheduler::leasesOf(std::int64_t sweepId, int trial) const
{
    return m_allocator.leasesOf(holderName(sweepId, trial));
}

void Scheduler::handOver(std::int64_t sweepId, int trial, pid_t agent)
{
    m_allocator.handOver(holderName(sweepId, trial), agent);
}

bool Scheduler::wantsGpus(const sweep::DevicesSection &devices) const
{
    if (devices.kind != sweep::DeviceKind::Auto)
        return devices.kind == sweep::DeviceKind::Gpu;
    return m_allocator.hasGpus();
}

}  // namespace sweepscope::schedule
