#include "train/parallel/buckets.h"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope::train;

using Buckets = std::vector<std::vector<std::size_t>>;

TEST_CASE("bucketsTakeParametersFromTheLastOn")
{
    const std::vector<torch::Tensor> tensors{torch::zeros({10}), torch::zeros({10}), torch::zeros({10})};
    CHECK(assignBuckets(tensors) == Buckets{{2, 1, 0}});
}

TEST_CASE("bucketEndsWithTheTensorThatReachesItsLimit")
{
    std::vector<torch::Tensor> tensors;
    for (int i = 0; i < 6; ++i)
        tensors.push_back(torch::zeros({100}));  // 400 bytes
    CHECK(assignBuckets(tensors, {.first = 400, .others = 800}) == Buckets{{5}, {4, 3}, {2, 1}, {0}});
    CHECK(assignBuckets(tensors, {.first = 401, .others = 1 << 20}) == Buckets{{5, 4}, {3, 2, 1, 0}});
}

TEST_CASE("bucketsHoldOneTypeEach")
{
    const std::vector<torch::Tensor> tensors{torch::zeros({4}), torch::zeros({4}, torch::kFloat64), torch::zeros({4})};
    CHECK(assignBuckets(tensors) == Buckets{{2, 0}, {1}});
}

TEST_CASE("noTensorsGiveNoBuckets")
{
    CHECK(assignBuckets({}).empty());
}
