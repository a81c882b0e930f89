#include "schedule/allocator.h"

#include <algorithm>
#include <utility>

/// Which CPU slots a trial gets, and which cores its ranks are bound to.
namespace sweepscope::schedule {

namespace {

std::string waitsFor(const Request &request, std::int64_t slots)
{
    return "waits for " + std::to_string(request.needed()) + " of " + counted(slots, "CPU slot") + ": ";
}

}  // namespace

struct Allocator::Core {
    const device::Device *device;
    std::int64_t users;
};

std::vector<Allocator::Core> Allocator::coresHere() const
{
    std::vector<Core> cores;
    for (const device::Device &device : m_devices) {
        if (device.kind == device::Kind::Cpu)
            cores.push_back({&device, static_cast<std::int64_t>(holders(device.id).size())});
    }
    return cores;
}

tl::expected<Allocator::Chosen, Refusal> Allocator::chooseCpuSlots(const Request &request)
{
    std::vector<Core> cores = coresHere();
    if (cores.empty())
        return refuse(ErrorCode::BadInput, "needs CPU cores, but none is known on this machine");
    std::int64_t used = 0;  // by ours: what others have steers which cores ours get, and makes none of them wait
    for (const Core &core : cores)
        used += core.users;
    const std::int64_t slots = request.cpuSlots > 0 ? request.cpuSlots : static_cast<std::int64_t>(cores.size());
    if (request.needed() > slots)
        return refuse(ErrorCode::BadInput,
                      "needs " + needInWords(request.ranks, request.perRank, "CPU slot") + ", but there "
                          + (slots == 1 ? "is " : "are ") + std::to_string(slots)
                          + (request.cpuSlots > 0 ? " (devices.cpu_slots)" : " (one per core)")
                          + ": lower run.ranks or devices.per_rank, or raise devices.cpu_slots, so that ranks share "
                            "cores");
    if (request.needed() > slots - used)
        return refuse(ErrorCode::Unavailable,
                      waitsFor(request, slots) + std::to_string(used) + (used == 1 ? " is in use" : " are in use"));
    auto taking = askForCores(request, slots, cores);
    if (!taking)
        return tl::unexpected<Refusal>(std::move(taking.error()));

    // The least used core next, the first of equals: with more slots than cores this goes round and round.
    Chosen chosen;
    for (std::int64_t slot = 0; slot < request.needed(); ++slot) {
        const auto core = std::min_element(cores.begin(), cores.end(),
                                           [](const Core &a, const Core &b) { return a.users < b.users; });
        chosen.ids.push_back(core->device->id);
        ++core->users;
    }
    chosen.taking = std::move(*taking);
    return chosen;
}

/// Counts the slots of other workspaces. Where the folder that engines share cannot be used, trials on CPUs start all the
/// same: they get slower at worst.
tl::expected<std::unique_ptr<GpuLeases::Taking>, Refusal>
Allocator::askForCores(const Request &request, std::int64_t slots, std::vector<Core> &cores)
{
    if (m_leases == nullptr)
        return nullptr;
    auto taking = m_leases->begin();
    if (!taking && taking.error().code == ErrorCode::Unavailable)
        return refuse(ErrorCode::Unavailable, waitsFor(request, slots) + taking.error().message);
    if (!taking)
        return nullptr;
    for (const CpuUse &use : (*taking)->cpusOfOthers()) {
        for (Core &core : cores)  // they may have others than we
            core.users += std::count(use.slots.begin(), use.slots.end(), core.device->index);
    }
    return std::move(*taking);
}

CpuGrant Allocator::giveCores(const std::string &holder, const Request &request, const Allocation &allocation,
                              Chosen &chosen)
{
    std::vector<CpuPlace> places;
    for (const auto &deviceIds : allocation.perRank)
        places.push_back(cpuPlaceOf(deviceIds, request));
    std::vector<std::vector<int>> others;
    if (chosen.taking && request.cpu.bind) {
        for (const CpuUse &use : chosen.taking->cpusOfOthers())
            others.insert(others.end(), use.cpus.begin(), use.cpus.end());
    }
    const int ranksAtOnce = static_cast<int>(trialsAtOnce(request)) * request.ranks;
    CpuGrant grant = m_cpus.give(holder, places, ranksAtOnce, request.cpu, others);

    CpuUse ours{request.purpose, {}, grant.cpus};
    for (const device::Device &device : m_devices) {
        const auto slots =
            device.kind == device::Kind::Cpu ? std::count(chosen.ids.begin(), chosen.ids.end(), device.id) : 0;
        ours.slots.insert(ours.slots.end(), static_cast<std::size_t>(slots), device.index);
    }
    const bool isBound =
        std::any_of(grant.cpus.begin(), grant.cpus.end(), [](const auto &cpus) { return !cpus.empty(); });
    if (chosen.taking && (isBound || !ours.slots.empty())) {
        if (Expected<Lease> note = chosen.taking->noteCpus(ours))
            chosen.leases.push_back(std::move(*note));
    }
    return grant;
}

/// Of one sweep, as far as the machine has devices for them, whatever is taken now.
std::int64_t Allocator::trialsAtOnce(const Request &request) const
{
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

CpuPlace Allocator::cpuPlaceOf(const std::vector<std::string> &deviceIds, const Request &request) const
{
    CpuPlace place;
    const auto given = std::find_if(m_devices.begin(), m_devices.end(), [&](const device::Device &device) {
        return std::find(deviceIds.begin(), deviceIds.end(), device.id) != deviceIds.end();
    });
    if (given == m_devices.end())
        return place;
    if (given->kind == device::Kind::Cpu) {
        place.first = given->index;
        return place;
    }
    place.near = given->nearCpus;
    const auto isNeighbour = [&](const device::Device &device) {
        return device.kind == device::Kind::Gpu && device.nearCpus == given->nearCpus;
    };
    place.neighbours = static_cast<int>(std::count_if(m_devices.begin(), m_devices.end(), isNeighbour));
    place.ranksNear = std::max(1, place.neighbours * request.gpus.perGpu / request.perRank);
    place.part = static_cast<int>(std::count_if(m_devices.begin(), given, isNeighbour));
    return place;
}

}  // namespace sweepscope::schedule
