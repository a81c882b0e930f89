#include "schedule/cpuallocation.h"

#include <algorithm>
#include <utility>

namespace sweepscope::schedule {

namespace {

std::string waitsFor(const Request &request, std::int64_t slots)
{
    return "waits for " + std::to_string(request.needed()) + " of " + counted(slots, "CPU slot") + ": ";
}

/// Counts the slots of other workspaces. Where the folder that engines share cannot be used, trials on CPUs start all the
/// same: they get slower at worst.
tl::expected<std::unique_ptr<GpuLeases::Taking>, Refusal> askForCores(const Request &request, std::int64_t slots,
                                                                      std::vector<CoreUse> &cores, GpuLeases *leases)
{
    if (leases == nullptr)
        return nullptr;
    auto taking = leases->begin();
    if (!taking && taking.error().code == ErrorCode::Unavailable)
        return refuse(ErrorCode::Unavailable, waitsFor(request, slots) + taking.error().message);
    if (!taking)
        return nullptr;
    for (const CpuUse &use : (*taking)->cpusOfOthers()) {
        for (CoreUse &core : cores)  // they may have others than we
            core.users += std::count(use.slots.begin(), use.slots.end(), core.device->index);
    }
    return std::move(*taking);
}

}  // namespace

tl::expected<Choice, Refusal> chooseCpuSlots(const Request &request, std::vector<CoreUse> cores, GpuLeases *leases)
{
    if (cores.empty())
        return refuse(ErrorCode::BadInput, "needs CPU cores, but none is known on this machine");
    std::int64_t used = 0;  // by ours: what others have steers which cores ours get, and makes none of them wait
    for (const CoreUse &core : cores)
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
    auto taking = askForCores(request, slots, cores, leases);
    if (!taking)
        return tl::unexpected<Refusal>(std::move(taking.error()));

    // The least used core next, the first of equals: with more slots than cores this goes round and round.
    Choice choice;
    for (std::int64_t slot = 0; slot < request.needed(); ++slot) {
        const auto core = std::min_element(cores.begin(), cores.end(),
                                           [](const CoreUse &a, const CoreUse &b) { return a.users < b.users; });
        choice.ids.push_back(core->device->id);
        ++core->users;
    }
    choice.taking = std::move(*taking);
    return choice;
}

CpuPlace cpuPlaceOf(const std::vector<std::string> &deviceIds, const Request &request,
                    const std::vector<device::Device> &devices)
{
    CpuPlace place;
    const auto given = std::find_if(devices.begin(), devices.end(), [&](const device::Device &device) {
        return std::find(deviceIds.begin(), deviceIds.end(), device.id) != deviceIds.end();
    });
    if (given == devices.end())
        return place;
    if (given->kind == device::Kind::Cpu) {
        place.first = given->index;
        return place;
    }
    place.near = given->nearCpus;
    const auto isNeighbour = [&](const device::Device &device) {
        return device.kind == device::Kind::Gpu && device.nearCpus == given->nearCpus;
    };
    place.neighbours = static_cast<int>(std::count_if(devices.begin(), devices.end(), isNeighbour));
    place.ranksNear = std::max(1, place.neighbours * request.gpus.perGpu / request.perRank);
    place.part = static_cast<int>(std::count_if(devices.begin(), given, isNeighbour));
    return place;
}

}  // namespace sweepscope::schedule
