#pragma once

#include "device/device.h"
#include "device/foreignprocesses.h"
#include "facts/fact.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Determines which GPUs a trial may use, how much room each has, and the obstacles. Pure bookkeeping.
namespace sweepscope::schedule {

/// A sweep's GPU settings.
struct GpuWishes {
    std::vector<std::string> pin;      ///< only these; empty = all
    std::vector<std::string> exclude;  ///< not these
    int perGpu = 1;                    ///< maximum number of ranks on a GPU at once
    std::uint64_t memoryBytes = 0;     ///< promised to each rank; 0 = its share by perGpu
    bool ranksShare = false;           ///< even ranks of one trial, which NCCL refuses
    sweep::ForeignPolicy foreign = sweep::ForeignPolicy::Avoid;
    bool isPacked = false;            ///< the sweep lets measured memory decide, if not yet (packing.h)
    std::uint64_t measuredBytes = 0;  ///< peak of a rank, of a packed sweep that shares; 0: it does not
};

/// The state of a GPU in addition to its allocation.
struct GpuState {
    facts::Fact unusable;            ///< GpuLost ... GpuNotRead
    facts::Fact draining;            ///< GpuDraining
    bool drainsForLong = false;      ///< sweeps that share GPUs anyway no longer wait for it
    facts::Fact foreign;             ///< GpuUsed
    std::uint64_t foreignBytes = 0;  ///< of its memory, used by others
};

/// Why a rank cannot get a GPU now.
enum class Obstacle {
    InUse,     ///< our trials use all its places
    Memory,    ///< our trials leave too little of its memory
    Reserved,  ///< reserved for an earlier trial
    Draining,  ///< the memory of its last trial is not free yet
    Leased,    ///< another engine has it
    Foreign,   ///< others use it
    Unusable,  ///< lost, hung, or not read yet
};

/// Returns whether the obstacle can disappear when our trials end.
bool endsWithOurs(Obstacle obstacle);

/// One GPU that a trial may use.
struct GpuPlace {
    const device::Device *device = nullptr;
    int most = 0;  ///< maximum ranks of this trial on it when empty
    int room = 0;  ///< ranks of this trial that fit now
    int held = 0;  ///< ranks of our trials on it
    bool hasForeign = false;
    std::optional<Obstacle> obstacle;  ///< set if there is no room, or less because of memory
    facts::Fact reason;                ///< of the obstacle
};

/// The ranks and memory that holders have of one GPU.
struct GpuHolding {
    int ranks = 0;
    GpuWishes wishes;
};

/// Checks the sweep's lists of GPUs (sweep/gpunames.h).
bool mayHave(const GpuWishes &wishes, const device::Device &device);

GpuPlace placeOn(const device::Device &device, const std::vector<GpuHolding> &holdings, const GpuState &state,
                 const GpuWishes &wishes, const facts::Fact &reserved);

/// Returns one GPU id for each rank's device, distributed evenly over the places in their order. `needed`: at most the
/// sum of their room.
std::vector<std::string> dealOut(const std::vector<GpuPlace> &places, int needed);

/// Adds the GPU to the fact.
facts::Fact ofGpu(facts::Fact fact, const device::Device &gpu);

/// Returns GpuUsed; None if no process uses it.
facts::Fact usedBy(const device::ForeignUse &use);

/// Returns the obstacles on these places.
facts::Facts obstacles(const std::vector<GpuPlace> &places);

/// Returns which GPUs the lists exclude.
facts::Facts barredGpus(const GpuWishes &wishes, const std::vector<device::Device> &devices);

}  // namespace sweepscope::schedule
