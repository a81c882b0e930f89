#pragma once

#include "base/clock.h"
#include "diagnosis/evidence.h"
#include "series/feedseries.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::diagnosis {

/// What this machine's GPUs did, as the engine's sampler recorded it. Read once, for any number of attempts.
class DeviceHistory {
public:
    /// A file that is not there is an empty history. What could not be read of it is left out, see damage().
    explicit DeviceHistory(const std::filesystem::path &feed);

    /// Of a GPU between two times; empty when nothing was recorded.
    std::vector<GpuRow> rows(const std::string &deviceId, WallNs from, WallNs to) const;
    std::vector<MonitorRow> monitor(WallNs from, WallNs to) const;
    bool isSimulated(const std::string &deviceId) const;
    std::string damage() const { return m_damage; }

private:
    series::FeedSeries m_feed;
    std::string m_damage;
};

}  // namespace sweepscope::diagnosis
