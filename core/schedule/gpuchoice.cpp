#include "schedule/gpuchoice.h"

#include "sweep/gpunames.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sweepscope::schedule {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

sweep::GpuIdentity identityOf(const device::Device &device)
{
    return {device.index, device.id, device.pciBusId, device.name, device.memoryBytes};
}

/// Measured peaks fill at most this share of a GPU: peaks between readings are missed, and memory gets fragmented.
constexpr std::uint64_t filledPercent = 90;

/// Returns the GPU memory promised to a rank by its sweep. 0: memory is not counted.
std::uint64_t promised(const GpuWishes &wishes, const device::Device &device)
{
    if (wishes.measuredBytes > 0)
        return std::max(wishes.memoryBytes, std::min(wishes.measuredBytes * 100 / filledPercent, device.memoryBytes));
    if (wishes.memoryBytes > 0)
        return wishes.memoryBytes;
    return device.memoryBytes / static_cast<std::uint64_t>(std::max(1, wishes.perGpu));
}

int asCount(std::uint64_t number)
{
    return static_cast<int>(std::min<std::uint64_t>(number, std::numeric_limits<int>::max()));
}

/// Returns the maximum number of ranks, whatever their memory.
int limitOn(const device::Device &device, const GpuWishes &wishes)
{
    const bool fitsUnknown = wishes.measuredBytes > 0 && device.memoryBytes == 0;
    return fitsUnknown ? 1 : wishes.perGpu;
}

/// Returns the maximum number of ranks on the GPU when it is empty.
int mostRanks(const device::Device &device, const GpuWishes &wishes)
{
    const std::uint64_t each = promised(wishes, device);
    const int limit = limitOn(device, wishes);
    const int byMemory = each > 0 && device.memoryBytes > 0 ? asCount(device.memoryBytes / each) : limit;
    return std::min(limit, byMemory);
}

}  // namespace

bool endsWithOurs(Obstacle obstacle)
{
    return obstacle == Obstacle::InUse || obstacle == Obstacle::Memory || obstacle == Obstacle::Reserved
           || obstacle == Obstacle::Draining;
}

bool mayHave(const GpuWishes &wishes, const device::Device &device)
{
    return sweep::mayHaveGpu(wishes.pin, wishes.exclude, identityOf(device));
}

namespace {

/// Some room may remain.
void limitByMemory(GpuPlace &place, std::uint64_t left, std::uint64_t each)
{
    place.obstacle = Obstacle::Memory;
    place.reason = ofGpu(Fact(Code::GpuMemoryShort)
                             .with(Field::Bytes, static_cast<std::int64_t>(left))
                             .with(Field::NeededBytes, static_cast<std::int64_t>(each)),
                         *place.device);
}

}  // namespace

GpuPlace placeOn(const device::Device &device, const std::vector<GpuHolding> &holdings, const GpuState &state,
                 const GpuWishes &wishes, const Fact &reserved)
{
    using sweep::ForeignPolicy;
    GpuPlace place;
    place.device = &device;
    const int together = wishes.ranksShare ? std::numeric_limits<int>::max() : 1;
    place.most = std::min(together, mostRanks(device, wishes));

    int limit = limitOn(device, wishes);
    std::uint64_t taken = wishes.foreign == ForeignPolicy::Share ? state.foreignBytes : 0;
    for (const GpuHolding &holding : holdings) {
        place.held += holding.ranks;
        limit = std::min(limit, limitOn(device, holding.wishes));
        taken += promised(holding.wishes, device) * static_cast<std::uint64_t>(holding.ranks);
    }
    place.hasForeign = state.foreign && wishes.foreign != ForeignPolicy::Ignore;
    const std::uint64_t each = promised(wishes, device);
    // A single rank per GPU without a memory setting uses all memory that there is.
    const bool counts = device.memoryBytes > 0 && each > 0 && (wishes.memoryBytes > 0 || wishes.perGpu > 1);
    const std::uint64_t left = device.memoryBytes - std::min(device.memoryBytes, taken);
    const int byMemory = counts ? asCount(left / each) : std::numeric_limits<int>::max();
    place.room = std::max(0, std::min({place.most, limit - place.held, byMemory}));

    const auto block = [&place](Obstacle obstacle, Fact reason) {
        place.room = 0;
        place.obstacle = obstacle;
        place.reason = ofGpu(std::move(reason), *place.device);
    };
    const bool waitsForDrain =
        wishes.foreign == ForeignPolicy::Avoid || (wishes.foreign == ForeignPolicy::Share && !state.drainsForLong);
    if (state.unusable)
        block(Obstacle::Unusable, state.unusable);
    else if (place.hasForeign && wishes.foreign == ForeignPolicy::Avoid)
        block(Obstacle::Foreign, state.foreign);
    else if (reserved)
        block(Obstacle::Reserved, Fact(Code::GpuReserved).dueTo(reserved));
    else if (limit <= place.held)
        block(Obstacle::InUse, Code::DevicesInUse);
    else if (state.draining && waitsForDrain)
        block(Obstacle::Draining, state.draining);
    else if (byMemory < std::min(place.most, limit - place.held) || place.most == 0)
        limitByMemory(place, left, each);
    return place;
}

std::vector<std::string> dealOut(const std::vector<GpuPlace> &places, int needed)
{
    std::vector<int> given(places.size(), 0);
    for (int rank = 0; rank < needed; ++rank) {
        std::size_t best = places.size();
        for (std::size_t i = 0; i < places.size(); ++i) {
            const bool hasRoom = given[i] < places[i].room;
            if (hasRoom && (best == places.size() || given[i] + places[i].held < given[best] + places[best].held))
                best = i;
        }
        ++given[best];
    }
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < places.size(); ++i)
        ids.insert(ids.end(), static_cast<std::size_t>(given[i]), places[i].device->id);
    return ids;
}

Fact ofGpu(Fact fact, const device::Device &gpu)
{
    if (gpu.parentId.empty())  // the index of a MIG instance means nothing to the user
        fact = std::move(fact).with(Field::Index, gpu.index);
    return std::move(fact).with(Field::Device, gpu.id);
}

Fact usedBy(const device::ForeignUse &use)
{
    if (!use.largest)
        return {};
    const device::DeviceProcess &largest = *use.largest;
    Fact fact = Fact(Code::GpuUsed).with(Field::Pid, largest.pid).with(Field::Count, use.count - 1);
    if (largest.user)
        fact = std::move(fact).with(Field::User, *largest.user);
    if (largest.name && !largest.name->empty())
        fact = std::move(fact).with(Field::Process, *largest.name);
    if (largest.memoryBytes)
        fact = std::move(fact).with(Field::Bytes, static_cast<std::int64_t>(*largest.memoryBytes));
    return fact;
}

facts::Facts obstacles(const std::vector<GpuPlace> &places)
{
    const auto inUse = std::ranges::count(places, Obstacle::InUse, &GpuPlace::obstacle);
    int ranks = 0;
    facts::Facts found;
    if (inUse > 0)
        found.push_back(Fact(Code::DevicesInUse).with(Field::Count, inUse));
    for (const GpuPlace &place : places)
        ranks += place.obstacle ? 0 : place.held;
    if (ranks > 0)  // only if several ranks may share one
        found.push_back(Fact(Code::RanksOnOthers).with(Field::Count, ranks));
    for (const GpuPlace &place : places) {
        if (place.obstacle && place.obstacle != Obstacle::InUse)
            found.push_back(place.reason);
    }
    return found;
}

facts::Facts barredGpus(const GpuWishes &wishes, const std::vector<device::Device> &devices)
{
    facts::Facts barred;
    std::int64_t unpinned = 0;
    for (const device::Device &device : devices) {
        if (device.kind != device::Kind::Gpu || mayHave(wishes, device))
            continue;
        if (!mayHave({{}, wishes.exclude}, device))
            barred.push_back(ofGpu(Code::GpuExcluded, device));
        else
            ++unpinned;
    }
    if (unpinned > 0)
        barred.push_back(Fact(Code::GpusNotPinned).with(Field::Count, unpinned));
    return barred;
}

}  // namespace sweepscope::schedule
