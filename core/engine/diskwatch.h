#pragma once

#include "base/clock.h"
#include "base/diskspace.h"
#include "facts/fact.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace sweepscope::engine {

/// A parameter, so that tests can simulate full disks. Returns nullopt if unknown.
using DiskProbe = std::function<std::optional<DiskSpace>(const std::filesystem::path &folder)>;

/// Watches the free space of a workspace's disk. A sweep that runs for days fills disks, and the user should know
/// before the first trial suffers.
class DiskWatch {
public:
    enum class Level {
        Enough,
        Low,   ///< the user should free space
        Full,  ///< too little to start an attempt
    };
    explicit DiskWatch(std::filesystem::path folder, DiskProbe probe = diskSpaceOf);

    /// Checks the disk if the last check is old enough. Returns true if the level has changed.
    bool poll(WallNs now);
    Level level() const { return m_level; }
    /// Returns None while there is enough space.
    facts::Fact warning() const;

private:
    std::filesystem::path m_folder;
    DiskProbe m_probe;
    std::optional<WallNs> m_polledAt;
    Level m_level = Level::Enough;
};

}  // namespace sweepscope::engine
