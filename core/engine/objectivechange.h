#pragma once

#include "base/workspacelayout.h"
#include "engine/trialrow.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Another objective, or goal, for a sweep whose trials have reported already.
namespace sweepscope::engine {

/// What the chain of a trial (sweep/trialchain.h) reported, judged by the new objective.
struct TrialReports {
    int attempts = 0;  ///< of the trial when its files were read
    std::optional<sweep::ObjectiveValue> last{};
    std::optional<sweep::ObjectiveValue> best{};
    std::vector<sweep::MetricValue> metrics{};
    std::optional<std::int64_t> objectiveReached{};
};

/// Reads the feeds of all trials that are not under way: milliseconds for a trial, seconds for one with millions of points. A
/// trial whose feed is gone, or damaged, is left out. `sweepFolder`: SweepRecord::folder.
std::map<int, TrialReports> readReports(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                        const sweep::SweepSpec &spec, std::span<const sweep::TrialRecord> trials);

/// Sets the objective's values and the other metrics of the trial. Without `reports` they are taken from its metrics, which
/// do not know at which step the best value was reported.
void changeObjective(TrialRow &row, const sweep::SweepSpec &before, const sweep::SweepSpec &after,
                     const TrialReports *reports);

}  // namespace sweepscope::engine
