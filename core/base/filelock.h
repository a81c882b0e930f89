#pragma once

#include <filesystem>

namespace sweepscope {

/// Whether somebody holds an exclusive flock() on the file. False for one that is not there or cannot be read.
bool isLocked(const std::filesystem::path &file);

}  // namespace sweepscope
