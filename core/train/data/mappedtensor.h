#pragma once

#include "base/error.h"
#include "train/data/tensorrows.h"

#include <torch/types.h>

namespace sweepscope::train {

/// The values as they lie in the file, which is mapped: what is not used is never read. They must not be changed. Io if
/// the file cannot be mapped, BadInput if its values lie where the processor cannot read them.
Expected<torch::Tensor> mapTensor(const TensorRows &tensor);

}  // namespace sweepscope::train
