#pragma once

#include "base/error.h"
#include "train/data/dataset.h"

#include <filesystem>
#include <string>

namespace sweepscope::train {

/// A table with a header line, plain or gzipped, separated by commas (or semicolons or tabs, whichever the header has
/// most of): numeric columns, and the column `target` (empty: the last). Targets that are words are classes in
/// alphabetical order. `task` as in makeDataset. Errors name the path, the line and the column.
Expected<Dataset> readCsv(const std::filesystem::path &path, const std::string &target, const std::string &task);

}  // namespace sweepscope::train
