#pragma once

#include <cstdint>
#include <string>

namespace sweepscope::train {

/// What this process can compute with. Versions are CUDA's, 12040 for 12.4; 0: not known.
struct GpuInventory {
    bool hasCudaBuild = false;  ///< LibTorch was built with CUDA
    int visible = 0;            ///< GPUs that LibTorch can use
    int driverVersion = 0;      ///< the newest that the driver runs
    int libtorchVersion = 0;    ///< the one LibTorch was built with
    std::string problem{};      ///< why none is visible, in CUDA's words
};

/// Asks the driver (libcuda.so.1) and LibTorch. Needs none of CUDA's headers, so that every build can say why there is no
/// GPU.
GpuInventory lookForGpus();

/// Returns why LibTorch cannot use the driver's GPUs, or that there are none; empty if it can use them. `seenByDriver`:
/// number of GPUs; `driverError`: error of the driver instead.
std::string gpuProblem(const GpuInventory &inventory, int seenByDriver, const std::string &driverError);

/// Of one of the visible GPUs, as NVML writes it: "GPU-…" or "MIG-…"; empty if the driver does not say.
std::string gpuUuid(int index);

/// Makes a GPU the current one, and runs a kernel on it. Throws c10::Error with CUDA's reason.
void openGpu(int index);

/// Bytes that are free on the current GPU; 0 if the driver does not say.
std::uint64_t freeGpuMemory();

/// Whether data may lie on a GPU as a whole: it leaves three quarters of the free memory to training.
bool fitsOnGpu(std::uint64_t bytes, std::uint64_t freeBytes);

/// "12.4" for 12040.
std::string cudaVersionText(int version);

}  // namespace sweepscope::train
