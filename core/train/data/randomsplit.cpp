#include "train/data/randomsplit.h"

#include <ATen/CPUGeneratorImpl.h>
#include <cmath>
#include <numeric>
#include <torch/torch.h>

namespace sweepscope::train {

torch::Tensor randomPermutation(std::int64_t count, std::uint64_t seed)
{
    return torch::randperm(count, at::detail::createCPUGenerator(seed), torch::kInt64);
}

std::vector<torch::Tensor> randomSplit(std::int64_t count, const std::vector<double> &fractions, std::uint64_t seed)
{
    std::vector<std::int64_t> lengths;
    std::int64_t left = count;
    for (const double fraction : fractions) {
        lengths.push_back(static_cast<std::int64_t>(std::floor(static_cast<double>(count) * fraction)));
        left -= lengths.back();
    }
    for (std::size_t i = 0; left > 0; ++i, --left)
        ++lengths[i % lengths.size()];

    return randomSplit(lengths, seed);
}

std::vector<torch::Tensor> randomSplit(const std::vector<std::int64_t> &lengths, std::uint64_t seed)
{
    const torch::Tensor order =
        randomPermutation(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}), seed);
    std::vector<torch::Tensor> parts;
    std::int64_t start = 0;
    for (const std::int64_t length : lengths) {
        parts.push_back(order.narrow(0, start, length));
        start += length;
    }
    return parts;
}

}  // namespace sweepscope::train
