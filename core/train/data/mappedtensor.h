#pragma once

#include "base/error.h"
#include "train/data/tensorrows.h"

#include <torch/types.h>

namespace sweepscope::train {

/// Returns the values of the file, which is mapped: unused values are never read. They must not be changed. Io if the
/// file cannot be mapped, BadInput if its values are not aligned.
Expected<torch::Tensor> mapTensor(const TensorRows &tensor);

}  // namespace sweepscope::train
