#pragma once

#include "base/workspacelayout.h"
#include "diagnosis/devicehistory.h"
#include "diagnosis/finding.h"
#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::ctl {

/// What is wrong with trials that run, from their files. What devices did is read once, and only if a trial runs.
class LiveFindings {
public:
    explicit LiveFindings(WorkspaceLayout workspace) : m_workspace(std::move(workspace)) {}

    /// Of the present attempt; none for a trial that does not run, or whose files cannot be read. Nothing: there is more
    /// to read than status can wait for.
    std::optional<std::vector<diagnosis::Finding>> of(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial);

private:
    WorkspaceLayout m_workspace;
    std::optional<diagnosis::DeviceHistory> m_devices;
    std::uintmax_t m_bytes = 0;  ///< read so far
};

}  // namespace sweepscope::ctl
