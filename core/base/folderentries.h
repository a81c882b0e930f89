#pragma once

#include <filesystem>
#include <vector>

namespace sweepscope {

/// Returns what a folder contains, in no order. Empty if it cannot be read; what was read before the error if a network
/// file system fails meanwhile, where a range-for over std::filesystem::directory_iterator would throw.
std::vector<std::filesystem::directory_entry> entriesOf(const std::filesystem::path &folder);

}  // namespace sweepscope
