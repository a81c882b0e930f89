#include "train/batch.h"

#include <torch/torch.h>

namespace sweepscope::train {

Batch makeBatch(const LabelledImages &from, const torch::Tensor &indices, double pixelMean, double pixelDeviation)
{
    const LabelledImages rows = from.select(indices);
    return {rows.images.to(torch::kFloat32).sub_(pixelMean).div_(pixelDeviation), rows.labels};
}

}  // namespace sweepscope::train
