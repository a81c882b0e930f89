#pragma once

#include "base/error.h"
#include "train/data/dataset.h"

#include <filesystem>
#include <string>

namespace sweepscope::train {

/// What torch.save wrote: a dictionary with the tensors "inputs" and "targets", or a tuple or list of the two.
Expected<Dataset> readTensors(const std::filesystem::path &path, const std::string &task);

}  // namespace sweepscope::train
