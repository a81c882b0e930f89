#include "train/data/randomsplit.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>

using namespace sweepscope::train;

namespace {

std::vector<std::int64_t> values(const torch::Tensor &tensor)
{
    const torch::Tensor flat = tensor.contiguous();
    return {flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel()};
}

}  // namespace

// The literals are the results of the same calls in Python.
TEST_CASE("permutationIsPythons")
{
    CHECK(values(randomPermutation(10, 0)) == std::vector<std::int64_t>{4, 1, 7, 5, 3, 9, 0, 8, 6, 2});
    CHECK(values(randomPermutation(10, 42)) == std::vector<std::int64_t>{2, 6, 1, 8, 4, 5, 0, 9, 3, 7});
    const auto large = values(randomPermutation(60000, 9));
    CHECK(std::vector(large.begin(), large.begin() + 5)
          == std::vector<std::int64_t>{36670, 34278, 46828, 55790, 12070});
    std::int64_t weighted = 0;
    for (std::size_t i = 0; i < large.size(); ++i)
        weighted += large[i] * static_cast<std::int64_t>(i);
    CHECK(weighted == 54029172660991);
}

TEST_CASE("splitIsPythons")
{
    const auto parts = randomSplit(23, {0.7, 0.15, 0.15}, 42);
    REQUIRE(parts.size() == 3);
    CHECK(values(parts[0]) == std::vector<std::int64_t>{16, 8, 6, 17, 2, 0, 1, 11, 18, 5, 14, 21, 15, 3, 10, 19, 22});
    CHECK(values(parts[1]) == std::vector<std::int64_t>{4, 20, 7});
    CHECK(values(parts[2]) == std::vector<std::int64_t>{12, 13, 9});
}

TEST_CASE("splitUsesEveryIndexOnceAndDependsOnTheSeed")
{
    std::vector<std::int64_t> all;
    for (const torch::Tensor &part : randomSplit(1797, {0.7, 0.15, 0.15}, 5)) {
        const auto indices = values(part);
        all.insert(all.end(), indices.begin(), indices.end());
    }
    CHECK(all != values(randomPermutation(1797, 6)));
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> expected(1797);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(all == expected);
}

TEST_CASE("splitOfNothingIsEmpty")
{
    for (const torch::Tensor &part : randomSplit(0, {0.5, 0.5}, 1))
        CHECK(part.numel() == 0);
}
