#pragma once

#include "base/workspacelayout.h"
#include "exporting/sweepexport.h"
#include "feed/feedreader.h"
#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::exporting {

/// What rank 0 of a trial reported of the objective, in the attempts of its chain (sweep/trialchain.h).
struct ObjectiveCurve {
    std::vector<feed::Point> points;
    std::string damage;  ///< of the feeds; empty: none
};

/// At most `mostPoints` points, as PointThinner chooses them. nullopt: stopped by `progress`.
std::optional<ObjectiveCurve> objectiveCurve(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                             const sweep::TrialRecord &trial, std::uint64_t mostPoints,
                                             const Progress &progress);

}  // namespace sweepscope::exporting
