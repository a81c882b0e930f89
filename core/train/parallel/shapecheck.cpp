#include "train/parallel/shapecheck.h"

#include <set>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Every tensor as: type, number of dimensions, extents.
std::vector<std::int64_t> describe(const std::vector<NamedTensor> &tensors)
{
    std::vector<std::int64_t> words;
    for (const NamedTensor &item : tensors) {
        words.push_back(static_cast<std::int64_t>(item.tensor.scalar_type()));
        words.push_back(item.tensor.dim());
        words.insert(words.end(), item.tensor.sizes().begin(), item.tensor.sizes().end());
    }
    return words;
}

/// The words of the tensor that starts at `position`; clipped, so that another rank's words cannot lead outside.
torch::Tensor entry(const torch::Tensor &words, std::int64_t position)
{
    const std::int64_t left = words.size(0) - position;
    const std::int64_t length =
        left < 2 ? left : std::min(left, 2 + std::max<std::int64_t>(0, words[position + 1].item<std::int64_t>()));
    return words.narrow(0, position, length);
}

std::string shapeText(const torch::Tensor &entryWords)
{
    std::string text = "[";
    for (std::int64_t i = 2; i < entryWords.size(0); ++i)
        text += (i > 2 ? ", " : "") + std::to_string(entryWords[i].item<std::int64_t>());
    return text + "]";
}

}  // namespace

std::vector<NamedTensor> withoutTwins(std::vector<NamedTensor> tensors)
{
    std::set<const c10::TensorImpl *> seen;
    std::erase_if(tensors, [&seen](const NamedTensor &item) {
        return item.tensor.defined() && !seen.insert(item.tensor.unsafeGetTensorImpl()).second;
    });
    return tensors;
}

void requireSameShapes(const std::vector<NamedTensor> &tensors, ProcessGroup &group)
{
    const std::vector<std::int64_t> mine = describe(tensors);
    const auto length = static_cast<std::int64_t>(mine.size());
    const std::vector<torch::Tensor> lengths =
        group.gather(torch::tensor({static_cast<std::int64_t>(tensors.size()), length}, torch::kInt64));
    std::int64_t longest = 0;
    for (int rank = 0; rank < group.size(); ++rank) {
        const auto count = lengths[static_cast<std::size_t>(rank)][0].item<std::int64_t>();
        const auto expected = lengths[0][0].item<std::int64_t>();
        TORCH_CHECK(count == expected, "rank ", rank, " has ", count, " parameters and buffers, rank 0 has ", expected,
                    ": all ranks must build the same model");
        longest = std::max(longest, lengths[static_cast<std::size_t>(rank)][1].item<std::int64_t>());
    }

    torch::Tensor padded = torch::full({longest}, -1, torch::kInt64);
    padded.narrow(0, 0, length).copy_(torch::tensor(mine, torch::kInt64));
    const std::vector<torch::Tensor> words = group.gather(padded);
    std::int64_t position = 0;
    for (const NamedTensor &item : tensors) {
        const torch::Tensor reference = entry(words[0], position);
        for (int rank = 1; rank < group.size(); ++rank) {
            const torch::Tensor other = entry(words[static_cast<std::size_t>(rank)], position);
            TORCH_CHECK(other.equal(reference), item.name, " has shape ", shapeText(other), " on rank ", rank, " and ",
                        shapeText(reference), " on rank 0: all ranks must build the same model");
        }
        position += reference.size(0);
    }
}

}  // namespace sweepscope::train
