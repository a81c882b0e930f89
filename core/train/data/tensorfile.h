#pragma once

#include "base/error.h"
#include "train/data/dataset.h"
#include "train/data/rowchoice.h"

#include <filesystem>
#include <string>

namespace sweepscope::train {

/// What torch.save wrote: a dictionary with the tensors "inputs" and "targets", or a tuple or list of the two, on
/// whatever device they were. With a `choice` only the rows that it wants are read.
Expected<Dataset> readTensors(const std::filesystem::path &path, const std::string &task, const RowChoice &choice = {});

}  // namespace sweepscope::train
