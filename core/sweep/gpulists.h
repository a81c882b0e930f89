#pragma once

#include "sweep/gpunames.h"
#include "sweep/sweepspec.h"

#include <vector>

/// Changes of `pin` and `exclude` in [devices] for one GPU.
namespace sweepscope::sweep {

/// What the lists say of a GPU. `exclude` is stronger than `pin`.
enum class GpuRule { None, Pinned, NotPinned, Excluded };
GpuRule gpuRule(const DevicesSection &devices, const GpuIdentity &gpu);

enum class GpuListChange { Exclude, Include, Pin, Unpin };

/// The lists after the change, by the GPU's UUID. Who pins a GPU wants it, so that it is excluded no more. What takes it out
/// of a list leaves the others of `machine` in it that the same entry named ("H200").
DevicesSection withChange(DevicesSection devices, GpuListChange change, const GpuIdentity &gpu,
                          const std::vector<GpuIdentity> &machine);
/// The lists of a sweep that has these GPUs of `machine` and no others, by UUID; none, where it has all of them.
DevicesSection withOnly(DevicesSection devices, const std::vector<GpuIdentity> &chosen,
                        const std::vector<GpuIdentity> &machine);

}  // namespace sweepscope::sweep
