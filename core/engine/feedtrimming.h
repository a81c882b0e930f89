#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>

namespace sweepscope::engine {

/// Bounds a feed that is written for as long as a workspace is used: when the log has grown beyond `mostBytes`, its
/// older part is dropped and about `keptBytes` of it stay. Readers that have it open keep the old file. Nobody may
/// write it meanwhile.
Expected<void> trimFeed(const std::filesystem::path &log, std::uint64_t mostBytes, std::uint64_t keptBytes);

}  // namespace sweepscope::engine
