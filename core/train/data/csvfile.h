#pragma once

#include "base/error.h"
#include "train/data/dataset.h"
#include "train/data/rowchoice.h"

#include <filesystem>
#include <string>

namespace sweepscope::train {

/// A table with a header line, plain or gzipped, separated by commas (or semicolons or tabs, whichever the header has
/// most of): numeric columns, and the column `target` (empty: the last). Targets that are words are classes in
/// alphabetical order. `task` as in makeDataset. Errors name the path, the line and the column. The file is gone through
/// twice: for the targets, of which task and classes depend on all, and for the rows that `choice` wants, which alone
/// are kept.
Expected<Dataset> readCsv(const std::filesystem::path &path, const std::string &target, const std::string &task,
                          const RowChoice &choice = {});

}  // namespace sweepscope::train
