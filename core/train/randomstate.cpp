#include "train/randomstate.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <algorithm>
#include <mutex>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

torch::Tensor stateOf(at::Generator generator)
{
    const std::lock_guard lock(generator.mutex());
    return generator.get_state();
}

void setState(at::Generator generator, const torch::Tensor &state)
{
    const std::lock_guard lock(generator.mutex());
    generator.set_state(state.contiguous());
}

/// Of the CPU and the GPUs among `devices`, each once.
std::vector<at::Generator> generatorsOf(const std::vector<torch::Device> &devices)
{
    std::vector<at::Generator> generators{at::detail::getDefaultCPUGenerator()};
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const bool isFirst = std::find(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(i), devices[i])
                             == devices.begin() + static_cast<std::ptrdiff_t>(i);
        if (!devices[i].is_cpu() && isFirst)
            generators.push_back(at::globalContext().defaultGenerator(devices[i]));
    }
    return generators;
}

}  // namespace

torch::Tensor randomState(const std::vector<torch::Device> &devices)
{
    std::vector<torch::Tensor> states;
    for (const at::Generator &generator : generatorsOf(devices))
        states.push_back(stateOf(generator));
    return torch::cat(states);
}

void setRandomState(const torch::Tensor &state, const std::vector<torch::Device> &devices)
{
    std::int64_t start = 0;
    for (const at::Generator &generator : generatorsOf(devices)) {
        const std::int64_t bytes = stateOf(generator).numel();
        TORCH_CHECK(start > 0 || state.numel() >= bytes,
                    "the random generator state in the checkpoint is from another version of LibTorch");
        if (start + bytes > state.numel())
            return;
        setState(generator, state.narrow(0, start, bytes));
        start += bytes;
    }
}

}  // namespace sweepscope::train
