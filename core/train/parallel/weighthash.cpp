#include "train/parallel/weighthash.h"

#include <algorithm>
#include <cstring>
#include <torch/torch.h>
#include <utility>
#include <vector>

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

double folded(const std::vector<std::uint64_t> &hashes)
{
    constexpr std::uint64_t exactInDouble = (std::uint64_t{1} << 53U) - 1;
    std::uint64_t all = 0;
    for (const std::uint64_t hash : hashes)
        all = mix(all ^ hash) + 0x9e3779b97f4a7c15U;
    return static_cast<double>(all & exactInDouble);
}

std::string listed(const std::vector<int> &ranks)
{
    std::string text;
    for (const int rank : ranks)
        text += (text.empty() ? "" : ", ") + std::to_string(rank);
    return text;
}

/// Returns "rank 2 differ from the other ranks'" if most ranks share one hash. Without a majority it is unknown which
/// rank is wrong: "ranks 0 and 1 differ". Empty if all are equal.
std::string whoDiffers(const std::vector<std::int64_t> &hashes)
{
    std::vector<std::pair<std::int64_t, std::vector<int>>> groups;  // in the order of their first ranks
    for (std::size_t rank = 0; rank < hashes.size(); ++rank) {
        auto found =
            std::find_if(groups.begin(), groups.end(), [&](const auto &group) { return group.first == hashes[rank]; });
        if (found == groups.end())
            found = groups.insert(groups.end(), {hashes[rank], {}});
        found->second.push_back(static_cast<int>(rank));
    }
    if (groups.size() == 1)
        return {};
    const auto most = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto &group) { return 2 * group.second.size() > hashes.size(); });
    std::vector<int> few;
    std::string sides;
    for (const auto &[hash, ranks] : groups) {
        if (most != groups.end() && hash != most->first)
            few.insert(few.end(), ranks.begin(), ranks.end());
        sides += (sides.empty() ? "" : " and ") + listed(ranks);
    }
    std::sort(few.begin(), few.end());
    if (most == groups.end())
        return "ranks " + sides + " differ";
    return (few.size() == 1 ? "rank " : "ranks ") + listed(few) + " differ from the other ranks'";
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

double fingerprint(const std::vector<torch::Tensor> &tensors)
{
    std::vector<std::uint64_t> hashes;
    for (const torch::Tensor &tensor : tensors)
        hashes.push_back(hashTensor(tensor));
    return folded(hashes);
}

WeightComparison compareWeights(const std::vector<NamedTensor> &tensors, ProcessGroup &group)
{
    const auto count = static_cast<std::int64_t>(tensors.size());
    std::vector<std::uint64_t> hashes;
    torch::Tensor mine = torch::empty({count}, torch::kInt64);
    for (std::int64_t i = 0; i < count; ++i) {
        hashes.push_back(hashTensor(tensors[static_cast<std::size_t>(i)].tensor));
        mine[i] = static_cast<std::int64_t>(hashes.back());
    }
    WeightComparison comparison{folded(hashes), std::nullopt};
    const torch::Tensor all = torch::stack(group.gather(mine));  // ranks x tensors

    for (std::int64_t i = 0; i < count; ++i) {
        const torch::Tensor column = all.select(1, i).contiguous();
        const std::string verdict =
            whoDiffers({column.data_ptr<std::int64_t>(), column.data_ptr<std::int64_t>() + group.size()});
        if (!verdict.empty()) {
            comparison.difference =
                "the weights of " + verdict + ", first in " + tensors[static_cast<std::size_t>(i)].name;
            return comparison;
        }
    }
    return comparison;
}

}  // namespace sweepscope::train
