#pragma once

#include "base/workspacelayout.h"
#include "engine/trialrow.h"
#include "sweep/sweepspec.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// A new objective or goal for a sweep whose trials have already reported, or new metrics from their output.
namespace sweepscope::engine {

/// What the chain of a trial (sweep/trialchain.h) reported, judged by the new objective.
struct TrialReports {
    int attempts = 0;  ///< of the trial when its files were read
    std::optional<sweep::ObjectiveValue> last{};
    std::optional<sweep::ObjectiveValue> best{};
    std::vector<sweep::MetricValue> metrics{};
    std::optional<std::int64_t> objectiveReached{};
    std::optional<std::int64_t> firstStep{};
    std::int64_t step = 0;
    double progress = 0;
};

/// Reads the output of trials that have ended and reported nothing, as `[run.metrics]` of `spec` says, and writes the
/// feeds that their agents would have written. Returns the reports of these trials. Starts with no further trial after
/// `limit`.
std::map<int, TrialReports> readPrinted(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                        const sweep::SweepSpec &spec, std::span<const sweep::TrialRecord> trials,
                                        std::chrono::milliseconds limit);

/// Reads the feeds of all trials that are not running. Takes milliseconds per trial, seconds with millions of points.
/// Skips trials whose feed is missing or damaged. `sweepFolder`: SweepRecord::folder.
std::map<int, TrialReports> readReports(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                        const sweep::SweepSpec &spec, std::span<const sweep::TrialRecord> trials);

/// Sets the objective's values and the other metrics of the trial; of one that had reported nothing, its step, too. Without `reports` they are taken from its metrics, which
/// do not know at which step the best value was reported.
void changeObjective(TrialRow &row, const sweep::SweepSpec &before, const sweep::SweepSpec &after,
                     const TrialReports *reports);

}  // namespace sweepscope::engine
