#pragma once

#include "base/error.h"
#include "train/data/dataset.h"
#include "train/network.h"
#include "train/trainsettings.h"

#include <string>
#include <torch/csrc/jit/api/module.h>

namespace sweepscope::train {

/// Tries settings.modelFile on a sample or two, before any other rank is waited for: BadInput says what forward() fails
/// with, or how its scores do not fit the data.
Expected<void> checkScript(const TrainSettings &settings, const TrialData &data);

/// A model of the user's own: a TorchScript file as torch.jit.save writes it, whose forward takes one batch and returns
/// the scores (N x outputs). Its weights are those of the file.
class ScriptNetwork : public Network {
public:
    /// Throws c10::Error with the path when the file cannot be read or has no parameter to train.
    ScriptNetwork(const std::string &path, torch::Device device);

    torch::Tensor forward(const torch::Tensor &inputs) override;
    std::vector<NamedTensor> parameters() const override;
    std::vector<NamedTensor> buffers() const override;
    void train(bool on) override;

private:
    torch::jit::Module m_module;
    torch::Device m_device;
};

}  // namespace sweepscope::train
