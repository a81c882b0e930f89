#include "train/data/tensorrows.h"

#include "train/data/targets.h"

#include <algorithm>
#include <numeric>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::uint64_t blockBytes = std::uint64_t{1} << 20U;

Expected<TargetFacts> lookThrough(const TensorRows &targets)
{
    TargetFacts facts;
    const auto most = static_cast<std::int64_t>(blockBytes / std::max<std::uint64_t>(1, targets.rows.bytes));
    const std::int64_t step = std::max<std::int64_t>(1, most);
    for (std::int64_t start = 0; start < targets.rows.count; start += step) {
        std::vector<std::int64_t> block(static_cast<std::size_t>(std::min(step, targets.rows.count - start)));
        std::iota(block.begin(), block.end(), start);
        const Expected<torch::Tensor> read = readTensorRows(targets, block);
        if (!read)
            return tl::unexpected(read.error());
        facts.add(*read);
    }
    return facts;
}

}  // namespace

TensorRows tensorRows(const std::filesystem::path &path, std::uint64_t start, std::vector<std::int64_t> shape,
                      torch::ScalarType type)
{
    std::uint64_t bytes = c10::elementSize(type);
    for (std::size_t i = 1; i < shape.size(); ++i)
        bytes *= static_cast<std::uint64_t>(shape[i]);
    const std::int64_t count = shape.front();
    return {{path, start, bytes, bytes, count}, std::move(shape), type};
}

Expected<torch::Tensor> readTensorRows(const TensorRows &tensor, const std::vector<std::int64_t> &wanted)
{
    std::vector<std::int64_t> shape = tensor.shape;
    shape.front() = static_cast<std::int64_t>(wanted.size());
    torch::Tensor values = torch::empty(shape, tensor.type);
    const Expected<void> read =
        data::readRows(tensor.rows, data::inThisOrder(wanted), static_cast<std::uint8_t *>(values.data_ptr()));
    if (!read)
        return tl::unexpected(read.error());
    return values;
}

Expected<Dataset> readTable(const TensorRows &inputs, const TensorRows &targets, const RowChoice &choice,
                            const std::string &task, const std::string &source)
{
    if (const Expected<void> fit = checkTableShapes(inputs.shape, targets.shape, source); !fit)
        return tl::unexpected(fit.error());
    const Expected<TargetFacts> facts = lookThrough(targets);
    if (!facts)
        return tl::unexpected(facts.error());
    const Expected<std::vector<std::int64_t>> wanted = chosenRows(choice, inputs.rows.count);
    if (!wanted)
        return tl::unexpected(wanted.error());
    const Expected<torch::Tensor> values = readTensorRows(inputs, *wanted);
    if (!values)
        return tl::unexpected(values.error());
    const Expected<torch::Tensor> answers = readTensorRows(targets, *wanted);
    if (!answers)
        return tl::unexpected(answers.error());
    return makeDataset(*values, *answers, *facts, task, source);
}

}  // namespace sweepscope::train
