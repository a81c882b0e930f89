#include "train/parallel/distributedsampler.h"

#include <doctest/doctest.h>
#include <torch/torch.h>
#include <vector>

using namespace sweepscope::train;

namespace {

using Indices = std::vector<std::vector<std::int64_t>>;

Indices allRanks(std::int64_t count, int ranks, std::int64_t epoch, DistributedSampler::Options options)
{
    Indices result;
    for (int rank = 0; rank < ranks; ++rank) {
        const DistributedSampler sampler(count, ranks, rank, options);
        const torch::Tensor indices = sampler.epoch(epoch);
        CHECK(indices.numel() == sampler.size());
        result.emplace_back(indices.data_ptr<std::int64_t>(), indices.data_ptr<std::int64_t>() + indices.numel());
    }
    return result;
}

}  // namespace

// The literals are the results of Python's DistributedSampler.
TEST_CASE("samplerPadsFromItsFront")
{
    CHECK(allRanks(10, 4, 2, {.shuffle = true, .seed = 3}) == Indices{{1, 3, 8}, {4, 5, 7}, {9, 0, 1}, {6, 2, 4}});
}

TEST_CASE("samplerDropsTheRestOnRequest")
{
    CHECK(allRanks(10, 4, 2, {.shuffle = true, .seed = 3, .dropLast = true})
          == Indices{{1, 3}, {4, 5}, {9, 0}, {6, 2}});
}

TEST_CASE("samplerWithoutShuffleAssignsInTurn")
{
    CHECK(allRanks(11, 2, 0, {.shuffle = false}) == Indices{{0, 2, 4, 6, 8, 10}, {1, 3, 5, 7, 9, 0}});
}

TEST_CASE("samplerRepeatsATinySetSeveralTimes")
{
    CHECK(allRanks(3, 8, 0, {.shuffle = true, .seed = 1}) == Indices{{1}, {2}, {0}, {1}, {2}, {0}, {1}, {2}});
}

TEST_CASE("samplerReshufflesEveryEpoch")
{
    const DistributedSampler sampler(100, 1, 0, {.shuffle = true, .seed = 4});
    CHECK_FALSE(sampler.epoch(0).equal(sampler.epoch(1)));
    CHECK(sampler.epoch(1).equal(DistributedSampler(100, 1, 0, {.shuffle = true, .seed = 5}).epoch(0)));
}
