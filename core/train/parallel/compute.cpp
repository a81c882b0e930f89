#include "train/parallel/compute.h"

#include <map>

namespace sweepscope::train {

namespace {

/// "ranks 0 and 2 share GPU-…", or that ranks have instances of a GPU; empty if no two share a GPU.
std::string whyNoNccl(const std::vector<std::string> &gpus)
{
    std::map<std::string, std::size_t> owners;
    for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
        if (gpus[rank].empty())
            return "rank " + std::to_string(rank) + " computes on the CPU";
        if (gpus[rank].starts_with("MIG-") && gpus.size() > 1)
            return "rank " + std::to_string(rank) + " has a MIG instance, which NCCL cannot connect to others";
        const auto [owner, isOwn] = owners.emplace(gpus[rank], rank);
        if (!isOwn)
            return "ranks " + std::to_string(owner->second) + " and " + std::to_string(rank)
                   + " would use the same GPU, and NCCL needs one for each rank";
    }
    return {};
}

}  // namespace

std::string toString(Backend backend)
{
    return backend == Backend::Nccl ? "nccl" : "gloo";
}

bool hasNccl()
{
#ifdef SWEEPSCOPE_NCCL
    return true;
#else
    return false;
#endif
}

Expected<ComputeDevice> chooseDevice(const std::string &wanted, const std::string &given, const GpuInventory &inventory)
{
    if (wanted == "cpu")
        return ComputeDevice::Cpu;
    const bool isGiven = given.find("GPU-") != std::string::npos || given.find("MIG-") != std::string::npos;
    if (inventory.visible > 0)
        return ComputeDevice::Gpu;
    const std::string versions = inventory.driverVersion > 0 && inventory.libtorchVersion > 0
                                     ? " (driver: CUDA " + cudaVersionText(inventory.driverVersion)
                                           + ", LibTorch: CUDA " + cudaVersionText(inventory.libtorchVersion) + ")"
                                     : std::string();
    if (isGiven)
        return makeError(ErrorCode::Unavailable, "device mismatch: this rank was given " + given
                                                     + ", but cannot use it: " + inventory.problem + versions
                                                     + "; set device = \"cpu\" to train on the CPU all the same");
    if (wanted == "cuda")
        return makeError(ErrorCode::Unsupported,
                         "device: cuda needs an NVIDIA GPU, but " + inventory.problem + versions);
    return ComputeDevice::Cpu;
}

Expected<Backend> chooseBackend(const std::string &wanted, const std::vector<std::string> &gpus, bool hasNccl)
{
    for (std::size_t rank = 1; rank < gpus.size(); ++rank) {
        if (gpus[rank].empty() != gpus[0].empty())
            return makeError(ErrorCode::Unsupported, "rank " + std::to_string(rank) + " computes on "
                                                         + (gpus[rank].empty() ? "the CPU" : "a GPU") + ", rank 0 on "
                                                         + (gpus[0].empty() ? "the CPU" : "a GPU")
                                                         + ": all ranks must use the same kind of device");
    }
    if (wanted == "gloo")
        return Backend::Gloo;
    const std::string obstacle = whyNoNccl(gpus);
    if (obstacle.empty() && hasNccl)
        return Backend::Nccl;
    if (wanted != "nccl")
        return Backend::Gloo;
    return makeError(ErrorCode::Unsupported,
                     "backend: nccl cannot be used, because "
                         + (obstacle.empty() ? "this worker was built without NCCL (nccl.h was not found)" : obstacle)
                         + "; use gloo or auto");
}

}  // namespace sweepscope::train
