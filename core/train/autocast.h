#pragma once

#include <torch/types.h>

namespace sweepscope::train {

/// While it lives, this thread's operations run in bfloat16 where autocast allows it, as torch.autocast does.
class Bf16Autocast {
public:
    Bf16Autocast(bool enabled, torch::Device device);
    ~Bf16Autocast();
    Bf16Autocast(const Bf16Autocast &) = delete;
    Bf16Autocast &operator=(const Bf16Autocast &) = delete;

private:
    bool m_enabled;
    torch::Device m_device;
};

}  // namespace sweepscope::train
