#pragma once

#include "base/workspacelayout.h"
#include "diagnosis/devicehistory.h"
#include "diagnosis/finding.h"
#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Diagnoses running trials from their files. Reads the history of a machine once, and only if a trial runs there.
class LiveFindings {
public:
    explicit LiveFindings(const WorkspaceLayout &workspace) : m_workspace(workspace), m_devices(workspace) {}

    /// Returns findings of the current attempt; empty if the trial does not run or its files are unreadable, nullopt if
    /// there is more to read than `status` can wait for.
    std::optional<std::vector<diagnosis::Finding>> of(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);

private:
    WorkspaceLayout m_workspace;
    diagnosis::DeviceHistories m_devices;
    std::set<std::string> m_machines;  ///< whose histories are read
    std::uintmax_t m_bytes = 0;        ///< read so far
};

}  // namespace sweepscope::ctl
