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

/// The sum of all words, each times an odd number that depends on its place, modulo 2^64: a single word that differs
/// always shows.
torch::Tensor hashOnDevice(const torch::Tensor &tensor)
{
    constexpr std::int64_t piece = std::int64_t{1} << 20U;
    constexpr auto odd = static_cast<std::int64_t>(0x9e3779b97f4a7c15U);
    const torch::NoGradGuard noGrad;
    const torch::Tensor values = tensor.detach().contiguous().view({-1});
    const torch::Tensor words = values.element_size() == 8   ? values.view(torch::kInt64)
                                : values.element_size() == 4 ? values.view(torch::kInt32)
                                : values.element_size() == 2 ? values.view(torch::kInt16)
                                                             : values.view(torch::kUInt8);
    const torch::TensorOptions integers = torch::TensorOptions(tensor.device()).dtype(torch::kInt64);
    torch::Tensor hash = torch::full({}, words.numel(), integers);
    for (std::int64_t start = 0; start < words.numel(); start += piece) {
        const std::int64_t length = std::min(piece, words.numel() - start);
        const torch::Tensor places = torch::arange(start, start + length, integers).mul_(2).add_(1).mul_(odd);
        hash.add_(places.mul_(words.narrow(0, start, length).to(torch::kInt64)).sum());
    }
    return hash;
}

/// One word each. Those of a GPU are computed there, and come in one copy.
std::vector<std::uint64_t> hashTensors(const std::vector<torch::Tensor> &tensors)
{
    std::vector<std::uint64_t> hashes(tensors.size());
    std::vector<torch::Tensor> onGpu;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].is_cpu()) {
            hashes[i] = hashTensor(tensors[i]);
        } else {
            const torch::Tensor hash = hashOnDevice(tensors[i]);
            onGpu.push_back(onGpu.empty() ? hash : hash.to(onGpu.front().device()));
            places.push_back(i);
        }
    }
    if (onGpu.empty())
        return hashes;
    const torch::Tensor all = torch::stack(onGpu).cpu();
    for (std::size_t i = 0; i < places.size(); ++i)
        hashes[places[i]] = mix(static_cast<std::uint64_t>(all.data_ptr<std::int64_t>()[i]));
    return hashes;
}

double fingerprint(const std::vector<torch::Tensor> &tensors)
{
    return folded(hashTensors(tensors));
}

WeightComparison compareWeights(const std::vector<NamedTensor> &tensors, ProcessGroup &group)
{
    const auto count = static_cast<std::int64_t>(tensors.size());
    std::vector<torch::Tensor> values;
    for (const NamedTensor &item : tensors)
        values.push_back(item.tensor);
    const std::vector<std::uint64_t> hashes = hashTensors(values);
    torch::Tensor mine = torch::empty({count}, torch::kInt64);
    for (std::int64_t i = 0; i < count; ++i)
        mine.data_ptr<std::int64_t>()[i] = static_cast<std::int64_t>(hashes[static_cast<std::size_t>(i)]);
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
