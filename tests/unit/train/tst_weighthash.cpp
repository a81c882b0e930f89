#include "train/parallel/weighthash.h"

#include "rankthreads.h"

#include <cmath>
#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope::train;

namespace {

/// Returns the results on `ranks` ranks for the weights a and b, after the ranks in `odd` have changed one bit of b.
std::vector<WeightComparison> comparisons(int ranks, const std::vector<int> &odd)
{
    std::vector<WeightComparison> said(static_cast<std::size_t>(ranks));
    requireRanks(ranks, [&](int rank, ProcessGroup &group) {
        torch::Tensor a = torch::arange(7, torch::kFloat32);
        torch::Tensor b = torch::ones({3, 3});
        if (std::find(odd.begin(), odd.end(), rank) != odd.end())
            b[2][2] = std::nextafter(1.0F, 2.0F);
        said[static_cast<std::size_t>(rank)] = compareWeights({{"a", a}, {"b", b}}, group);
    });
    return said;
}

std::vector<std::optional<std::string>> verdicts(int ranks, const std::vector<int> &odd)
{
    std::vector<std::optional<std::string>> said;
    for (const WeightComparison &comparison : comparisons(ranks, odd))
        said.push_back(comparison.difference);
    return said;
}

}  // namespace

TEST_CASE("equalWeightsAgree")
{
    for (const auto &verdict : verdicts(2, {}))
        CHECK_FALSE(verdict);
}

TEST_CASE("oneBitOnOneRankIsFoundByEveryRank")
{
    for (const auto &verdict : verdicts(3, {0}))
        CHECK(verdict == "the weights of rank 0 differ from the other ranks', first in b");
    for (const auto &verdict : verdicts(5, {1, 4}))
        CHECK(verdict == "the weights of ranks 1, 4 differ from the other ranks', first in b");
}

TEST_CASE("withoutAMajorityNoRankIsBlamed")
{
    for (const auto &verdict : verdicts(2, {1}))
        CHECK(verdict == "the weights of ranks 0 and 1 differ, first in b");
    for (const auto &verdict : verdicts(4, {0, 2}))
        CHECK(verdict == "the weights of ranks 0, 2 and 1, 3 differ, first in b");
}

TEST_CASE("fingerprintIdentifiesWeightsAndIsExactInADouble")
{
    const std::vector<WeightComparison> ranks = comparisons(3, {1});
    CHECK(ranks[0].fingerprint == ranks[2].fingerprint);
    CHECK(ranks[0].fingerprint != ranks[1].fingerprint);
    const torch::Tensor a = torch::arange(7, torch::kFloat32);
    const torch::Tensor b = torch::ones({3, 3});
    CHECK(fingerprint({a, b}) == ranks[0].fingerprint);
    CHECK(fingerprint({b, a}) != ranks[0].fingerprint);
    for (std::int64_t i = 0; i < 100; ++i) {
        const double number = fingerprint({torch::arange(i, i + 5)});
        CHECK(number < 9007199254740992.0);
        CHECK(number == std::floor(number));
    }
}

TEST_CASE("hashSeesEveryByteAndTheLength")
{
    const torch::Tensor bytes = torch::zeros({19}, torch::kUInt8);
    const std::uint64_t before = hashTensor(bytes);
    CHECK(hashTensor(torch::zeros({18}, torch::kUInt8)) != before);
    for (std::int64_t i = 0; i < bytes.numel(); ++i) {
        torch::Tensor changed = bytes.clone();
        changed[i] = 1;
        CHECK(hashTensor(changed) != before);
    }
    CHECK(hashTensor(torch::zeros({19, 2}, torch::kUInt8).select(1, 0)) == before);  // not contiguous
}

TEST_CASE("hashOnDeviceSeesEveryWordAndItsPlace")
{
    for (const auto type : {torch::kFloat32, torch::kFloat64, torch::kBFloat16, torch::kUInt8}) {
        const torch::Tensor tensor = torch::arange(1, 200, torch::kFloat32).to(type);
        const auto hash = hashOnDevice(tensor).item<std::int64_t>();
        CHECK(hashOnDevice(tensor.clone()).item<std::int64_t>() == hash);
        for (std::int64_t place = 0; place < tensor.numel(); place += 17) {
            torch::Tensor other = tensor.clone();
            other[place] += 1;
            CHECK(hashOnDevice(other).item<std::int64_t>() != hash);
        }
        torch::Tensor swapped = tensor.clone();
        swapped[3] = tensor[4];
        swapped[4] = tensor[3];
        CHECK(hashOnDevice(swapped).item<std::int64_t>() != hash);
    }
    CHECK(hashOnDevice(torch::zeros({3})).item<std::int64_t>() != hashOnDevice(torch::zeros({4})).item<std::int64_t>());
    torch::Tensor large = torch::zeros({(1 << 20) + 5});
    const auto zeros = hashOnDevice(large).item<std::int64_t>();
    large[(1 << 20) + 2] = 1e-30;
    CHECK(hashOnDevice(large).item<std::int64_t>() != zeros);
}
