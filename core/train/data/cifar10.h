#pragma once

#include "base/error.h"
#include "train/data/mnist.h"

#include <filesystem>

namespace sweepscope::train {

/// CIFAR-10's binary version: data_batch_1.bin … data_batch_5.bin and test_batch.bin, plain or with .gz, each of
/// records of 3,073 bytes: the class (0 to 9), then 32 x 32 red, green, blue values. Files may lie in `folder` or in
/// its cifar-10-batches-bin. With `choices` only the images that they want are kept.
Expected<TrainAndTest> readCifar10(const std::filesystem::path &folder, const RowChoices &choices = {});

}  // namespace sweepscope::train
