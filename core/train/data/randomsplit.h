#pragma once

#include <cstdint>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// Disjoint random parts of 0 … sum-1 as int64 tensors, the same that torch.utils.data.random_split gives for `lengths`
/// with torch.Generator().manual_seed(seed): consecutive slices of one permutation.
std::vector<torch::Tensor> randomSplit(const std::vector<std::int64_t> &lengths, std::uint64_t seed);

/// The same for fractions that add up to 1 (within rounding): floor(fraction * count) each, what is left over one each
/// from the first part on.
std::vector<torch::Tensor> randomSplit(std::int64_t count, const std::vector<double> &fractions, std::uint64_t seed);

/// torch.randperm(count, generator=torch.Generator().manual_seed(seed)), bit for bit.
torch::Tensor randomPermutation(std::int64_t count, std::uint64_t seed);

}  // namespace sweepscope::train
