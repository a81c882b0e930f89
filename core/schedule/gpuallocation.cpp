#include "schedule/allocator.h"

#include <algorithm>
#include <unistd.h>
#include <utility>

/// Which GPUs a trial gets, and with which leases.
namespace sweepscope::schedule {

namespace {

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
    std::string message = "needs " + needInWords(request.ranks, request.perRank, "GPU") + ", but ";
    if (total == 0 || static_cast<std::int64_t>(places.size()) == total)
        message += "this machine has " + (total == 0 ? "none" : std::to_string(total));
    else
        message += "devices.pin and devices.exclude leave " + std::to_string(places.size()) + " of the "
                   + counted(total, "GPU") + " of this machine";
    if (request.gpus.memoryBytes > 0 && possible < static_cast<std::int64_t>(places.size()))
        message +=
            ", and not all of them have " + device::inBytes(request.gpus.memoryBytes) + " of memory (devices.memory)";
    return {ErrorCode::BadInput, message + ": lower run.ranks or devices.per_rank, or set devices.kind to \"cpu\""};
}

}  // namespace

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
    const auto needed = request.needed();
    const auto total = std::count_if(m_devices.begin(), m_devices.end(),
                                     [](const device::Device &device) { return device.kind == device::Kind::Gpu; });
    std::vector<GpuPlace> places = placesOf(request);
    std::int64_t possible = 0;
    for (const GpuPlace &place : places)
        possible += place.most;
    if (needed > possible)
        return tl::unexpected<Refusal>(tooFewGpus(request, places, total));

    Chosen chosen;
    const std::string problem = lease(places, request, chosen);
    if (needed <= roomOn(places) && problem.empty()) {
        chosen.ids = dealOut(places, static_cast<int>(needed));
        std::erase_if(chosen.leases, [&](const Lease &lease) {  // ranks that share may need fewer GPUs
            return std::find(chosen.ids.begin(), chosen.ids.end(), lease.gpuId) == chosen.ids.end();
        });
        return chosen;
    }

    Refusal refusal{ErrorCode::Unavailable, {}};
    std::int64_t ours = 0;
    for (const GpuPlace &place : places) {
        if (place.obstacle)
            refusal.obstacles[place.device->id] = *place.obstacle;
        else if (place.held > 0)
            refusal.obstacles[place.device->id] = Obstacle::InUse;
        ours += !place.obstacle || endsWithOurs(*place.obstacle) ? place.most : 0;
    }
    refusal.endsWithOurs = needed <= ours;
    refusal.message =
        "waits for " + std::to_string(needed) + " of "
        + (request.gpus.ranksShare && request.gpus.perGpu > 1
               ? counted(possible, "place") + " on " + counted(static_cast<std::int64_t>(places.size()), "GPU")
               : counted(static_cast<std::int64_t>(places.size()), "GPU"))
        + ": " + (problem.empty() ? obstaclesInWords(places) : problem);
    if (const std::string barred = barredInWords(request.gpus, m_devices); !barred.empty())
        refusal.message += "; " + barred;
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
        const std::vector<std::string> group = device::bestGroup(m_topology, certain, ids, needed - best.size());
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
std::string Allocator::lease(std::vector<GpuPlace> &places, const Request &request, Chosen &chosen)
{
    const auto needed = static_cast<std::size_t>(request.needed());
    std::vector<GpuPlace *> wanted = bestPlaces(places, needed);
    if (wanted.empty())
        return {};
    std::vector<Lease> &leases = chosen.leases;
    if (m_leases != nullptr) {
        auto begun = m_leases->begin();
        if (!begun)
            return begun.error().message;
        chosen.taking = std::move(*begun);
    }
    GpuLeases::Taking *const taking = chosen.taking.get();
    for (bool isLeasedElsewhere = taking != nullptr; isLeasedElsewhere; wanted = bestPlaces(places, needed)) {
        isLeasedElsewhere = false;
        leases.clear();
        for (GpuPlace *place : wanted) {
            Expected<Lease> lease = taking->take(place->device->id, place->held > 0);
            if (!lease && lease.error().code != ErrorCode::AlreadyExists)
                return lease.error().message;
            if (lease) {  // an obstacle of its memory may leave some room
                leases.push_back(std::move(*lease));
                continue;
            }
            place->obstacle = Obstacle::Leased;
            place->words = lease.error().message;
            place->room = 0;
            isLeasedElsewhere = true;  // without it another group may be the best
        }
    }
    for (GpuPlace &place : places) {
        if (std::find(wanted.begin(), wanted.end(), &place) == wanted.end())
            place.room = 0;
    }
    if (taking != nullptr && roomOn(places) >= request.needed()) {
        for (const Lease &lease : leases)
            m_leases->sign(lease, ::getpid(), request.purpose);
    }
    return {};
}

}  // namespace sweepscope::schedule
