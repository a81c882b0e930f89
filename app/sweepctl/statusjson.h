#pragma once

#include "sweep/records.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

struct SweepStatus {
    sweep::SweepRecord sweep;
    std::vector<sweep::TrialRecord> trials;
};

struct WorkspaceStatus {
    std::string workspace;
    bool engineRuns = false;
    std::vector<SweepStatus> sweeps;
};

/// Times are ISO 8601, numbers that JSON does not have (NaN) are null, what is not there is null.
std::string toJson(const WorkspaceStatus &status);

}  // namespace sweepscope::ctl
