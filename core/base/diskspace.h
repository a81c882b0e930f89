#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sweepscope {

struct DiskSpace {
    std::uint64_t freeBytes = 0;
    std::uint64_t totalBytes = 0;

    /// So little is left that writes fail, or soon will. A share, so that a small disk that is meant to be small is not
    /// always full.
    bool isFull() const;
};

/// Returns the space that this user has on the file system of `folder`; nullopt if unknown.
std::optional<DiskSpace> diskSpaceOf(const std::filesystem::path &folder);

}  // namespace sweepscope
