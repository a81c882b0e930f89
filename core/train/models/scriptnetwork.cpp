#include "train/models/scriptnetwork.h"

#include "train/batch.h"
#include "train/torcherror.h"
#include "train/trainingerror.h"

#include <algorithm>
#include <sstream>
#include <torch/script.h>
#include <torch/torch.h>
#include <utility>

namespace torch::jit {
// LibTorch exports it; Debian's packages leave its header (torch/csrc/jit/codegen/fuser/interface.h) out.
TORCH_API void overrideCanFuseOnCPU(bool value);
}  // namespace torch::jit

namespace sweepscope::train {

namespace {

torch::jit::Module load(const std::string &path, torch::Device device)
{
    // Debian 13's LibTorch fuses operations on the CPU with an LLVM that never comes back from compiling them. The
    // others have no LLVM, and do not fuse on the CPU.
    torch::jit::overrideCanFuseOnCPU(false);
    try {
        return torch::jit::load(path, device);
    } catch (const c10::Error &error) {
        const std::string text = error.what_without_backtrace();
        throw InputError("model_file: " + path + " is not a TorchScript file that this LibTorch can read ("
                         + text.substr(0, text.find('\n')) + "); save it with torch.jit.save");
    }
}

}  // namespace

Expected<void> checkScript(const TrainSettings &settings, const TrialData &data)
{
    const auto refuse = [&settings](const std::string &what) {
        return makeError(ErrorCode::BadInput, "model_file: " + settings.modelFile + " " + what);
    };
    Normalisation normalisation = data.normalisation;
    if (!normalisation.mean.defined())  // of a part of the data: known only together with the other ranks
        normalisation = {torch::zeros({1}), torch::ones({1})};
    const std::int64_t count = std::min<std::int64_t>(2, data.train.size());
    const Batch batch =
        BatchMaker(data.kind, normalisation, torch::kCPU).make(data.train, torch::arange(count, torch::kInt64));
    const torch::NoGradGuard noGrad;
    torch::Tensor scores;
    try {
        ScriptNetwork network(settings.modelFile, torch::kCPU);
        network.train(false);
        scores = network.forward(batch.inputs);
    } catch (const InputError &error) {
        return makeError(ErrorCode::BadInput, error.what());
    } catch (const std::exception &error) {
        std::ostringstream shape;
        shape << batch.inputs.sizes();
        return refuse("fails for inputs of shape " + shape.str() + ": " + sentenceOf(error));
    }
    if (data.task == Task::Regression) {
        if (scores.numel() != count * data.outputs)
            return refuse("returns " + std::to_string(scores.numel() / count)
                          + " numbers for each sample, but the data has " + std::to_string(data.outputs)
                          + " to predict");
        return {};
    }
    const bool isTokens = data.kind == SampleKind::Tokens;
    const std::int64_t classes = isTokens ? data.vocabulary : data.outputs;
    if (scores.dim() != (isTokens ? 3 : 2) || scores.size(0) != count) {
        std::ostringstream shape;
        shape << scores.sizes();
        return refuse("returns a tensor of shape " + shape.str() + " for " + std::to_string(count)
                      + " samples; expected N x " + (isTokens ? "context x " : "") + "classes");
    }
    if (scores.size(-1) < classes)
        return refuse("returns " + std::to_string(scores.size(-1)) + " scores, but the data has "
                      + std::to_string(classes) + " classes");
    return {};
}

ScriptNetwork::ScriptNetwork(const std::string &path, torch::Device device)
    : m_module(load(path, device)), m_device(device)
{
    const auto all = parameters();
    if (std::none_of(all.begin(), all.end(), [](const NamedTensor &item) { return item.tensor.requires_grad(); }))
        throw InputError("model_file: " + path
                         + " has no parameter that requires a gradient; a frozen module cannot be trained");
}

torch::Tensor ScriptNetwork::forward(const torch::Tensor &inputs)
{
    const c10::IValue output = m_module.forward({inputs.to(m_device)});
    if (!output.isTensor())
        throw InputError("model_file: forward must return one tensor, the scores");
    return output.toTensor();
}

std::vector<NamedTensor> ScriptNetwork::parameters() const
{
    std::vector<NamedTensor> all;
    for (const auto &item : m_module.named_parameters())
        all.push_back({item.name, item.value});
    return withoutTwins(std::move(all));
}

std::vector<NamedTensor> ScriptNetwork::buffers() const
{
    std::vector<NamedTensor> all;
    for (const auto &item : m_module.named_buffers())
        all.push_back({item.name, item.value});
    return withoutTwins(std::move(all));
}

void ScriptNetwork::train(bool on)
{
    m_module.train(on);
}

}  // namespace sweepscope::train
