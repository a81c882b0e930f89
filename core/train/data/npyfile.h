#pragma once

#include "base/error.h"
#include "train/data/dataset.h"

#include <filesystem>
#include <string>
#include <torch/types.h>

namespace sweepscope::train {

/// An array as numpy.save writes it (format 1.0 to 3.0): booleans, integers or floats of the machine's byte order, in C
/// order. Fortran order, objects and text are refused in words.
Expected<torch::Tensor> readNpy(const std::filesystem::path &path);

/// Inputs from `inputs`, targets from `targets`.
Expected<Dataset> readNpyPair(const std::filesystem::path &inputs, const std::filesystem::path &targets,
                              const std::string &task);

}  // namespace sweepscope::train
