#pragma once

#include "base/error.h"
#include "train/data/dataset.h"

#include <string>

namespace sweepscope::train {

/// A data set of features (or, for 4-dimensional uint8 inputs, images) and numeric targets of any type. `task`: auto,
/// classification or regression; auto is classification when all targets are whole numbers, one per sample. Classes
/// are 0 … largest target. `source` begins the sentence when something does not fit: "data.npy".
Expected<Dataset> makeDataset(const torch::Tensor &inputs, const torch::Tensor &targets, const std::string &task,
                              const std::string &source);

}  // namespace sweepscope::train
