#pragma once

#include "base/error.h"
#include "train/parallel/gpu.h"

#include <string>
#include <vector>

namespace sweepscope::train {

/// How ranks exchange gradients.
enum class Backend { Gloo, Nccl };
std::string toString(Backend backend);

/// Whether this worker was built with NCCL.
bool hasNccl();

/// What a rank computes on. `wanted`: auto, cuda or cpu; `given`: the GPUs that Sweepscope gave the rank, "" if none. Auto
/// is a GPU where one is given or visible. Unavailable says why a GPU that was given cannot be used (training elsewhere
/// without a word would waste it), Unsupported why one that was wanted cannot be had.
enum class ComputeDevice { Cpu, Gpu };
Expected<ComputeDevice> chooseDevice(const std::string &wanted, const std::string &given,
                                     const GpuInventory &inventory);

/// How `gpus.size()` ranks exchange gradients, where each says what GPU it computes on ("GPU-… of host", "" for the CPU).
/// `wanted`: auto, gloo or nccl. Auto is NCCL if each rank has its own GPU, else Gloo, which takes gradients of a GPU
/// through the CPU's memory. Unsupported says why NCCL cannot be had.
Expected<Backend> chooseBackend(const std::string &wanted, const std::vector<std::string> &gpus, bool hasNccl);

}  // namespace sweepscope::train
