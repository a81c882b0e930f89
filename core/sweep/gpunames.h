#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// A GPU of this machine, by all that a sweep file may call it.
struct GpuIdentity {
    int index = 0;
    std::string id;     ///< UUID
    std::string busId;  ///< "00000000:3B:00.0"
    std::string name;   ///< "NVIDIA H200"
    std::uint64_t memoryBytes = 0;
};

/// Whether an entry of `pin` or `exclude` names this GPU: by index ("0"), UUID or its beginning, PCI bus id, or a part of
/// its name ("H200").
bool namesGpu(const std::string &entry, const GpuIdentity &gpu);

/// Whether a sweep with these lists may have it.
bool mayHaveGpu(const std::vector<std::string> &pin, const std::vector<std::string> &exclude, const GpuIdentity &gpu);

}  // namespace sweepscope::sweep
