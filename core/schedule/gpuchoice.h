#pragma once

#include "device/device.h"
#include "device/foreignprocesses.h"
#include "facts/fact.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Which of the GPUs a trial may have, how much room there is on each, and what is in the way. Pure bookkeeping.
namespace sweepscope::schedule {

/// What a sweep says about GPUs.
struct GpuWishes {
    std::vector<std::string> pin;      ///< only these; empty = all
    std::vector<std::string> exclude;  ///< not these
    int perGpu = 1;                    ///< ranks that a GPU takes at once
    std::uint64_t memoryBytes = 0;     ///< what each rank is promised; 0 = its share by perGpu
    bool ranksShare = false;           ///< ranks of one trial too, which NCCL refuses
    sweep::ForeignPolicy foreign = sweep::ForeignPolicy::Avoid;
};

/// What is known of a GPU beyond its being given.
struct GpuState {
    facts::Fact unusable;            ///< GpuUnusable or GpuNotRead
    facts::Fact draining;            ///< GpuDraining
    bool drainsForLong = false;      ///< whoever shares GPUs with others anyway does not wait for it any longer
    facts::Fact foreign;             ///< GpuUsed
    std::uint64_t foreignBytes = 0;  ///< of its memory, used by others
};

/// Why a rank cannot be given a GPU now.
enum class Obstacle {
    InUse,     ///< trials of ours have all its places
    Memory,    ///< what they leave of its memory is not enough
    Reserved,  ///< it is kept for a trial that comes before
    Draining,  ///< the memory of its last trial is not free yet
    Leased,    ///< another engine has it
    Foreign,   ///< others use it
    Unusable,  ///< lost, hangs, was not read yet
};

/// Whether it goes away when trials of ours end.
bool endsWithOurs(Obstacle obstacle);

/// One GPU that a trial may have.
struct GpuPlace {
    const device::Device *device = nullptr;
    int most = 0;  ///< ranks of this trial that it could ever take
    int room = 0;  ///< ranks of this trial that it takes now
    int held = 0;  ///< ranks of ours that are on it
    bool hasForeign = false;
    std::optional<Obstacle> obstacle;  ///< when there is no room, or less because of memory
    facts::Fact reason;                ///< of the obstacle
};

/// Of one GPU: what its holders have.
struct GpuHolding {
    int ranks = 0;
    GpuWishes wishes;
};

/// By its lists of GPUs (sweep/gpunames.h).
bool mayHave(const GpuWishes &wishes, const device::Device &device);

GpuPlace placeOn(const device::Device &device, const std::vector<GpuHolding> &holdings, const GpuState &state,
                 const GpuWishes &wishes, const facts::Fact &reserved);

/// One GPU id for each rank's device: evenly over the places, in their order. `needed`: at most the sum of their
/// room.
std::vector<std::string> dealOut(const std::vector<GpuPlace> &places, int needed);

/// The fact with the GPU that it is about.
facts::Fact ofGpu(facts::Fact fact, const device::Device &gpu);

/// GpuUsed; None: nobody uses it.
facts::Fact usedBy(const device::ForeignUse &use);

/// What is in the way on these places.
facts::Facts obstacles(const std::vector<GpuPlace> &places);

/// GPUs that the lists leave out.
facts::Facts barredGpus(const GpuWishes &wishes, const std::vector<device::Device> &devices);

}  // namespace sweepscope::schedule
