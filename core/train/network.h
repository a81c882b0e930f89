#pragma once

#include "train/parallel/shapecheck.h"

#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// A model as the trainer sees it, however it was made and on however many devices of this rank it lies.
class Network {
public:
    virtual ~Network() = default;

    /// A batch in (on any device), scores out on the device where the loss is computed.
    virtual torch::Tensor forward(const torch::Tensor &inputs) = 0;
    /// Names as in Python's state_dict(). Both keep their order.
    virtual std::vector<NamedTensor> parameters() const = 0;
    virtual std::vector<NamedTensor> buffers() const = 0;
    virtual void train(bool on) = 0;

    /// After the last backward of a step: gradients that lie elsewhere are added to parameters()'.
    virtual void collectGradients() {}
    /// After parameters() changed: copies that lie elsewhere follow.
    virtual void weightsChanged() {}
};

std::vector<torch::Tensor> tensorsOf(const std::vector<NamedTensor> &named);

}  // namespace sweepscope::train
