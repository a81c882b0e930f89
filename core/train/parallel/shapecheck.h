#pragma once

#include "train/parallel/processgroup.h"

#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

struct NamedTensor {
    std::string name;
    torch::Tensor tensor;
};

/// Without those that are another one under a second name (tied weights), as torch's named_parameters() in Python.
std::vector<NamedTensor> withoutTwins(std::vector<NamedTensor> tensors);

/// Throws c10::Error, on every rank the same, when a rank's tensors differ from rank 0's in number, type or shape:
/// names the rank, the tensor and both shapes.
void requireSameShapes(const std::vector<NamedTensor> &tensors, ProcessGroup &group);

}  // namespace sweepscope::train
