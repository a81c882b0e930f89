#pragma once

#include "base/error.h"
#include "train/data/dataset.h"

#include <filesystem>
#include <string>

namespace sweepscope::train {

/// A file with the tensors "inputs" and "targets" as safetensors.torch.save_file() writes them (format: the README of
/// github.com/huggingface/safetensors). With `choice` the rows that it wants. `inMemory` false: see readTable().
Expected<Dataset> readSafetensorsPair(const std::filesystem::path &path, const std::string &task,
                                      const RowChoice &choice, bool inMemory);

}  // namespace sweepscope::train
