#pragma once

#include <cstdint>
#include <torch/nn/modules/container/sequential.h>

namespace sweepscope::train {

class ProcessGroup;

/// The residual network for small images of He et al. 2015 (arXiv 1512.03385, section 4.2), of 6 * blocks + 2 layers:
/// conv 3x3 to 16, batch norm, ReLU; three stages of `blocks` blocks of 16, 32 and 64 channels, of which the second and
/// third begin with stride 2; average pool, linear. A block is conv 3x3, batch norm, ReLU, conv 3x3, batch norm, plus
/// its input (through conv 1x1 and batch norm where the shape changes), ReLU. Convolutions have no bias. Layers are
/// named 0 … and in a block conv1, bn1, conv2, bn2, shortcut.0, shortcut.1; weights are drawn in that order.
/// Batch norm is over all ranks of `group`, if there is one.
torch::nn::Sequential makeResnet(std::int64_t channels, std::int64_t blocks, std::int64_t classes, ProcessGroup *group);

}  // namespace sweepscope::train
