#pragma once

#include <cstddef>
#include <cstdint>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// Bytes per bucket, as PyTorch's DDP has them: a small first bucket, so that communication starts early in backward.
struct BucketLimits {
    std::int64_t first = std::int64_t{1} << 20U;
    std::int64_t others = std::int64_t{25} << 20U;
};

using Buckets = std::vector<std::vector<std::size_t>>;

/// Which tensors travel together: indices into `tensors`, taken in `order`. A bucket is closed by the tensor that
/// reaches its limit; tensors of different type or device never share one. The rule of c10d's
/// compute_bucket_assignment_by_size.
Buckets assignBuckets(const std::vector<torch::Tensor> &tensors, const std::vector<std::size_t> &order,
                      const BucketLimits &limits);

/// In reverse order: backward makes the last layer's gradients first.
Buckets assignBuckets(const std::vector<torch::Tensor> &tensors, const BucketLimits &limits = {});

}  // namespace sweepscope::train
