#include "schedule/gpuallocation.h"

#include <algorithm>
#include <map>
#include <unistd.h>
#include <utility>

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

/// Places with room, `needed` at most: those with fewest ranks before others, and where others compute last; of equals
/// those that are best connected, with each other and with what is certain.
std::vector<GpuPlace *> bestPlaces(std::vector<GpuPlace> &places, std::size_t needed,
                                   const device::GpuTopology &topology)
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
        const std::vector<std::string> group = device::bestGroup(topology, certain, ids, needed - best.size());
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
std::string lease(std::vector<GpuPlace> &places, const Request &request, const device::GpuTopology &topology,
                  GpuLeases *others, Choice &choice)
{
    const auto needed = static_cast<std::size_t>(request.needed());
    std::vector<GpuPlace *> wanted = bestPlaces(places, needed, topology);
    if (wanted.empty())
        return {};
    std::vector<Lease> &leases = choice.leases;
    if (others != nullptr) {
        auto begun = others->begin();
        if (!begun)
            return begun.error().message;
        choice.taking = std::move(*begun);
    }
    GpuLeases::Taking *const taking = choice.taking.get();
    for (bool isLeasedElsewhere = taking != nullptr; isLeasedElsewhere; wanted = bestPlaces(places, needed, topology)) {
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
            others->sign(lease, ::getpid(), request.purpose);
    }
    return {};
}

}  // namespace

tl::expected<Choice, Refusal> chooseGpus(const Request &request, std::vector<GpuPlace> places,
                                         const std::vector<device::Device> &devices,
                                         const device::GpuTopology &topology, GpuLeases *leases)
{
    const auto needed = request.needed();
    const auto total = std::count_if(devices.begin(), devices.end(),
                                     [](const device::Device &device) { return device.kind == device::Kind::Gpu; });
    std::int64_t possible = 0;
    for (const GpuPlace &place : places)
        possible += place.most;
    if (needed > possible)
        return tl::unexpected<Refusal>(tooFewGpus(request, places, total));

    Choice choice;
    const std::string problem = lease(places, request, topology, leases, choice);
    if (needed <= roomOn(places) && problem.empty()) {
        choice.ids = dealOut(places, static_cast<int>(needed));
        std::erase_if(choice.leases, [&](const Lease &lease) {  // ranks that share may need fewer GPUs
            return std::find(choice.ids.begin(), choice.ids.end(), lease.gpuId) == choice.ids.end();
        });
        return choice;
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
    if (const std::string barred = barredInWords(request.gpus, devices); !barred.empty())
        refusal.message += "; " + barred;
    return tl::unexpected<Refusal>(std::move(refusal));
}

}  // namespace sweepscope::schedule
