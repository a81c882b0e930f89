#pragma once

#include "base/error.h"
#include "train/rankenvironment.h"
#include "train/trainsettings.h"

#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// BadInput when settings.parallel does not fit the number of ranks: data_parallel and model are one process.
Expected<void> checkParallel(const TrainSettings &settings, int ranks);

/// The first GPU of a rank among those that it sees: the one that Sweepscope named, else, under torchrun, as many further
/// on as the ranks before it on this machine have.
int firstGpu(const TrainSettings &settings, const RankEnvironment &environment);

/// The first device of a rank, as settings.device says: see chooseDevice(). A GPU has been tried. Unavailable and
/// Unsupported say why a GPU that was given or wanted cannot be used.
Expected<torch::Device> openDevice(const TrainSettings &settings, const RankEnvironment &environment);

/// The devices that one rank computes on, the first of which is `first`: one for ddp, else settings.stages, else as
/// many as Sweepscope gave the rank (SWEEPSCOPE_DEVICES), else two. CPU devices are logical: the same CPU several
/// times. BadInput when there are not that many GPUs.
Expected<std::vector<torch::Device>> rankDevices(const TrainSettings &settings, torch::Device first);

/// A sentence when the GPU that a rank has opened is none of those that it was given (`given`: SWEEPSCOPE_DEVICES);
/// empty when it is one of them, when it was given none, and of MIG instances, which CUDA may name as NVML does not.
std::string deviceMismatch(int rank, const std::string &openedUuid, const std::string &given);

}  // namespace sweepscope::train
