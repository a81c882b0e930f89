#include "schedule/gpuchoice.h"

#include "sweep/gpunames.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sweepscope::schedule {

namespace {

constexpr std::size_t mostNamed = 4;  ///< GPUs in a sentence

sweep::GpuIdentity identityOf(const device::Device &device)
{
    return {device.index, device.id, device.pciBusId, device.name, device.memoryBytes};
}

/// What a rank takes of a GPU's memory, by what its sweep says. 0: nothing is counted.
std::uint64_t promised(const GpuWishes &wishes, const device::Device &device)
{
    if (wishes.memoryBytes > 0)
        return wishes.memoryBytes;
    return device.memoryBytes / static_cast<std::uint64_t>(std::max(1, wishes.perGpu));
}

int asCount(std::uint64_t number)
{
    return static_cast<int>(std::min<std::uint64_t>(number, std::numeric_limits<int>::max()));
}

/// Ranks that it takes at most when it is empty.
int mostRanks(const device::Device &device, const GpuWishes &wishes)
{
    const std::uint64_t each = promised(wishes, device);
    const int byMemory = each > 0 && device.memoryBytes > 0 ? asCount(device.memoryBytes / each) : wishes.perGpu;
    return std::min(wishes.perGpu, byMemory);
}

std::string label(const device::Device &device)
{
    if (!device.parentId.empty())
        return "MIG instance " + device.id;
    return "GPU " + std::to_string(device.index);
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

/// Some places may be left all the same.
void limitByMemory(GpuPlace &place, std::uint64_t left, std::uint64_t each)
{
    place.obstacle = Obstacle::Memory;
    place.words = "has " + device::inBytes(left) + " of its memory left, and " + device::inBytes(each) + " are needed"
                  + (place.most > 1 ? " for each rank" : "");
}

}  // namespace

GpuPlace placeOn(const device::Device &device, const std::vector<GpuHolding> &holdings, const GpuState &state,
                 const GpuWishes &wishes, const std::string &reserved)
{
    using sweep::ForeignPolicy;
    GpuPlace place;
    place.device = &device;
    const int together = wishes.ranksShare ? std::numeric_limits<int>::max() : 1;
    place.most = std::min(together, mostRanks(device, wishes));

    int limit = wishes.perGpu;
    std::uint64_t taken = wishes.foreign == ForeignPolicy::Share ? state.foreignBytes : 0;
    for (const GpuHolding &holding : holdings) {
        place.held += holding.ranks;
        limit = std::min(limit, holding.wishes.perGpu);
        taken += promised(holding.wishes, device) * static_cast<std::uint64_t>(holding.ranks);
    }
    place.hasForeign = !state.foreign.empty() && wishes.foreign != ForeignPolicy::Ignore;
    const std::uint64_t each = promised(wishes, device);
    // Alone on a GPU, without a word about memory, a trial takes what there is.
    const bool counts = device.memoryBytes > 0 && each > 0 && (wishes.memoryBytes > 0 || wishes.perGpu > 1);
    const std::uint64_t left = device.memoryBytes - std::min(device.memoryBytes, taken);
    const int byMemory = counts ? asCount(left / each) : std::numeric_limits<int>::max();
    place.room = std::max(0, std::min({place.most, limit - place.held, byMemory}));

    const auto block = [&place](Obstacle obstacle, std::string words) {
        place.room = 0;
        place.obstacle = obstacle;
        place.words = std::move(words);
    };
    const bool waitsForDrain =
        wishes.foreign == ForeignPolicy::Avoid || (wishes.foreign == ForeignPolicy::Share && !state.drainsForLong);
    if (!state.unusable.empty())
        block(Obstacle::Unusable, state.unusable);
    else if (place.hasForeign && wishes.foreign == ForeignPolicy::Avoid)
        block(Obstacle::Foreign, state.foreign);
    else if (!reserved.empty())
        block(Obstacle::Reserved, reserved);
    else if (limit <= place.held)
        block(Obstacle::InUse, "is in use");
    else if (!state.draining.empty() && waitsForDrain)
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

std::string obstaclesInWords(const std::vector<GpuPlace> &places)
{
    std::size_t inUse = 0;
    int ranks = 0;
    std::vector<std::string> others;
    for (const GpuPlace &place : places) {
        if (place.obstacle == Obstacle::InUse)
            ++inUse;
        else if (place.obstacle)
            others.push_back(label(*place.device) + " " + place.words);
        else
            ranks += place.held;
    }
    std::string text = inUse == 0 ? "" : std::to_string(inUse) + (inUse == 1 ? " is in use" : " are in use");
    if (ranks > 0)  // where several ranks may be on one
        text += (text.empty() ? "" : "; ") + std::to_string(ranks) + (ranks == 1 ? " rank is" : " ranks are")
                + " on the others";
    for (std::size_t i = 0; i < std::min(others.size(), mostNamed); ++i)
        text += (text.empty() ? "" : "; ") + others[i];
    if (others.size() > mostNamed)
        text += "; and " + std::to_string(others.size() - mostNamed) + " more";
    return text;
}

std::string barredInWords(const GpuWishes &wishes, const std::vector<device::Device> &devices)
{
    std::vector<std::string> excluded;
    std::size_t unpinned = 0;
    for (const device::Device &device : devices) {
        if (device.kind != device::Kind::Gpu || mayHave(wishes, device))
            continue;
        if (!mayHave({{}, wishes.exclude}, device))
            excluded.push_back(label(device));
        else
            ++unpinned;
    }
    std::string text;
    for (std::size_t i = 0; excluded.size() <= mostNamed && i < excluded.size(); ++i)
        text += (text.empty() ? "" : i + 1 == excluded.size() ? " and " : ", ") + excluded[i];
    if (excluded.size() > mostNamed)
        text = std::to_string(excluded.size()) + " others";
    if (!excluded.empty())
        text += excluded.size() == 1 ? " is excluded" : " are excluded";
    if (unpinned > 0)
        text +=
            (text.empty() ? "" : "; ") + std::to_string(unpinned) + (unpinned == 1 ? " is" : " are") + " not pinned";
    return text;
}

}  // namespace sweepscope::schedule
