#include "schedule/allocator.h"

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
    if (request.ranks < 1 || request.perRank < 1)
        return refuse(ErrorCode::BadInput, "a trial needs at least one rank (run.ranks) and one device per rank "
                                           "(devices.per_rank)");
    if (request.cpuSlots < 0)
        return refuse(ErrorCode::BadInput, "devices.cpu_slots cannot be negative; 0 means one per core");
    if (holdingOf(holder) != nullptr)
        return refuse(ErrorCode::AlreadyExists, holder + " has its devices already");

    const bool gpus = usesGpus(request);
    tl::expected<Chosen, Refusal> chosen = gpus ? chooseGpus(request) : chooseCpuSlots(request);
    if (!chosen)
        return tl::unexpected<Refusal>(std::move(chosen.error()));
    Allocation allocation = perRank(chosen->ids, request);
    allocation.simulated = std::any_of(m_devices.begin(), m_devices.end(), [&](const device::Device &device) {
        return device.simulated && std::find(chosen->ids.begin(), chosen->ids.end(), device.id) != chosen->ids.end();
    });
    if (gpus)
        allocation.group = device::groupInWords(m_topology, chosen->ids);
    allocation.cpu = giveCores(holder, request, allocation, *chosen);
    m_held.push_back({holder, std::move(chosen->ids), request.gpus, request.purpose, std::move(chosen->leases)});
    return allocation;
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

void Allocator::handOver(const std::string &holder, pid_t agent)
{
    for (Holding &held : m_held) {
        if (held.holder != holder)
            continue;
        for (const Lease &lease : held.leases) {
            if (m_leases != nullptr)
                m_leases->sign(lease, agent, held.purpose);
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

}  // namespace sweepscope::schedule
