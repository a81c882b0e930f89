#pragma once

#include <cstdint>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// Disjoint random parts of 0 … count-1 as int64 tensors, the same that torch.utils.data.random_split gives for
/// `fractions` with torch.Generator().manual_seed(seed): floor(fraction * count) each, what is left over one each from
/// the first part on, and consecutive slices of one permutation. Fractions add up to 1 (within rounding).
std::vector<torch::Tensor> randomSplit(std::int64_t count, const std::vector<double> &fractions, std::uint64_t seed);

/// torch.randperm(count, generator=torch.Generator().manual_seed(seed)), bit for bit.
torch::Tensor randomPermutation(std::int64_t count, std::uint64_t seed);

}  // namespace sweepscope::train
