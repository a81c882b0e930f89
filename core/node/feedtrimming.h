#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>

namespace sweepscope::node {

/// Bounds a feed that is written as long as a workspace is used: if the log has grown beyond `mostBytes`, drops its
/// older part and keeps about `keptBytes`. Readers that have it open keep the old file. It must not be written
/// meanwhile.
Expected<void> trimFeed(const std::filesystem::path &log, std::uint64_t mostBytes, std::uint64_t keptBytes);

}  // namespace sweepscope::node
