#include "train/data/tensorrows.h"

#include "train/data/mappedtensor.h"
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

Expected<Dataset> mapTable(const TensorRows &inputs, const TensorRows &targets, const TargetFacts &facts,
                           const std::string &task, const std::string &source)
{
    const bool isImage = inputs.shape.size() == 4 && inputs.type == torch::kUInt8;
    if (!isImage && inputs.type != torch::kFloat32)
        return makeError(ErrorCode::BadInput, source
                                                  + ": in_memory = false needs inputs of float32, or images of uint8, "
                                                    "which need no conversion; found "
                                                  + std::string(torch::toString(inputs.type)));
    const Expected<torch::Tensor> values = mapTensor(inputs);
    if (!values)
        return tl::unexpected(values.error());
    std::vector<std::int64_t> all(static_cast<std::size_t>(targets.rows.count));
    std::iota(all.begin(), all.end(), 0);
    const Expected<torch::Tensor> answers = readTensorRows(targets, all);
    if (!answers)
        return tl::unexpected(answers.error());
    Expected<Dataset> dataset = makeDataset(*values, *answers, facts, task, source, ChecksInputs::No);
    if (dataset) {
        std::error_code error;
        dataset->isMapped = true;
        dataset->samples.file = inputs.rows.path;
        dataset->samples.changed = std::filesystem::last_write_time(inputs.rows.path, error);
    }
    return dataset;
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
                            const std::string &task, const std::string &source, bool inMemory)
{
    if (const Expected<void> fit = checkTableShapes(inputs.shape, targets.shape, source); !fit)
        return tl::unexpected(fit.error());
    const Expected<TargetFacts> facts = lookThrough(targets);
    if (!facts)
        return tl::unexpected(facts.error());
    if (!inMemory)
        return mapTable(inputs, targets, *facts, task, source);
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
