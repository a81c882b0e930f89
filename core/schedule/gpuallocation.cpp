#include "schedule/gpuallocation.h"

#include <algorithm>
#include <map>
#include <unistd.h>
#include <utility>

namespace sweepscope::schedule {

using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

std::int64_t roomOn(const std::vector<GpuPlace> &places)
{
    std::int64_t room = 0;
    for (const GpuPlace &place : places)
        room += place.room;
    return room;
}

/// Returns places with room, at most `needed`: those with the fewest ranks first, and those with foreign processes
/// last; among equals, those best connected with each other and with the places already chosen.
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

/// Leases at most the GPUs that are needed. Places that are not needed, or leased elsewhere, lose their room. Returns a
/// general problem, if any.
Fact lease(std::vector<GpuPlace> &places, const Request &request, const device::GpuTopology &topology,
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
            return leaseProblem(begun.error());
        choice.taking = std::move(*begun);
    }
    GpuLeases::Taking *const taking = choice.taking.get();
    for (bool isLeasedElsewhere = taking != nullptr; isLeasedElsewhere; wanted = bestPlaces(places, needed, topology)) {
        isLeasedElsewhere = false;
        leases.clear();
        for (GpuPlace *place : wanted) {
            tl::expected<Lease, Fact> lease = taking->take(place->device->id, place->held > 0);
            if (!lease && lease.error().code != Code::GpuLeased)
                return lease.error();
            if (lease) {  // if memory is the obstacle, some room may remain
                leases.push_back(std::move(*lease));
                continue;
            }
            place->obstacle = Obstacle::Leased;
            place->reason = ofGpu(std::move(lease.error()), *place->device);
            place->room = 0;
            isLeasedElsewhere = true;  // without it another group may be best
        }
    }
    for (GpuPlace &place : places) {
        if (std::find(wanted.begin(), wanted.end(), &place) == wanted.end())
            place.room = 0;
    }
    if (taking != nullptr && roomOn(places) >= request.needed()) {
        for (const Lease &lease : leases)
            others->sign(lease, ::getpid(), request.trial);
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
    const auto allowed = static_cast<std::int64_t>(places.size());
    if (needed > possible) {
        Fact reason = lacking(Code::DevicesImpossible, request, true)
                          .with(Field::PerRank, request.perRank)
                          .with(Field::Present, total)
                          .with(Field::Limit, allowed);
        if (request.gpus.memoryBytes > 0 && possible < allowed)
            reason = std::move(reason).with(Field::Bytes, static_cast<std::int64_t>(request.gpus.memoryBytes));
        return refuse(ErrorCode::BadInput, std::move(reason));
    }

    Choice choice;
    const Fact problem = lease(places, request, topology, leases, choice);
    if (needed <= roomOn(places) && !problem) {
        choice.ids = dealOut(places, static_cast<int>(needed));
        std::erase_if(choice.leases, [&](const Lease &lease) {  // ranks that share may need fewer GPUs
            return std::find(choice.ids.begin(), choice.ids.end(), lease.gpuId) == choice.ids.end();
        });
        return choice;
    }

    Refusal refusal{ErrorCode::Unavailable, Fact()};
    std::int64_t ours = 0;
    for (const GpuPlace &place : places) {
        if (place.obstacle)
            refusal.obstacles[place.device->id] = *place.obstacle;
        else if (place.held > 0)
            refusal.obstacles[place.device->id] = Obstacle::InUse;
        ours += !place.obstacle || endsWithOurs(*place.obstacle) ? place.most : 0;
    }
    refusal.endsWithOurs = needed <= ours;
    const bool several = request.gpus.ranksShare && request.gpus.perGpu > 1;
    refusal.reason = lacking(Code::WaitingForDevices, request, true)
                         .with(Field::Limit, several ? possible : allowed)
                         .with(Field::Free, roomOn(places));
    if (several)
        refusal.reason = std::move(refusal.reason).with(Field::Places, allowed);
    refusal.reason.because = problem ? facts::Facts{problem} : obstacles(places);
    for (Fact &barred : barredGpus(request.gpus, devices))
        refusal.reason.because.push_back(std::move(barred));
    return tl::unexpected<Refusal>(std::move(refusal));
}

}  // namespace sweepscope::schedule
