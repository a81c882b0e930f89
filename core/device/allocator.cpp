#include "device/allocator.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unistd.h>
#include <utility>

namespace sweepscope::device {

namespace {

std::string count(std::int64_t number, const std::string &singular)
{
    return std::to_string(number) + " " + singular + (number == 1 ? "" : "s");
}

std::string inUse(std::int64_t number)
{
    return std::to_string(number) + (number == 1 ? " is in use" : " are in use");
}

/// "4 GPUs (2 ranks with 2 each)"
std::string need(const Request &request, std::int64_t needed, const std::string &what)
{
    return count(needed, what) + " (" + count(request.ranks, "rank") + " with " + std::to_string(request.perRank)
           + " each)";
}

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

tl::unexpected<Refusal> refuse(ErrorCode code, std::string message)
{
    return tl::unexpected<Refusal>(Refusal{code, std::move(message)});
}

std::int64_t neededBy(const Request &request)
{
    return std::int64_t{request.ranks} * request.perRank;
}

std::int64_t roomOn(const std::vector<GpuPlace> &places)
{
    std::int64_t room = 0;
    for (const GpuPlace &place : places)
        room += place.room;
    return room;
}

Refusal tooFewGpus(const Request &request, const std::vector<GpuPlace> &places, std::int64_t total)
{
    std::int64_t possible = 0;
    for (const GpuPlace &place : places)
        possible += place.most;
    std::string message = "needs " + need(request, neededBy(request), "GPU") + ", but ";
    if (total == 0 || static_cast<std::int64_t>(places.size()) == total)
        message += "this machine has " + (total == 0 ? "none" : std::to_string(total));
    else
        message += "devices.pin and devices.exclude leave " + std::to_string(places.size()) + " of the "
                   + count(total, "GPU") + " of this machine";
    if (request.gpus.memoryBytes > 0 && possible < static_cast<std::int64_t>(places.size()))
        message += ", and not all of them have " + inBytes(request.gpus.memoryBytes) + " of memory (devices.memory)";
    return {ErrorCode::BadInput, message + ": lower run.ranks or devices.per_rank, or set devices.kind to \"cpu\""};
}

}  // namespace

std::vector<std::string> Allocation::all() const
{
    std::vector<std::string> ids;
    for (const auto &rank : perRank)
        ids.insert(ids.end(), rank.begin(), rank.end());
    return ids;
}

Allocator::Allocator(std::vector<Device> devices, GpuLeases *leases, CpuTopology cpus)
    : m_devices(std::move(devices)), m_leases(leases), m_cpus(std::move(cpus))
{}

bool Allocator::hasGpus() const
{
    return std::any_of(m_devices.begin(), m_devices.end(),
                       [](const Device &device) { return device.kind == Kind::Gpu; });
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

    const bool gpus = request.kind == sweep::DeviceKind::Gpu || (request.kind == sweep::DeviceKind::Auto && hasGpus());
    tl::expected<Chosen, Refusal> chosen = gpus ? chooseGpus(request) : chooseCpuSlots(request);
    if (!chosen)
        return tl::unexpected<Refusal>(std::move(chosen.error()));
    Allocation allocation = perRank(chosen->ids, request);
    allocation.simulated = std::any_of(m_devices.begin(), m_devices.end(), [&](const Device &device) {
        return device.simulated && std::find(chosen->ids.begin(), chosen->ids.end(), device.id) != chosen->ids.end();
    });
    if (gpus)
        allocation.group = groupInWords(m_topology, chosen->ids);
    allocation.cpu = giveCores(holder, request, allocation, gpus, chosen->leases);
    m_held.push_back({holder, std::move(chosen->ids), request.gpus, request.purpose, std::move(chosen->leases)});
    return allocation;
}

/// Where other engines cannot be asked or told, ranks may meet theirs on a core: that is slow, and no reason to wait.
CpuGrant Allocator::giveCores(const std::string &holder, const Request &request, const Allocation &allocation,
                              bool gpus, std::vector<Lease> &leases)
{
    std::vector<CpuPlace> places;
    for (const auto &deviceIds : allocation.perRank)
        places.push_back(cpuPlaceOf(deviceIds, request));
    const int ranksAtOnce = static_cast<int>(trialsAtOnce(request, gpus)) * request.ranks;
    std::unique_ptr<GpuLeases::Taking> taking;
    if (m_leases != nullptr && request.cpu.bind) {
        if (auto begun = m_leases->begin(request.sweep))
            taking = std::move(*begun);
    }
    const std::vector<std::vector<int>> others = taking ? taking->coresOfOthers() : std::vector<std::vector<int>>();
    CpuGrant grant = m_cpus.give(holder, places, ranksAtOnce, request.cpu, others);
    const bool isBound =
        std::any_of(grant.cpus.begin(), grant.cpus.end(), [](const auto &cpus) { return !cpus.empty(); });
    if (taking && isBound) {
        if (Expected<Lease> note = taking->noteCores(grant.cpus, request.purpose))
            leases.push_back(std::move(*note));
    }
    return grant;
}

void Allocator::queue(const std::vector<Request> &waiting)
{
    if (m_leases == nullptr)
        return;
    std::vector<GpuLeases::Waiting> told;
    for (const Request &request : waiting)
        told.push_back({request.sweep, request.purpose, gpusFor(request)});
    m_leases->queue(told);
}

std::vector<GpuPlace> Allocator::placesOf(const Request &request) const
{
    std::vector<GpuPlace> places;
    for (const Device &device : m_devices) {
        if (device.kind != Kind::Gpu || !mayHave(request.gpus, device))
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
                                 reserved != request.reserved.end() ? reserved->second : std::string()));
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

tl::expected<Allocator::Chosen, Refusal> Allocator::chooseGpus(const Request &request)
{
    const auto needed = neededBy(request);
    const auto total = std::count_if(m_devices.begin(), m_devices.end(),
                                     [](const Device &device) { return device.kind == Kind::Gpu; });
    std::vector<GpuPlace> places = placesOf(request);
    std::int64_t possible = 0;
    for (const GpuPlace &place : places)
        possible += place.most;
    if (needed > possible)
        return tl::unexpected<Refusal>(tooFewGpus(request, places, total));

    Chosen chosen;
    const std::string problem = lease(places, request, chosen.leases);
    if (needed <= roomOn(places) && problem.empty()) {
        chosen.ids = dealOut(places, static_cast<int>(needed));
        std::erase_if(chosen.leases, [&](const Lease &lease) {  // ranks that share may need fewer GPUs
            return std::find(chosen.ids.begin(), chosen.ids.end(), lease.gpuId) == chosen.ids.end();
        });
        return chosen;
    }

    Refusal refusal{ErrorCode::Unavailable, {}};
    std::int64_t ours = 0;
    std::int64_t everybodys = 0;
    for (const GpuPlace &place : places) {
        if (place.obstacle)
            refusal.obstacles[place.device->id] = *place.obstacle;
        else if (place.held > 0)
            refusal.obstacles[place.device->id] = Obstacle::InUse;
        ours += !place.obstacle || endsWithOurs(*place.obstacle) ? place.most : 0;
        const bool isOthersMemory = place.obstacle == Obstacle::Memory && place.hasForeign;
        everybodys += !place.obstacle || (endsWithTrials(*place.obstacle) && !isOthersMemory) ? place.most : 0;
    }
    refusal.endsWithOurs = needed <= ours;
    refusal.endsWithTrials = needed <= everybodys;
    refusal.message =
        "waits for " + std::to_string(needed) + " of "
        + (request.gpus.ranksShare && request.gpus.perGpu > 1
               ? count(possible, "place") + " on " + count(static_cast<std::int64_t>(places.size()), "GPU")
               : count(static_cast<std::int64_t>(places.size()), "GPU"))
        + ": " + (problem.empty() ? obstaclesInWords(places) : problem);
    return tl::unexpected<Refusal>(std::move(refusal));
}

/// Places with room, `needed` at most: those with fewest ranks before others, and where others compute last; of equals
/// those that are best connected, with each other and with what is certain.
std::vector<GpuPlace *> Allocator::bestPlaces(std::vector<GpuPlace> &places, std::size_t needed) const
{
    std::map<std::pair<bool, int>, std::vector<GpuPlace *>> alike;
    for (GpuPlace &place : places) {
        if (place.room > 0)
            alike[{place.hasForeign, place.held}].push_back(&place);
    }
    std::vector<GpuPlace *> best;
    std::vector<std::string> certain;
    for (const auto &[rating, candidates] : alike) {
        std::vector<std::string> ids;
        for (const GpuPlace *place : candidates)
            ids.push_back(place->device->id);
        const std::vector<std::string> group = bestGroup(m_topology, certain, ids, needed - best.size());
        for (GpuPlace *place : candidates) {
            if (std::find(group.begin(), group.end(), place->device->id) != group.end())
                best.push_back(place);
        }
        certain.insert(certain.end(), group.begin(), group.end());
        if (best.size() == needed)
            break;
    }
    return best;
}

/// Leases for as many GPUs as are needed at most; those that nobody needs, or that somebody else has, lose their room.
/// What is wrong in general is returned.
std::string Allocator::lease(std::vector<GpuPlace> &places, const Request &request, std::vector<Lease> &leases)
{
    const auto needed = static_cast<std::size_t>(neededBy(request));
    std::vector<GpuPlace *> wanted = bestPlaces(places, needed);
    if (wanted.empty())
        return {};
    std::unique_ptr<GpuLeases::Taking> taking;
    if (m_leases != nullptr) {
        auto begun = m_leases->begin(request.sweep);
        if (!begun)
            return begun.error().message;
        taking = std::move(*begun);
    }
    for (bool isLeasedElsewhere = taking != nullptr; isLeasedElsewhere; wanted = bestPlaces(places, needed)) {
        isLeasedElsewhere = false;
        leases.clear();
        for (GpuPlace *place : wanted) {
            Expected<Lease> lease = taking->take(place->device->id, place->held > 0);
            if (!lease && lease.error().code != ErrorCode::AlreadyExists)
                return lease.error().message;
            place->obstacle = Obstacle::Leased;
            if (!lease)
                place->words = lease.error().message;
            else if (place->words = taking->whoIsBefore(place->device->id); !place->words.empty())
                place->obstacle = Obstacle::Queued;
            else if (place->words = whyStillTaken(*lease, request); !place->words.empty())
                place->obstacle = Obstacle::Draining;
            else
                place->obstacle.reset();
            if (!place->obstacle) {
                lease->usedBefore = m_states[place->device->id].usedBytes;
                leases.push_back(std::move(*lease));
                continue;
            }
            place->room = 0;
            isLeasedElsewhere = true;  // without it another group may be the best
        }
    }
    for (GpuPlace &place : places) {
        if (std::find(wanted.begin(), wanted.end(), &place) == wanted.end())
            place.room = 0;
    }
    if (taking && roomOn(places) >= neededBy(request)) {
        for (const Lease &lease : leases)
            m_leases->sign(lease, ::getpid(), request.purpose);
        m_leases->served(request.sweep);
    }
    return {};
}

/// By trials of others, or of an engine before this one: what ours left is known already.
std::string Allocator::whyStillTaken(const Lease &lease, const Request &request) const
{
    const bool asks = lease.former && m_formerCheck && request.gpus.foreign != sweep::ForeignPolicy::Ignore;
    return asks ? m_formerCheck(lease.gpuId, *lease.former) : std::string();
}

tl::expected<Allocator::Chosen, Refusal> Allocator::chooseCpuSlots(const Request &request) const
{
    struct Core {
        const std::string *id;
        std::int64_t users;
    };
    std::vector<Core> cores;
    std::int64_t used = 0;
    for (const Device &device : m_devices) {
        if (device.kind != Kind::Cpu)
            continue;
        const auto users = static_cast<std::int64_t>(holders(device.id).size());
        cores.push_back({&device.id, users});
        used += users;
    }
    if (cores.empty())
        return refuse(ErrorCode::BadInput, "needs CPU cores, but none is known on this machine");

    const std::int64_t slots = request.cpuSlots > 0 ? request.cpuSlots : static_cast<std::int64_t>(cores.size());
    const std::int64_t needed = neededBy(request);
    if (needed > slots)
        return refuse(ErrorCode::BadInput,
                      "needs " + need(request, needed, "CPU slot") + ", but there " + (slots == 1 ? "is " : "are ")
                          + std::to_string(slots) + (request.cpuSlots > 0 ? " (devices.cpu_slots)" : " (one per core)")
                          + ": lower run.ranks or devices.per_rank, or raise devices.cpu_slots, so that ranks share "
                            "cores");
    if (needed > slots - used)
        return refuse(ErrorCode::Unavailable,
                      "waits for " + std::to_string(needed) + " of " + count(slots, "CPU slot") + ": " + inUse(used));

    // The least used core next, the first of equals: with more slots than cores this goes round and round.
    Chosen chosen;
    for (std::int64_t slot = 0; slot < needed; ++slot) {
        const auto core = std::min_element(cores.begin(), cores.end(),
                                           [](const Core &a, const Core &b) { return a.users < b.users; });
        chosen.ids.push_back(*core->id);
        ++core->users;
    }
    return chosen;
}

/// Of one sweep, as far as the machine has devices for them, whatever is taken now.
std::int64_t Allocator::trialsAtOnce(const Request &request, bool gpus) const
{
    std::int64_t places = 0;
    if (gpus) {
        for (const GpuPlace &place : placesOf(request))
            places += request.gpus.ranksShare ? place.most : request.gpus.perGpu;
    } else {
        places = request.cpuSlots > 0 ? request.cpuSlots
                                      : std::count_if(m_devices.begin(), m_devices.end(),
                                                      [](const Device &device) { return device.kind == Kind::Cpu; });
    }
    return std::clamp<std::int64_t>(places / neededBy(request), 1, std::max(1, request.concurrent));
}

CpuPlace Allocator::cpuPlaceOf(const std::vector<std::string> &deviceIds, const Request &request) const
{
    CpuPlace place;
    const auto given = std::find_if(m_devices.begin(), m_devices.end(), [&](const Device &device) {
        return std::find(deviceIds.begin(), deviceIds.end(), device.id) != deviceIds.end();
    });
    if (given == m_devices.end())
        return place;
    if (given->kind == Kind::Cpu) {
        place.first = given->index;
        return place;
    }
    place.near = given->nearCpus;
    const auto isNeighbour = [&](const Device &device) {
        return device.kind == Kind::Gpu && device.nearCpus == given->nearCpus;
    };
    place.neighbours = static_cast<int>(std::count_if(m_devices.begin(), m_devices.end(), isNeighbour));
    place.ranksNear = std::max(1, place.neighbours * request.gpus.perGpu / request.perRank);
    place.part = static_cast<int>(std::count_if(m_devices.begin(), given, isNeighbour));
    return place;
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
            if (m_leases != nullptr && !lease.gpuId.empty())
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

}  // namespace sweepscope::device
