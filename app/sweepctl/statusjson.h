#pragma once

#include "diagnosis/finding.h"
#include "launch/energyfile.h"
#include "sweep/costfactors.h"
#include "sweep/records.h"

#include <map>
#include <string>
#include <vector>

namespace sweepscope::ctl {

struct SweepStatus {
    sweep::SweepRecord sweep;
    std::vector<sweep::TrialRecord> trials;
    std::map<int, std::vector<diagnosis::Finding>> findings;  ///< of running trials, by number
    launch::SweepEnergy energy;
};

struct WorkspaceStatus {
    std::string workspace;
    bool engineRuns = false;
    std::vector<SweepStatus> sweeps;
    sweep::CostFactors factors{};
};

/// Times are ISO 8601; missing values and numbers that JSON lacks (NaN) are null.
std::string toJson(const WorkspaceStatus &status);

}  // namespace sweepscope::ctl
