#include "train/data/moments.h"

#include <algorithm>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Numbers that are taken as float64 at a time.
constexpr std::int64_t blockNumbers = std::int64_t{1} << 17U;

/// Returns [rows x values]: each pixel of an image is a row of its channels.
torch::Tensor asTable(const torch::Tensor &inputs, SampleKind kind)
{
    const torch::Tensor numbers = inputs.to(torch::kFloat64);
    if (kind == SampleKind::Image)
        return numbers.permute({0, 2, 3, 1}).reshape({-1, numbers.size(1)});
    return numbers.reshape({numbers.size(0), -1});
}

std::int64_t valuesOf(const torch::Tensor &inputs, SampleKind kind)
{
    if (kind == SampleKind::Image)
        return inputs.size(1);
    std::int64_t values = 1;
    for (const std::int64_t extent : inputs.sizes().slice(1))
        values *= extent;
    return values;
}

void merge(torch::Tensor &into, const torch::Tensor &part)
{
    const std::int64_t values = (into.size(0) - 1) / 2;
    const double before = into[0].item<double>();
    const double more = part[0].item<double>();
    if (more == 0)
        return;
    const torch::Tensor difference = part.narrow(0, 1, values) - into.narrow(0, 1, values);
    into.narrow(0, 1, values) += difference * (more / (before + more));
    into.narrow(0, 1 + values, values) +=
        part.narrow(0, 1 + values, values) + difference.square() * (before * more / (before + more));
    into[0] = before + more;
}

}  // namespace

torch::Tensor momentsOf(const torch::Tensor &inputs, SampleKind kind)
{
    const std::int64_t values = valuesOf(inputs, kind);
    torch::Tensor moments = torch::zeros({1 + 2 * values}, torch::kFloat64);
    const std::int64_t perRow = std::max<std::int64_t>(1, inputs.numel() / std::max<std::int64_t>(1, inputs.size(0)));
    const std::int64_t step = std::max<std::int64_t>(1, blockNumbers / perRow);
    for (std::int64_t start = 0; start < inputs.size(0); start += step) {
        const torch::Tensor rows = asTable(inputs.narrow(0, start, std::min(step, inputs.size(0) - start)), kind);
        const torch::Tensor mean = rows.mean(0);
        merge(moments, torch::cat({torch::full({1}, static_cast<double>(rows.size(0)), torch::kFloat64), mean,
                                   (rows - mean).square().sum(0)}));
    }
    return moments;
}

Normalisation mergeMoments(const std::vector<torch::Tensor> &parts, const torch::Tensor &inputs, SampleKind kind)
{
    torch::Tensor all = torch::zeros_like(parts.front());
    for (const torch::Tensor &part : parts)
        merge(all, part);
    const std::int64_t values = (all.size(0) - 1) / 2;
    torch::Tensor deviation = (all.narrow(0, 1 + values, values) / all[0]).sqrt().to(torch::kFloat32);
    deviation.masked_fill_(deviation == 0, 1);
    std::vector<std::int64_t> shape = inputs.sizes().slice(1).vec();
    if (kind == SampleKind::Image)
        shape = values == 1 ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{values, 1, 1};
    return {all.narrow(0, 1, values).to(torch::kFloat32).view(shape), deviation.view(shape)};
}

}  // namespace sweepscope::train
