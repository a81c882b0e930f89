#include "train/data/targets.h"

#include <algorithm>
#include <cmath>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::int64_t maxClasses = 100'000;

std::string shapeText(torch::IntArrayRef shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text.empty() ? "one number" : text;
}

/// A part at a time: what isfinite() makes on its way is as big as what it looks at.
bool allFinite(const torch::Tensor &rows)
{
    const std::int64_t each = std::max<std::int64_t>(1, rows.numel() / std::max<std::int64_t>(1, rows.size(0)));
    const std::int64_t step = std::max<std::int64_t>(1, (std::int64_t{1} << 18U) / each);
    for (std::int64_t start = 0; start < rows.size(0); start += step) {
        const torch::Tensor part = rows.narrow(0, start, std::min(step, rows.size(0) - start));
        if (!torch::isfinite(part).all().item<bool>())
            return false;
    }
    return true;
}

Expected<void> checkClasses(const TargetFacts &facts, const std::string &source)
{
    if (facts.perSample != 1 || !facts.whole)
        return makeError(ErrorCode::BadInput, source
                                                  + ": classification needs one integer per sample as its target; set "
                                                    "task = \"regression\" to predict numbers");
    if (facts.smallest < 0 || facts.largest >= static_cast<double>(maxClasses))
        return makeError(
            ErrorCode::BadInput,
            source + ": classes must be numbers from 0 to " + std::to_string(maxClasses - 1) + ", found "
                + std::to_string(static_cast<std::int64_t>(facts.smallest < 0 ? facts.smallest : facts.largest))
                + "; set task = \"regression\" to predict numbers");
    return {};
}

/// Ages, counts and prices are whole numbers, too.
bool mayBeNumbers(const TargetFacts &facts)
{
    constexpr double fewClasses = 20;
    constexpr double rowsPerClass = 10;
    const double classes = facts.largest + 1;
    return classes > fewClasses && static_cast<double>(facts.count) < rowsPerClass * classes;
}

}  // namespace

void TargetFacts::add(const torch::Tensor &targets)
{
    count += targets.size(0);
    if (targets.numel() == 0)
        return;
    perSample = targets.numel() / targets.size(0);
    const torch::Tensor numbers = targets.to(torch::kFloat64);  // halves cannot be rounded on the CPU
    finite = finite && torch::isfinite(numbers).all().item<bool>();
    whole = whole && numbers.eq(numbers.floor()).all().item<bool>();
    smallest = std::min(smallest, numbers.min().item<double>());
    largest = std::max(largest, numbers.max().item<double>());
}

void TargetFacts::add(double target)
{
    ++count;
    finite = finite && std::isfinite(target);
    whole = whole && target == std::floor(target);
    smallest = std::min(smallest, target);
    largest = std::max(largest, target);
}

Expected<void> checkTableShapes(torch::IntArrayRef inputs, torch::IntArrayRef targets, const std::string &source)
{
    const auto isEmpty = [](torch::IntArrayRef shape) {
        return shape.empty() || std::find(shape.begin(), shape.end(), 0) != shape.end();
    };
    if (inputs.size() < 2 || isEmpty(inputs) || isEmpty(targets) || inputs[0] != targets[0])
        return makeError(ErrorCode::BadInput, source
                                                  + ": expected inputs of N x columns (or N x channels x height x "
                                                    "width) and N targets, found "
                                                  + shapeText(inputs) + " and " + shapeText(targets));
    return {};
}

Expected<Dataset> makeDataset(const torch::Tensor &inputs, const torch::Tensor &targets, const TargetFacts &facts,
                              const std::string &task, const std::string &source, ChecksInputs checks)
{
    Dataset dataset;
    const bool image = inputs.dim() == 4 && inputs.scalar_type() == torch::kUInt8;
    dataset.kind = image ? SampleKind::Image : SampleKind::Features;
    dataset.samples.inputs = image ? inputs.contiguous() : inputs.to(torch::kFloat32).contiguous();
    if (!image && checks == ChecksInputs::Yes && !allFinite(dataset.samples.inputs))
        return makeError(ErrorCode::BadInput, source + ": some inputs are not finite numbers");
    if (!facts.finite)
        return makeError(ErrorCode::BadInput, source + ": some targets are not finite numbers");
    const bool isWhole = facts.perSample == 1 && facts.whole;
    if (task == "auto" && isWhole && facts.smallest >= 0 && mayBeNumbers(facts))
        return makeError(ErrorCode::BadInput, source + ": the " + std::to_string(facts.count)
                                                  + " targets are integers up to "
                                                  + std::to_string(static_cast<std::int64_t>(facts.largest))
                                                  + ", which may be classes or numbers; set task = \"classification\" "
                                                    "or task = \"regression\"");
    if (task == "classification" || (task == "auto" && isWhole)) {
        if (const Expected<void> fit = checkClasses(facts, source); !fit)
            return tl::unexpected(fit.error());
        dataset.samples.targets = targets.reshape({targets.size(0)}).to(torch::kInt64);
        dataset.outputs = std::max<std::int64_t>(2, static_cast<std::int64_t>(facts.largest) + 1);
        return dataset;
    }
    dataset.task = Task::Regression;
    dataset.samples.targets = targets.reshape({targets.size(0), facts.perSample}).to(torch::kFloat32).contiguous();
    dataset.outputs = facts.perSample;
    return dataset;
}

Expected<Dataset> makeDataset(const torch::Tensor &inputs, const torch::Tensor &targets, const std::string &task,
                              const std::string &source)
{
    if (const Expected<void> fit = checkTableShapes(inputs.sizes(), targets.sizes(), source); !fit)
        return tl::unexpected(fit.error());
    TargetFacts facts;
    facts.add(targets);
    return makeDataset(inputs, targets, facts, task, source);
}

}  // namespace sweepscope::train
