#pragma once

#include "base/error.h"
#include "importing/study.h"

#include <filesystem>
#include <vector>

namespace sweepscope::engine {

/// Reads the studies in a SQLite database of optuna.storages.RDBStorage, without changing it. Unsupported: another version of
/// its schema.
Expected<std::vector<importing::Study>> readStudyDatabase(const std::filesystem::path &file);

}  // namespace sweepscope::engine
