#include "train/data/targets.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::int64_t maxClasses = 100'000;

bool allWhole(const torch::Tensor &targets)
{
    return !targets.is_floating_point() || targets.eq(targets.floor()).all().item<bool>();
}

std::string shapeText(const torch::Tensor &tensor)
{
    std::string text;
    for (const std::int64_t size : tensor.sizes())
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text.empty() ? "one number" : text;
}

Expected<void> setClasses(Dataset &dataset, const torch::Tensor &targets, const std::string &source)
{
    const torch::Tensor classes = targets.reshape({-1}).to(torch::kInt64);
    const bool onePerSample = classes.size(0) == targets.size(0);
    if (!onePerSample || !allWhole(targets))
        return makeError(ErrorCode::BadInput, source
                                                  + ": classification needs one whole number per sample as target; say "
                                                    "task = \"regression\" to predict numbers");
    const auto smallest = classes.min().item<std::int64_t>();
    const auto largest = classes.max().item<std::int64_t>();
    if (smallest < 0 || largest >= maxClasses)
        return makeError(ErrorCode::BadInput, source + ": classes must be numbers from 0 to "
                                                  + std::to_string(maxClasses - 1) + ", found "
                                                  + std::to_string(smallest < 0 ? smallest : largest));
    dataset.samples.targets = classes;
    dataset.outputs = std::max<std::int64_t>(2, largest + 1);
    return {};
}

}  // namespace

Expected<Dataset> makeDataset(const torch::Tensor &inputs, const torch::Tensor &targets, const std::string &task,
                              const std::string &source)
{
    if (inputs.dim() < 2 || targets.dim() < 1 || inputs.size(0) == 0 || inputs.size(0) != targets.size(0))
        return makeError(ErrorCode::BadInput, source
                                                  + ": expected inputs of N x columns (or N x channels x height x "
                                                    "width) and N targets, found "
                                                  + shapeText(inputs) + " and " + shapeText(targets));
    Dataset dataset;
    const bool image = inputs.dim() == 4 && inputs.scalar_type() == torch::kUInt8;
    dataset.kind = image ? SampleKind::Image : SampleKind::Features;
    dataset.samples.inputs = image ? inputs.contiguous() : inputs.to(torch::kFloat32).contiguous();
    const bool classes =
        task == "classification" || (task == "auto" && targets.numel() == targets.size(0) && allWhole(targets));
    if (!image && !torch::isfinite(dataset.samples.inputs).all().item<bool>())
        return makeError(ErrorCode::BadInput, source + ": some inputs are not finite numbers");
    if (!torch::isfinite(targets.to(torch::kFloat64)).all().item<bool>())
        return makeError(ErrorCode::BadInput, source + ": some targets are not finite numbers");
    if (classes) {
        if (const Expected<void> set = setClasses(dataset, targets, source); !set)
            return tl::unexpected(set.error());
        return dataset;
    }
    dataset.task = Task::Regression;
    dataset.samples.targets = targets.reshape({targets.size(0), -1}).to(torch::kFloat32).contiguous();
    dataset.outputs = dataset.samples.targets.size(1);
    return dataset;
}

}  // namespace sweepscope::train
