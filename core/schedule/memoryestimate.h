#pragma once

#include "facts/fact.h"
#include "sweep/memoryprofile.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <string>
#include <vector>

/// Predicts the memory of a trial from a measured step (sweep::MemoryProfile). Pure functions.
namespace sweepscope::schedule {

/// How the ranks and devices of a trial share its work.
struct ParallelLayout {
    std::string parallel = "ddp";  ///< the built-in worker's setting
    int ranks = 1;
    int devices = 1;  ///< of each rank
    bool isChosen = false;

    bool operator==(const ParallelLayout &) const = default;
};

/// Returns the sweep's own layout, then the other ones of the same devices. `point`: parameters of the trial.
std::vector<ParallelLayout> layoutsOf(const sweep::SweepSpec &spec, const sweep::ParameterSet &point);

/// Bytes on one device of a rank.
struct DeviceMemory {
    std::uint64_t parameters = 0;   ///< and buffers
    std::uint64_t gradients = 0;    ///< buckets
    std::uint64_t optimizer = 0;    ///< state
    std::uint64_t activations = 0;  ///< peak of a step above the others, the batch included

    std::uint64_t total() const { return parameters + gradients + optimizer + activations; }
    bool operator==(const DeviceMemory &) const = default;
};

/// Returns the devices of one rank, in order; empty if the model has fewer layers than stages.
///   ddp            one device with all of it
///   data_parallel  replicas for a share of the batch; the first device also has buckets, optimizer and the whole batch
///   model, hybrid  consecutive layers, split as the worker does (sweep::assignStages); each stage keeps the activations of
///                  the whole batch, and is assumed to need what the whole model needs for a moment of backward
std::vector<DeviceMemory> memoryOfRank(const sweep::MemoryProfile &profile, const ParallelLayout &layout,
                                       std::int64_t batchSize);

/// Memory that a GPU needs besides tensors, for each process that uses it: CUDA context, kernels, and workspaces of cuBLAS
/// and cuDNN. PyTorch's pull request 86509 measured 287 MB for context and kernels that are loaded when needed, the default
/// of PyTorch and of CUDA 12.2, and 667 MB for all kernels; PyTorch's workspaces of cuBLAS are 8 MiB, 32 MiB on Hopper
/// ("CUDA semantics").
constexpr std::uint64_t gpuOverhead = std::uint64_t{512} << 20U;

/// Who offers the memory: all GPUs of one model, or the machine for its CPU ranks.
struct MemorySupply {
    std::string name;
    bool isGpu = false;
    std::uint64_t bytes = 0;  ///< for one rank of a GPU; for all ranks of the machine
    int trialsAtOnce = 1;     ///< on the CPU

    bool operator==(const MemorySupply &) const = default;
};

struct MemoryEstimate {
    ParallelLayout layout;
    DeviceMemory largest{};    ///< the device of a rank that needs most; on the CPU a whole rank
    std::uint64_t needed = 0;  ///< of the supply
    facts::Fact verdict{};     ///< MemoryFits, MemoryShort or ModelUnsplit
};

MemoryEstimate estimateMemory(const sweep::MemoryProfile &profile, const ParallelLayout &layout,
                              const MemorySupply &supply);

}  // namespace sweepscope::schedule
