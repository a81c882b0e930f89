#include "train/parallel/buckets.h"

#include <numeric>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

struct OpenBucket {
    torch::ScalarType type;
    torch::Device device;
    std::int64_t bytes = 0;
    std::int64_t limit = 0;
    std::vector<std::size_t> members{};
};

}  // namespace

Buckets assignBuckets(const std::vector<torch::Tensor> &tensors, const std::vector<std::size_t> &order,
                      const BucketLimits &limits)
{
    Buckets closed;
    std::vector<OpenBucket> open;  // one per type and device
    for (const std::size_t i : order) {
        const torch::Tensor &tensor = tensors[i];
        auto bucket = open.begin();
        while (bucket != open.end() && (bucket->type != tensor.scalar_type() || bucket->device != tensor.device()))
            ++bucket;
        if (bucket == open.end())
            bucket = open.insert(open.end(), {tensor.scalar_type(), tensor.device(), 0, limits.first});

        bucket->members.push_back(i);
        bucket->bytes += tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
        if (bucket->bytes >= bucket->limit) {
            closed.push_back(std::move(bucket->members));
            bucket->members.clear();
            bucket->bytes = 0;
            bucket->limit = limits.others;
        }
    }
    for (OpenBucket &bucket : open) {
        if (!bucket.members.empty())
            closed.push_back(std::move(bucket.members));
    }
    return closed;
}

Buckets assignBuckets(const std::vector<torch::Tensor> &tensors, const BucketLimits &limits)
{
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    return assignBuckets(tensors, order, limits);
}

}  // namespace sweepscope::train
