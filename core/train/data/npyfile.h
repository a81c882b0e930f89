#pragma once

#include "base/error.h"
#include "train/data/dataset.h"
#include "train/data/rowchoice.h"

#include <filesystem>
#include <string>

namespace sweepscope::train {

/// Arrays as numpy.save writes them (format 1.0 to 3.0): booleans, integers or floats of the machine's byte order, in C
/// order. Fortran order, objects and text are refused in words.
/// Inputs from `inputs`, targets from `targets`; of the inputs only the rows that are chosen are read. `inMemory` false:
/// see readTable().
Expected<Dataset> readNpyPair(const std::filesystem::path &inputs, const std::filesystem::path &targets,
                              const std::string &task, const RowChoice &choice = {}, bool inMemory = true);

}  // namespace sweepscope::train
