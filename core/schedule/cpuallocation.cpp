#include "schedule/cpuallocation.h"

#include <algorithm>
#include <utility>

namespace sweepscope::schedule {

using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

/// Counts the slots of other workspaces. If the folder that engines share cannot be used, trials on CPUs start anyway:
/// at worst they are slower.
tl::expected<std::unique_ptr<GpuLeases::Taking>, Fact> askForCores(std::vector<CoreUse> &cores, GpuLeases *leases)
{
    if (leases == nullptr)
        return nullptr;
    auto taking = leases->begin();
    if (!taking && taking.error().code == ErrorCode::Unavailable)
        return tl::unexpected<Fact>(leaseProblem(taking.error()));
    if (!taking)
        return nullptr;
    for (const CpuUse &use : (*taking)->cpusOfOthers()) {
        for (CoreUse &core : cores)  // their core numbers may exceed ours
            core.users += std::count(use.slots.begin(), use.slots.end(), core.device->index);
    }
    return std::move(*taking);
}

/// Of the sweep. If measured memory decides, this is what `concurrent` comes to, so that it never changes.
std::int64_t ranksPerGpu(const Request &request, const std::vector<device::Device> &devices)
{
    if (!request.gpus.isPacked)
        return request.gpus.perGpu;
    const auto gpus =
        std::max<std::int64_t>(1, std::count_if(devices.begin(), devices.end(), [](const device::Device &device) {
                                   return device.kind == device::Kind::Gpu;
                               }));
    return std::max<std::int64_t>(1, (request.concurrent * request.needed() + gpus - 1) / gpus);
}

}  // namespace

tl::expected<Choice, Refusal> chooseCpuSlots(const Request &request, std::vector<CoreUse> cores, GpuLeases *leases)
{
    if (cores.empty())
        return refuse(ErrorCode::BadInput,
                      lacking(Code::DevicesImpossible, request, false).with(Field::PerRank, request.perRank));
    std::int64_t used = 0;  // by ours: other workspaces affect which cores we choose, but make no trial wait
    for (const CoreUse &core : cores)
        used += core.users;
    const std::int64_t slots = request.cpuSlots > 0 ? request.cpuSlots : static_cast<std::int64_t>(cores.size());
    if (request.needed() > slots) {
        Fact reason = lacking(Code::DevicesImpossible, request, false)
                          .with(Field::PerRank, request.perRank)
                          .with(Field::Present, static_cast<std::int64_t>(cores.size()))
                          .with(Field::Limit, slots);
        if (request.cpuSlots > 0)
            reason = std::move(reason).with(Field::Key, std::string("devices.cpu_slots"));
        return refuse(ErrorCode::BadInput, std::move(reason));
    }
    const auto waits = [&](Fact obstacle) {
        return refuse(ErrorCode::Unavailable, lacking(Code::WaitingForDevices, request, false)
                                                  .with(Field::Limit, slots)
                                                  .with(Field::Free, std::max<std::int64_t>(0, slots - used))
                                                  .dueTo(std::move(obstacle)));
    };
    if (request.needed() > slots - used)
        return waits(Fact(Code::DevicesInUse).with(Field::Count, std::min<std::int64_t>(used, slots)));
    auto taking = askForCores(cores, leases);
    if (!taking)
        return waits(std::move(taking.error()));

    // The least used core next, the first of equals: with more slots than cores this is round-robin.
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
    place.ranksNear =
        static_cast<int>(std::max<std::int64_t>(1, place.neighbours * ranksPerGpu(request, devices) / request.perRank));
    place.part = static_cast<int>(std::count_if(devices.begin(), given, isNeighbour));
    return place;
}

}  // namespace sweepscope::schedule
