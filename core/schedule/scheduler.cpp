#include "schedule/scheduler.h"

#include "schedule/packing.h"
#include "sweep/deviceplace.h"
#include "sweep/launchpreparation.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace sweepscope::schedule {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// A search that learns chooses a point when its job is submitted: more of them would be chosen without results.
constexpr int mostWaitingJobsOfSearch = 4;

Fact behind(const SweepDemand &first, const SweepDemand &demand)
{
    return Fact(first.priority > demand.priority ? Code::BehindPriority : Code::BehindOlderSweep)
        .with(Field::Sweep, first.next.trial.sweep);
}

/// As sweep files call it.
std::string nameOf(const std::string &machine)
{
    return machine.empty() ? sweep::thisMachine : machine;
}

/// A trial that can run on one of them waits for that one; what the others lack is of no interest then.
Refusal ofAll(std::vector<std::pair<std::string, Refusal>> refusals)
{
    const auto waits = [](const auto &refusal) { return refusal.second.code == ErrorCode::Unavailable; };
    if (std::ranges::any_of(refusals, waits))
        std::erase_if(refusals, [&](const auto &refusal) { return !waits(refusal); });
    const auto isHere = [](const std::string &machine) { return machine.empty() || machine == sweep::thisMachine; };
    if (refusals.size() == 1 && isHere(refusals.front().first))
        return std::move(refusals.front().second);
    Refusal whole{ErrorCode::BadInput, Fact(Code::MachinesImpossible)};
    for (auto &[machine, refusal] : refusals) {
        if (waits(std::pair(machine, refusal)))
            whole.code = ErrorCode::Unavailable;
        whole.reason.because.push_back(
            Fact(Code::OnMachine).with(Field::Machine, nameOf(machine)).dueTo(std::move(refusal.reason)));
        whole.obstacles.insert(refusal.obstacles.begin(), refusal.obstacles.end());
    }
    if (whole.code == ErrorCode::Unavailable)
        whole.reason.code = Code::WaitingForMachines;
    return whole;
}

}  // namespace

GpuWishes wishesOf(const sweep::SweepSpec &spec)
{
    const sweep::DevicesSection &devices = spec.devices;
    const bool isPacked = devices.perGpu == 0;  // and shares once its memory is measured
    return {devices.pin,
            devices.exclude,
            isPacked ? 1 : devices.perGpu,
            devices.memoryBytes,
            sweep::ranksMayShareGpu(spec),
            devices.foreign,
            isPacked};
}

bool mayPack(const sweep::SweepSpec &spec, const std::vector<device::Device> &devices)
{
    const GpuWishes wishes = wishesOf(spec);
    return wishes.isPacked && spec.devices.kind != sweep::DeviceKind::Cpu
           && std::ranges::any_of(devices, [&](const device::Device &device) {
                  return device.kind == device::Kind::Gpu && mayHave(wishes, device);
              });
}

Request requestOf(const sweep::SweepSpec &spec, int trial, int ranks, const sweep::ParameterSet &parameters)
{
    const sweep::DevicesSection &devices = spec.devices;
    return {
        ranks,
        devices.perRank,
        devices.kind,
        devices.cpuSlots,
        wishesOf(spec),
        {spec.name, trial},
        {},
        devices.concurrent,
        {devices.coresPerRank, sweep::requestedThreads(spec, parameters), devices.affinity == sweep::CpuAffinity::Auto},
        devices.machines,
        {},
        devices.nodes};
}

JobSize jobSizeOf(const Request &request, bool hasGpus)
{
    const bool gpus = request.kind == sweep::DeviceKind::Gpu || (request.kind == sweep::DeviceKind::Auto && hasGpus);
    const int nodes = std::max(1, request.nodes);
    const std::int64_t cores = std::int64_t{request.ranks} * std::max(1, request.cpu.coresPerRank);
    return {nodes, gpus ? static_cast<int>(request.needed() / nodes) : 0, static_cast<int>(cores / nodes)};
}

/// Machines that a trial may use: only the one that has its checkpoint, if there is one.
std::vector<Scheduler::Place> Scheduler::placesFor(const Request &request)
{
    std::vector<std::string> names = request.machines;
    if (!request.home.empty() && request.nodes == 1)
        names = {request.home};
    std::vector<Place> places;
    const auto clusterHere = m_machines.find(sweep::thisMachine);
    const auto addHere = [&] {
        if (clusterHere == m_machines.end())
            places.push_back({{}, &m_allocator, nullptr});
        else
            places.push_back({clusterHere->first, &clusterHere->second.allocator, &clusterHere->second});
    };
    if (names.empty())
        addHere();
    for (const std::string &name : names) {
        const auto machine = m_machines.find(name);
        if (name == sweep::thisMachine) {
            addHere();
        } else if (name == sweep::allMachines) {
            addHere();
            for (auto &[other, known] : m_machines) {
                if (other != sweep::thisMachine)
                    places.push_back({other, &known.allocator, &known});
            }
        } else if (machine != m_machines.end()) {
            places.push_back({name, &machine->second.allocator, &machine->second});
        } else {
            places.push_back({name, nullptr, nullptr});
        }
    }
    if (request.nodes == 1)
        return places;
    // Each machine once, and this one first: the others know an address of it, which it does not have for itself.
    std::ranges::stable_sort(places, {}, [](const Place &place) { return !place.name.empty(); });
    std::set<std::string> known;
    std::erase_if(places, [&](const Place &place) { return !known.insert(place.name).second; });
    if (!request.home.empty()) {
        // Rank 0 has to be at home, so this machine takes part if it is that, or not at all.
        std::erase_if(places,
                      [&](const Place &place) { return place.name.empty() && request.home != sweep::thisMachine; });
        std::ranges::stable_sort(places, {}, [&](const Place &place) { return nameOf(place.name) != request.home; });
    }
    return places;
}

bool Scheduler::Place::hasGpus() const
{
    if (machine != nullptr && machine->cluster)
        return machine->cluster->hasGpus;
    return allocator != nullptr && allocator->hasGpus();
}

/// Jobs queue in Slurm, which orders and places them. Few of ours wait there, so that priorities and searches still matter.
tl::expected<Allocation, Refusal> Scheduler::allocateJob(const Place &place, const SweepDemand &demand,
                                                         const Request &request, int waitingJobs)
{
    Machine &machine = *place.machine;
    if (machine.concurrent > 0 && machine.allocator.holderCount() >= machine.concurrent)
        return refuse(ErrorCode::Unavailable, Fact(Code::MachineFull).with(Field::Limit, machine.concurrent));
    const auto own = demand.waitingJobs.find(place.name);
    const int ownJobs = own != demand.waitingJobs.end() ? own->second : 0;
    const int most = machine.cluster->waitingJobs;
    if (waitingJobs >= most)
        return refuse(ErrorCode::Unavailable, Fact(Code::JobsWaiting).with(Field::Limit, most));
    if (demand.learns && ownJobs >= std::min(most, mostWaitingJobsOfSearch))
        return refuse(ErrorCode::Unavailable,
                      Fact(Code::JobsWaiting).with(Field::Limit, std::min(most, mostWaitingJobsOfSearch)));
    Allocation job;
    job.machine = place.name;
    int device = 0;
    for (int rank = 0; rank < request.ranks; ++rank) {
        std::vector<std::string> &ids = job.perRank.emplace_back();
        for (int i = 0; i < request.perRank; ++i)
            ids.push_back(sweep::jobDevice(device++, place.name));
    }
    job.cpu.cpus.resize(job.perRank.size());
    job.cpu.threads = std::max(1, request.cpu.coresPerRank);
    job.ofJob = jobSizeOf(request, machine.cluster->hasGpus);
    machine.allocator.adopt(holderName(demand.sweepId, request.trial.number), job.all());
    return job;
}

tl::expected<Allocation, Refusal> Scheduler::allocateOn(const Place &place, const SweepDemand &demand, Request &request,
                                                        Reserved &reserved)
{
    if (place.allocator == nullptr)
        return refuse(ErrorCode::Unavailable, Fact(Code::MachineUnknown).with(Field::Machine, place.name));
    if (place.machine != nullptr && place.machine->unavailable)
        return refuse(ErrorCode::Unavailable, place.machine->unavailable);
    if (place.machine != nullptr && place.machine->cluster)
        return allocateJob(place, demand, request, m_waitingJobs[place.name]);
    const bool gpus = request.kind == sweep::DeviceKind::Gpu;
    const auto waitsForCores = reserved.cores.find(place.name);
    if (!gpus && waitsForCores != reserved.cores.end())
        return refuse(ErrorCode::Unavailable, behind(*waitsForCores->second, demand));
    const int most = place.machine != nullptr ? place.machine->concurrent : 0;
    if (most > 0 && place.allocator->holderCount() >= most) {
        reserved.cores.emplace(place.name, &demand);
        return refuse(ErrorCode::Unavailable, Fact(Code::MachineFull).with(Field::Limit, most));
    }
    if (place.machine != nullptr || request.nodes > 1)
        request.cpu.bind = false;  // which CPUs share a core elsewhere is not known
    if ((place.machine != nullptr || request.nodes > 1) && request.gpus.isPacked)
        request.gpus = unpackedWishes(request.gpus);  // memory is measured here
    for (const auto &[gpu, older] : reserved.gpus)
        request.reserved[gpu] = behind(*older, demand);
    auto devices = place.allocator->allocate(holderName(demand.sweepId, request.trial.number), request);
    if (devices) {
        devices->machine = place.name;
        return devices;
    }
    if (devices.error().code != ErrorCode::Unavailable)
        return devices;
    if (!gpus)
        reserved.cores.emplace(place.name, &demand);
    else if (devices.error().endsWithOurs) {
        for (const std::string &gpu : place.allocator->gpusFor(request))
            reserved.gpus.emplace(gpu, &demand);
    }
    return devices;
}

/// The names of GPUs on these machines, each once; one empty name where none matters.
std::vector<std::string> Scheduler::gpuNames(const std::vector<Place> &places, const Request &request)
{
    std::vector<std::string> names;
    for (const Place &place : places) {
        if (place.allocator == nullptr || request.kind != sweep::DeviceKind::Gpu || !request.gpus.pin.empty())
            continue;
        for (const device::Device &device : place.allocator->devices()) {
            if (device.kind == device::Kind::Gpu && std::ranges::find(names, device.name) == names.end())
                names.push_back(device.name);
        }
    }
    return names.size() > 1 ? names : std::vector<std::string>{""};
}

/// The same number of ranks on each of several machines, on GPUs of one model, or on nodes of one cluster.
tl::expected<Allocation, Refusal> Scheduler::allocateOnSeveral(std::vector<Place> places, const SweepDemand &demand,
                                                               const Request &whole, const Reserved &reserved,
                                                               Reserved &next)
{
    if (whole.ranks % whole.nodes != 0)
        return refuse(ErrorCode::BadInput,
                      Fact(Code::RanksNotDivisible).with(Field::Count, whole.ranks).with(Field::Limit, whole.nodes));
    const auto ofClusters = std::stable_partition(places.begin(), places.end(), [](const Place &place) {
        return place.machine == nullptr || !place.machine->cluster;
    });
    const std::vector<Place> clusters(ofClusters, places.end());
    places.erase(ofClusters, places.end());
    if (!clusters.empty()) {
        auto job = allocateOnOne(clusters, demand, whole, reserved, next);
        if (job || static_cast<int>(places.size()) < whole.nodes)
            return job;
    }
    if (static_cast<int>(places.size()) < whole.nodes)
        return refuse(ErrorCode::BadInput, Fact(Code::TooFewMachines)
                                               .with(Field::Count, static_cast<int>(places.size()))
                                               .with(Field::Limit, whole.nodes));
    const std::string holder = holderName(demand.sweepId, whole.trial.number);
    const auto reachable = std::ranges::count_if(places, [](const Place &place) {
        return place.allocator != nullptr && (place.machine == nullptr || !place.machine->unavailable);
    });
    std::vector<std::pair<std::string, Refusal>> refusals;
    int found = 0;
    for (const std::string &gpu : gpuNames(places, whole)) {
        Allocation all;
        refusals.clear();
        Reserved seenByAll;
        for (const Place &place : places) {
            Request request = whole;
            request.ranks = whole.ranks / whole.nodes;
            if (!gpu.empty())
                request.gpus.pin = {gpu};
            Reserved seen = reserved;
            auto devices = allocateOn(place, demand, request, seen);
            if (!devices) {
                seenByAll.add(seen);
                refusals.emplace_back(place.name, std::move(devices.error()));
                if (nameOf(place.name) == whole.home)
                    break;  // rank 0 has its checkpoint there
                continue;
            }
            all.nodes.push_back(place.name);
            all.perRank.insert(all.perRank.end(), devices->perRank.begin(), devices->perRank.end());
            all.cpu.threads =
                all.nodes.size() == 1 ? devices->cpu.threads : std::min(all.cpu.threads, devices->cpu.threads);
            all.simulated = all.simulated || devices->simulated;
            if (static_cast<int>(all.nodes.size()) < whole.nodes) {
                // What it would get must stay free for it until the others are.
                if (request.kind != sweep::DeviceKind::Gpu)
                    seenByAll.cores.emplace(place.name, &demand);
                else
                    for (const std::string &taken : devices->all())
                        seenByAll.gpus.emplace(taken, &demand);
                continue;
            }
            all.machine = all.nodes.front();
            return all;
        }
        for (const Place &place : places) {
            if (place.allocator != nullptr)
                place.allocator->release(holder);
        }
        // Nothing is kept free for a trial that waits for a machine to come back.
        if (reachable >= whole.nodes)
            next.add(seenByAll);
        found = static_cast<int>(all.nodes.size());
    }
    auto possible = static_cast<int>(places.size());
    Fact reason = Fact(Code::WaitingForNodes).with(Field::Count, found).with(Field::Limit, whole.nodes);
    for (auto &[machine, refusal] : refusals) {
        possible -= refusal.code == ErrorCode::Unavailable ? 0 : 1;
        reason.because.push_back(
            Fact(Code::OnMachine).with(Field::Machine, nameOf(machine)).dueTo(std::move(refusal.reason)));
    }
    return refuse(possible < whole.nodes ? ErrorCode::BadInput : ErrorCode::Unavailable, std::move(reason));
}

/// On the first machine that has room.
tl::expected<Allocation, Refusal> Scheduler::allocateOnOne(const std::vector<Place> &places, const SweepDemand &demand,
                                                           const Request &whole, const Reserved &reserved,
                                                           Reserved &next)
{
    std::vector<std::pair<std::string, Refusal>> refusals;
    for (const Place &place : places) {
        Request request = whole;
        Reserved seen = reserved;
        auto devices = allocateOn(place, demand, request, seen);
        if (devices)
            return devices;
        next.add(seen);
        refusals.emplace_back(place.name, std::move(devices.error()));
    }
    const bool isTied = !whole.home.empty() && !whole.machines.empty() && places.size() == 1
                        && refusals.front().second.code == ErrorCode::Unavailable;
    if (!isTied)
        return tl::unexpected(ofAll(std::move(refusals)));
    Refusal refusal = std::move(refusals.front().second);
    refusal.reason = Fact(Code::WaitingForCheckpoint).with(Field::Machine, whole.home).dueTo(std::move(refusal.reason));
    return tl::unexpected(std::move(refusal));
}

Decision Scheduler::decide(const std::vector<SweepDemand> &demands)
{
    Decision decision;
    Reserved reserved;
    m_waitingJobs.clear();
    for (const SweepDemand &demand : demands) {
        for (const auto &[cluster, jobs] : demand.waitingJobs)
            m_waitingJobs[cluster] += jobs;
    }
    for (const SweepDemand &demand : demands) {
        Request request = demand.next;
        const int trial = request.trial.number;
        if (trial == 0)
            continue;
        if (demand.running >= request.concurrent) {
            decision.waiting.push_back(
                {demand.sweepId, trial, Fact(Code::ConcurrencyLimit).with(Field::Limit, request.concurrent), {}});
            continue;
        }
        const std::vector<Place> places = placesFor(request);
        const bool isAnyWithGpus = std::ranges::any_of(places, [](const Place &place) { return place.hasGpus(); });
        if (request.kind == sweep::DeviceKind::Auto)
            request.kind = isAnyWithGpus ? sweep::DeviceKind::Gpu : sweep::DeviceKind::Cpu;
        Reserved next = reserved;  // what this one waits for on one machine keeps it from no other
        auto devices = request.nodes > 1 ? allocateOnSeveral(places, demand, request, reserved, next)
                                         : allocateOnOne(places, demand, request, reserved, next);
        if (devices) {
            decision.start = TrialStart{demand.sweepId, trial, holderName(demand.sweepId, trial), std::move(*devices)};
            return decision;
        }
        reserved = std::move(next);
        Refusal refusal = std::move(devices.error());
        if (refusal.code != ErrorCode::Unavailable) {
            decision.impossible = TrialReason{demand.sweepId, trial, std::move(refusal.reason), {}};
            return decision;
        }
        decision.waiting.push_back({demand.sweepId, trial, std::move(refusal.reason), std::move(refusal.obstacles)});
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

Allocator *Scheduler::allocatorOf(const std::string &machine)
{
    if (machine.empty())
        return &m_allocator;
    const auto known = m_machines.find(machine);
    return known != m_machines.end() ? &known->second.allocator : nullptr;
}

void Scheduler::adopt(std::int64_t sweepId, int trial, const std::vector<std::string> &deviceIds,
                      const GpuWishes &wishes, const std::vector<std::vector<int>> &cpus)
{
    std::map<std::string, std::vector<std::string>> byMachine;
    for (const std::string &device : deviceIds)
        byMachine[sweep::machineOf(device)].push_back(device);
    for (const auto &[machine, devices] : byMachine) {
        if (Allocator *allocator = allocatorOf(machine))
            allocator->adopt(holderName(sweepId, trial), devices, wishes, cpus);
    }
}

void Scheduler::release(std::int64_t sweepId, int trial)
{
    const std::string holder = holderName(sweepId, trial);
    m_allocator.release(holder);
    for (auto &[name, machine] : m_machines)
        machine.allocator.release(holder);
}

std::vector<int> Scheduler::leasesOf(std::int64_t sweepId, int trial) const
{
    return m_allocator.leasesOf(holderName(sweepId, trial));
}

void Scheduler::transferLeases(std::int64_t sweepId, int trial, pid_t agent)
{
    m_allocator.transferLeases(holderName(sweepId, trial), agent);
}

}  // namespace sweepscope::schedule
