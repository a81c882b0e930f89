#include "train/autocast.h"

#include <ATen/autocast_mode.h>
#include <torch/version.h>

namespace sweepscope::train {

namespace {

void switchAutocast(torch::Device device, bool on)
{
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
    at::autocast::set_autocast_enabled(device.type(), on);
    if (on)
        at::autocast::set_autocast_dtype(device.type(), at::kBFloat16);
#else
    if (device.is_cuda()) {
        at::autocast::set_enabled(on);
        at::autocast::set_autocast_gpu_dtype(on ? at::kBFloat16 : at::kHalf);
    } else {
        at::autocast::set_cpu_enabled(on);
        at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
    }
#endif
}

}  // namespace

Bf16Autocast::Bf16Autocast(bool enabled, torch::Device device) : m_enabled(enabled), m_device(device)
{
    if (!m_enabled)
        return;
    at::autocast::increment_nesting();
    switchAutocast(m_device, true);
}

Bf16Autocast::~Bf16Autocast()
{
    if (!m_enabled)
        return;
    switchAutocast(m_device, false);
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
}

}  // namespace sweepscope::train
