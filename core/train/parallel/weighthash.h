#pragma once

#include "train/parallel/processgroup.h"
#include "train/parallel/shapecheck.h"

#include <cstdint>
#include <optional>
#include <string>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// 64 bits of a tensor's bytes. Not cryptographic: it finds replicas that drifted apart, bit for bit.
std::uint64_t hashTensor(const torch::Tensor &tensor);
/// Another hash of the same, as one int64 on the tensor's device, without waiting for it.
torch::Tensor hashOnDevice(const torch::Tensor &tensor);

/// A number of all bits of these tensors in their order, below 2^53, so that a double holds it.
double fingerprint(const std::vector<torch::Tensor> &tensors);

struct WeightComparison {
    double fingerprint = 0;                 ///< of this rank's tensors
    std::optional<std::string> difference;  ///< the same on every rank
};

/// Compare every rank's tensors. No difference when all agree; else a sentence that names the first differing tensor and
/// the ranks that differ from the majority, or, where there is none, which differ from which.
WeightComparison compareWeights(const std::vector<NamedTensor> &tensors, ProcessGroup &group);

}  // namespace sweepscope::train
