#pragma once

#include "base/error.h"
#include "train/rankenvironment.h"
#include "train/trainsettings.h"

#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// BadInput when settings.parallel does not fit the number of ranks: data_parallel and model are one process.
Expected<void> checkParallel(const TrainSettings &settings, int ranks);

/// Returns the first GPU of a rank among its visible ones: the GPU assigned by Sweepscope, else, under torchrun, the
/// first one after those of lower ranks on this machine.
int firstGpu(const TrainSettings &settings, const RankEnvironment &environment);

/// The first device of a rank, as settings.device says: see chooseDevice(). A GPU has been tried. Unavailable and
/// Unsupported say why a GPU that was given or wanted cannot be used.
Expected<torch::Device> openDevice(const TrainSettings &settings, const RankEnvironment &environment);

/// The devices that one rank computes on, the first of which is `first`: one for ddp, else settings.stages, else as
/// many as Sweepscope gave the rank (SWEEPSCOPE_DEVICES), else two. CPU devices are logical: the same CPU several
/// times. BadInput when there are not that many GPUs.
Expected<std::vector<torch::Device>> rankDevices(const TrainSettings &settings, torch::Device first);

/// Returns a sentence if the GPU that a rank has opened is not assigned to it (`given`: SWEEPSCOPE_DEVICES). Empty if
/// it is, if the rank has no assigned GPU, and for MIG instances, whose names may differ between CUDA and NVML.
std::string deviceMismatch(int rank, const std::string &openedUuid, const std::string &given);

}  // namespace sweepscope::train
