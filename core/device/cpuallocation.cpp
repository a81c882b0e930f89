#include "device/allocator.h"

#include <algorithm>
#include <utility>

/// Which CPU slots a trial gets, and which cores its ranks are bound to.
namespace sweepscope::device {

namespace {

constexpr std::size_t mostHolders = 3;  ///< in a sentence

std::string usedInWords(std::int64_t ours, std::int64_t theirs, const std::vector<std::string> &holders)
{
    std::string text = ours == 0 && theirs > 0 ? "" : std::to_string(ours) + (ours == 1 ? " is in use" : " are in use");
    if (theirs == 0)
        return text;
    text += (text.empty() ? "" : "; ") + std::to_string(theirs) + (theirs == 1 ? " is used by " : " are used by ");
    for (std::size_t i = 0; i < std::min(holders.size(), mostHolders); ++i)
        text += (i == 0 ? "" : "; and by ") + holders[i];
    if (holders.size() > mostHolders)
        text += "; and by " + counted(static_cast<std::int64_t>(holders.size() - mostHolders), "more trial");
    return text;
}

/// "is next for digits, trial 3 (…)"
std::string nextInWords(const std::string &whoIsBefore)
{
    constexpr std::string_view isNext = "is next ";
    return "the next is " + whoIsBefore.substr(std::min(isNext.size(), whoIsBefore.size()));
}

std::string waitsFor(const Request &request, std::int64_t slots)
{
    return "waits for " + std::to_string(request.needed()) + " of " + counted(slots, "CPU slot") + ": ";
}

}  // namespace

struct Allocator::Core {
    const Device *device;
    std::int64_t users;
};

std::vector<Allocator::Core> Allocator::coresHere() const
{
    std::vector<Core> cores;
    for (const Device &device : m_devices) {
        if (device.kind == Kind::Cpu)
            cores.push_back({&device, static_cast<std::int64_t>(holders(device.id).size())});
    }
    return cores;
}

tl::expected<Allocator::Chosen, Refusal> Allocator::chooseCpuSlots(const Request &request)
{
    std::vector<Core> cores = coresHere();
    if (cores.empty())
        return refuse(ErrorCode::BadInput, "needs CPU cores, but none is known on this machine");
    SlotsInUse used;
    for (const Core &core : cores)
        used.ours += core.users;
    const std::int64_t slots = request.cpuSlots > 0 ? request.cpuSlots : static_cast<std::int64_t>(cores.size());
    if (request.needed() > slots)
        return refuse(ErrorCode::BadInput,
                      "needs " + needInWords(request.ranks, request.perRank, "CPU slot") + ", but there "
                          + (slots == 1 ? "is " : "are ") + std::to_string(slots)
                          + (request.cpuSlots > 0 ? " (devices.cpu_slots)" : " (one per core)")
                          + ": lower run.ranks or devices.per_rank, or raise devices.cpu_slots, so that ranks share "
                            "cores");
    if (request.needed() > slots - used.ours)  // whatever others have: they need not be asked
        return refuse(ErrorCode::Unavailable, waitsFor(request, slots) + usedInWords(used.ours, 0, {}));
    auto taking = askForSlots(request, slots, std::move(used), cores);
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

/// Where the folder that engines share cannot be used, trials on CPUs start all the same: they get slower at worst.
tl::expected<std::unique_ptr<GpuLeases::Taking>, Refusal>
Allocator::askForSlots(const Request &request, std::int64_t slots, SlotsInUse used, std::vector<Core> &cores)
{
    if (m_leases == nullptr)
        return nullptr;
    auto taking = m_leases->begin(request.sweep);
    if (!taking && taking.error().code == ErrorCode::Unavailable)
        return refuse(ErrorCode::Unavailable, waitsFor(request, slots) + taking.error().message);
    if (!taking)
        return nullptr;
    for (const CpuUse &use : (*taking)->cpusOfOthers()) {
        std::int64_t here = 0;  // they may have others than we
        for (Core &core : cores) {
            const auto users = std::count(use.slots.begin(), use.slots.end(), core.device->index);
            core.users += users;
            here += users;
        }
        used.theirs += here;
        if (here > 0)
            used.holders.push_back(use.holder);
    }
    const std::string before = (*taking)->whoIsBefore(GpuLeases::cpuSlots);
    const bool fits = request.needed() <= slots - used.ours - used.theirs;
    if (fits && before.empty()) {
        m_leases->served(request.sweep);
        return std::move(*taking);
    }
    Refusal refusal{ErrorCode::Unavailable, waitsFor(request, slots)};
    refusal.message += fits ? nextInWords(before) : usedInWords(used.ours, used.theirs, used.holders);
    refusal.endsWithTrials = true;
    return tl::unexpected<Refusal>(std::move(refusal));
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
    for (const Device &device : m_devices) {
        const auto slots = device.kind == Kind::Cpu ? std::count(chosen.ids.begin(), chosen.ids.end(), device.id) : 0;
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
        places = request.cpuSlots > 0 ? request.cpuSlots
                                      : std::count_if(m_devices.begin(), m_devices.end(),
                                                      [](const Device &device) { return device.kind == Kind::Cpu; });
    }
    return std::clamp<std::int64_t>(places / request.needed(), 1, std::max(1, request.concurrent));
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

}  // namespace sweepscope::device
