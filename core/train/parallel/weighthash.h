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

/// Compare every rank's tensors. Empty when all agree; else a sentence that names the first differing tensor and the
/// ranks that differ from the majority, or, where there is none, which differ from which. The same answer on every rank.
std::optional<std::string> findWeightDifference(const std::vector<NamedTensor> &tensors, ProcessGroup &group);

}  // namespace sweepscope::train
