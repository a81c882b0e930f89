#pragma once

#include "train/bytesink.h"
#include "train/network.h"

#include <map>
#include <string>
#include <vector>

namespace sweepscope::train {

/// Tensors as safetensors.torch.save_file() writes them (format: the README of github.com/huggingface/safetensors): a
/// JSON header with name, type, shape and place of each, then their bytes. `metadata` goes into the header, too.
void writeSafetensors(const std::vector<NamedTensor> &tensors, const std::map<std::string, std::string> &metadata,
                      const ByteSink &sink);

}  // namespace sweepscope::train
