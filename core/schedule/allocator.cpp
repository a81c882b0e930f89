#include "schedule/allocator.h"

#include "schedule/linkplan.h"

#include "schedule/gpuallocation.h"

#include <algorithm>
#include <utility>

namespace sweepscope::schedule {

namespace {

Allocation perRank(const std::vector<std::string> &ids, const Request &request)
{
    Allocation allocation;
    auto next = ids.begin();
    for (int rank = 0; rank < request.ranks; ++rank) {
        allocation.perRank.emplace_back(next, next + request.perRank);
        next += request.perRank;
    }
    return allocation;
}

}  // namespace

std::vector<std::string> Allocation::all() const
{
    std::vector<std::string> ids;
    for (const auto &rank : perRank)
        ids.insert(ids.end(), rank.begin(), rank.end());
    return ids;
}

Allocator::Allocator(std::vector<device::Device> devices, GpuLeases *leases, device::CpuTopology cpus)
    : m_devices(std::move(devices)), m_leases(leases), m_cpus(std::move(cpus))
{}

bool Allocator::hasGpus() const
{
    return std::any_of(m_devices.begin(), m_devices.end(),
                       [](const device::Device &device) { return device.kind == device::Kind::Gpu; });
}

bool Allocator::usesGpus(const Request &request) const
{
    return request.kind == sweep::DeviceKind::Gpu || (request.kind == sweep::DeviceKind::Auto && hasGpus());
}

tl::expected<Allocation, Refusal> Allocator::allocate(const std::string &holder, const Request &request)
{
    const bool gpus = usesGpus(request);
    if (request.ranks < 1 || request.perRank < 1 || request.cpuSlots < 0)  // validation excludes all of these
        return refuse(ErrorCode::BadInput, lacking(facts::Code::DevicesImpossible, request, gpus));
    if (holdingOf(holder) != nullptr)
        return refuse(ErrorCode::AlreadyExists, facts::Code::InternalError);

    tl::expected<Choice, Refusal> chosen = gpus
                                               ? chooseGpus(request, placesOf(request), m_devices, m_topology, m_leases)
                                               : chooseCpuSlots(request, coresInUse(), m_leases);
    if (!chosen)
        return tl::unexpected<Refusal>(std::move(chosen.error()));
    Allocation allocation = perRank(chosen->ids, request);
    allocation.simulated = std::any_of(m_devices.begin(), m_devices.end(), [&](const device::Device &device) {
        return device.simulated && std::find(chosen->ids.begin(), chosen->ids.end(), device.id) != chosen->ids.end();
    });
    if (gpus) {
        allocation.group = device::connectionOf(m_topology, chosen->ids);
        allocation.links = plannedLinkTest(allocation.perRank, m_devices, m_topology);
    }
    allocation.cpu = assignCores(holder, request, allocation, *chosen);
    m_held.push_back({holder, std::move(chosen->ids), request.gpus, request.trial, std::move(chosen->leases)});
    return allocation;
}

std::vector<GpuPlace> Allocator::placesOf(const Request &request) const
{
    std::vector<GpuPlace> places;
    for (const device::Device &device : m_devices) {
        if (device.kind != device::Kind::Gpu || !mayHave(request.gpus, device))
            continue;
        std::vector<GpuHolding> holdings;
        for (const Holding &held : m_held) {
            const auto ranks = std::count(held.deviceIds.begin(), held.deviceIds.end(), device.id);
            if (ranks > 0)
                holdings.push_back({static_cast<int>(ranks), held.wishes});
        }
        const auto state = m_states.find(device.id);
        const auto reserved = request.reserved.find(device.id);
        places.push_back(placeOn(device, holdings, state != m_states.end() ? state->second : GpuState(), request.gpus,
                                 reserved != request.reserved.end() ? reserved->second : facts::Fact()));
    }
    return places;
}

std::vector<std::string> Allocator::gpusFor(const Request &request) const
{
    std::vector<std::string> ids;
    for (const GpuPlace &place : placesOf(request))
        ids.push_back(place.device->id);
    return ids;
}

std::vector<CoreUse> Allocator::coresInUse() const
{
    std::vector<CoreUse> cores;
    for (const device::Device &device : m_devices) {
        if (device.kind == device::Kind::Cpu)
            cores.push_back({&device, static_cast<std::int64_t>(holders(device.id).size())});
    }
    return cores;
}

CpuGrant Allocator::assignCores(const std::string &holder, const Request &request, const Allocation &allocation,
                                Choice &choice)
{
    std::vector<CpuPlace> places;
    for (const auto &deviceIds : allocation.perRank)
        places.push_back(cpuPlaceOf(deviceIds, request, m_devices));
    std::vector<std::vector<int>> others;
    if (choice.taking && request.cpu.bind) {
        for (const CpuUse &use : choice.taking->cpusOfOthers())
            others.insert(others.end(), use.cpus.begin(), use.cpus.end());
    }
    const int ranksAtOnce = static_cast<int>(trialsAtOnce(request)) * request.ranks;
    CpuGrant grant = m_cpus.assign(holder, places, ranksAtOnce, request.cpu, others);

    CpuUse ours{{0, {}, {}, request.trial}, {}, grant.cpus};
    for (const device::Device &device : m_devices) {
        const auto slots =
            device.kind == device::Kind::Cpu ? std::count(choice.ids.begin(), choice.ids.end(), device.id) : 0;
        ours.slots.insert(ours.slots.end(), static_cast<std::size_t>(slots), device.index);
    }
    const bool isBound =
        std::any_of(grant.cpus.begin(), grant.cpus.end(), [](const auto &cpus) { return !cpus.empty(); });
    if (choice.taking && (isBound || !ours.slots.empty())) {
        if (Expected<Lease> note = choice.taking->noteCpus(ours))
            choice.leases.push_back(std::move(*note));
    }
    return grant;
}

/// Of one sweep, as far as the machine has devices for them, even if they are in use now.
std::int64_t Allocator::trialsAtOnce(const Request &request) const
{
    if (usesGpus(request) && request.gpus.isPacked)
        return std::max(1, request.concurrent);  // whatever is measured, so that a repeated trial gets the same cores
    std::int64_t places = 0;
    if (usesGpus(request)) {
        for (const GpuPlace &place : placesOf(request))
            places += request.gpus.ranksShare ? place.most : request.gpus.perGpu;
    } else {
        places = request.cpuSlots > 0
                     ? request.cpuSlots
                     : std::count_if(m_devices.begin(), m_devices.end(),
                                     [](const device::Device &device) { return device.kind == device::Kind::Cpu; });
    }
    return std::clamp<std::int64_t>(places / request.needed(), 1, std::max(1, request.concurrent));
}

const Allocator::Holding *Allocator::holdingOf(const std::string &holder) const
{
    const auto found =
        std::find_if(m_held.begin(), m_held.end(), [&](const Holding &held) { return held.holder == holder; });
    return found != m_held.end() ? &*found : nullptr;
}

void Allocator::adopt(const std::string &holder, const std::vector<std::string> &deviceIds, const GpuWishes &wishes,
                      const std::vector<std::vector<int>> &cpus)
{
    m_cpus.adopt(holder, cpus);
    m_held.push_back({holder, deviceIds, wishes, {}, {}});
}

void Allocator::setWishes(const std::string &holder, const GpuWishes &wishes)
{
    for (Holding &held : m_held) {
        if (held.holder == holder)
            held.wishes = wishes;
    }
}

void Allocator::release(const std::string &holder)
{
    m_cpus.release(holder);
    std::erase_if(m_held, [&](const Holding &held) { return held.holder == holder; });
}

std::vector<int> Allocator::leasesOf(const std::string &holder) const
{
    std::vector<int> descriptors;
    if (const Holding *held = holdingOf(holder)) {
        for (const Lease &lease : held->leases) {
            if (lease.file)
                descriptors.push_back(lease.file.get());
        }
    }
    return descriptors;
}

void Allocator::transferLeases(const std::string &holder, pid_t agent)
{
    for (Holding &held : m_held) {
        if (held.holder != holder)
            continue;
        for (const Lease &lease : held.leases) {
            if (m_leases != nullptr)
                m_leases->sign(lease, agent, held.trial);
        }
        held.leases.clear();
    }
}

std::vector<std::string> Allocator::holders(const std::string &deviceId) const
{
    std::vector<std::string> found;
    for (const Holding &held : m_held) {
        const auto times = std::count(held.deviceIds.begin(), held.deviceIds.end(), deviceId);
        found.insert(found.end(), static_cast<std::size_t>(times), held.holder);
    }
    return found;
}

int Allocator::trialsOn(const std::string &deviceId) const
{
    return static_cast<int>(std::count_if(m_held.begin(), m_held.end(), [&](const Holding &held) {
        return std::find(held.deviceIds.begin(), held.deviceIds.end(), deviceId) != held.deviceIds.end();
    }));
}

}  // namespace sweepscope::schedule
