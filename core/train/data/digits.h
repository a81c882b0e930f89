#pragma once

#include "base/error.h"
#include "train/data/samples.h"

#include <filesystem>

namespace sweepscope::train {

/// UCI "Optical Recognition of Handwritten Digits", test part: a CSV file, plain or gzipped, each line 64 pixels of an
/// 8 x 8 image (0 to 16, row by row) and the digit. Errors name the path, the line and what was expected.
Expected<Samples> readDigits(const std::filesystem::path &path);

}  // namespace sweepscope::train
