#pragma once

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "diagnosis/evidence.h"
#include "series/feedseries.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::diagnosis {

/// What the GPUs of a machine did, as a sampler recorded it. Read once, for any number of attempts.
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

/// The histories of a workspace's machines, each read when it is needed.
class DeviceHistories {
public:
    explicit DeviceHistories(WorkspaceLayout workspace) : m_workspace(std::move(workspace)) {}

    /// `machine`: empty for that of the engine.
    const DeviceHistory &of(const std::string &machine);
    /// What could not be read so far, in sentences.
    std::string damage() const;

private:
    WorkspaceLayout m_workspace;
    std::map<std::string, DeviceHistory> m_machines;
};

}  // namespace sweepscope::diagnosis
