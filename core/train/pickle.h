#pragma once

#include <ATen/core/ivalue.h>
#include <string>

namespace sweepscope::train {

/// What torch.save would write of dictionaries, lists, numbers, strings and tensors. LibTorch's own torch::pickle_save
/// adds the types of dictionaries in a way that torch.load, which since PyTorch 2.6 allows data only, refuses to read.
/// torch::pickle_load reads both.
std::string pickleForPython(const c10::IValue &value);

}  // namespace sweepscope::train
