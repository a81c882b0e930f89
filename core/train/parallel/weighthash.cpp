#include "train/parallel/weighthash.h"

#include <algorithm>
#include <cstring>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t x)
{
    x ^= x >> 30U;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27U;
    x *= 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

}  // namespace

std::uint64_t hashTensor(const torch::Tensor &tensor)
{
    const torch::Tensor bytes = tensor.detach().cpu().contiguous();
    const auto *data = static_cast<const unsigned char *>(bytes.data_ptr());
    const std::size_t size = static_cast<std::size_t>(bytes.numel()) * bytes.element_size();
    std::uint64_t hash = mix(size + 0x9e3779b97f4a7c15U);
    for (std::size_t i = 0; i < size; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min<std::size_t>(8, size - i));
        hash = mix(hash ^ word) + 0x9e3779b97f4a7c15U;
    }
    return hash;
}

std::optional<std::string> findWeightDifference(const std::vector<NamedTensor> &tensors, ProcessGroup &group)
{
    const auto count = static_cast<std::int64_t>(tensors.size());
    torch::Tensor mine = torch::empty({count}, torch::kInt64);
    for (std::int64_t i = 0; i < count; ++i)
        mine[i] = static_cast<std::int64_t>(hashTensor(tensors[static_cast<std::size_t>(i)].tensor));
    const torch::Tensor all = torch::stack(group.gather(mine));  // ranks x tensors

    for (std::int64_t i = 0; i < count; ++i) {
        const torch::Tensor column = all.select(1, i).contiguous();
        const auto *hashes = column.data_ptr<std::int64_t>();
        const auto *end = hashes + group.size();
        const auto votes = [&](std::int64_t hash) { return std::count(hashes, end, hash); };
        std::int64_t majority = hashes[0];
        for (const auto *hash = hashes; hash != end; ++hash) {
            if (votes(*hash) > votes(majority))
                majority = *hash;
        }
        std::string ranks;
        for (int rank = 0; rank < group.size(); ++rank) {
            if (hashes[rank] != majority)
                ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
        }
        if (!ranks.empty())
            return "the weights of rank " + ranks + " differ from the other ranks', first in "
                   + tensors[static_cast<std::size_t>(i)].name;
    }
    return std::nullopt;
}

}  // namespace sweepscope::train
