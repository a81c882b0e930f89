#pragma once

#include "base/error.h"
#include "sweep/memoryprofile.h"
#include "train/trainsettings.h"

#include <chrono>

namespace sweepscope::train {

/// Measures the memory of training steps of this trial on the CPU, with the trainer's own model, buckets, optimizer and
/// step. Batches grow up to settings.batchSize, as long as the next one is expected to take no longer than `limit` and no
/// more than half of the free memory. Tensors take as much on a GPU; workspaces of cuDNN and cuBLAS are not included.
/// Errors are those of the data and the model. Throws c10::Error.
Expected<sweep::MemoryProfile> measureMemory(const TrainSettings &settings,
                                             std::chrono::milliseconds limit = std::chrono::seconds(2));

}  // namespace sweepscope::train
