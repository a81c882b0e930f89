#pragma once

#include "base/clock.h"
#include "base/diskspace.h"
#include "facts/fact.h"

#include <filesystem>
#include <functional>
#include <optional>

namespace sweepscope::engine {

/// Handed in, so that tests fill disks without filling them. Nothing: it cannot be known.
using DiskProbe = std::function<std::optional<DiskSpace>(const std::filesystem::path &folder)>;

/// How much room the disk of a workspace has. A sweep that runs for days fills disks, and people should hear of it
/// before the first trial suffers.
class DiskWatch {
public:
    enum class Level {
        Enough,
        Low,   ///< a person should make room
        Full,  ///< too little to start an attempt
    };
    explicit DiskWatch(std::filesystem::path folder, DiskProbe probe = diskSpaceOf);

    /// Looks when the last look is a while ago. True when the level has changed.
    bool look(WallNs now);
    Level level() const { return m_level; }
    /// None while there is enough.
    facts::Fact warning() const;

private:
    std::filesystem::path m_folder;
    DiskProbe m_probe;
    std::optional<WallNs> m_lookedAt;
    Level m_level = Level::Enough;
};

}  // namespace sweepscope::engine
