#include "train/randomstate.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
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

}  // namespace

torch::Tensor randomState(torch::Device device)
{
    const torch::Tensor cpu = stateOf(at::detail::getDefaultCPUGenerator());
    if (device.is_cpu())
        return cpu;
    return torch::cat({cpu, stateOf(at::globalContext().defaultGenerator(device))});
}

void setRandomState(const torch::Tensor &state, torch::Device device)
{
    const std::int64_t cpuBytes = stateOf(at::detail::getDefaultCPUGenerator()).numel();
    TORCH_CHECK(state.numel() >= cpuBytes, "the generator's state in the checkpoint is of another LibTorch");
    setState(at::detail::getDefaultCPUGenerator(), state.narrow(0, 0, cpuBytes));
    if (!device.is_cpu())
        setState(at::globalContext().defaultGenerator(device), state.narrow(0, cpuBytes, state.numel() - cpuBytes));
}

}  // namespace sweepscope::train
