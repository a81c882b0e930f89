#pragma once

#include "base/clock.h"
#include "feed/records.h"
#include "series/energy.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace sweepscope::feed {
class FeedReader;
}

namespace sweepscope::engine {

/// Reads the energy and power of GPUs from a devices.feed that grows. It keeps places in the file in memory, not
/// readings, because the file may have days of them. Lives in one thread, which may block.
class GpuHistory {
public:
    explicit GpuHistory(std::filesystem::path feed);
    ~GpuHistory();
    GpuHistory(GpuHistory &&) noexcept;

    /// Reads what is new. Returns the time of the last reading of any device; nullopt if there is none.
    std::optional<WallNs> follow();
    /// Readings of these GPUs between the times, and the nearest ones before and after, as far as follow() has come.
    std::map<std::string, series::GpuReadings> read(const std::set<std::string> &gpus, WallNs from, WallNs until) const;

private:
    struct Place {
        WallNs time = 0;  ///< of the last reading before it
        feed::StreamPosition position;
    };
    using FileId = std::pair<dev_t, ino_t>;
    std::optional<FileId> fileId() const;

    std::filesystem::path m_feed;
    std::optional<FileId> m_file;
    std::unique_ptr<feed::FeedReader> m_reader;
    std::map<std::uint16_t, std::string> m_series;
    std::optional<WallNs> m_last;
    std::vector<Place> m_places;
};

}  // namespace sweepscope::engine
