#pragma once

#include "base/workspacelayout.h"
#include "exporting/reportfacts.h"
#include "launch/attemptenvironment.h"
#include "sweep/records.h"
#include "sweep/trialhistory.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::exporting {

/// What an attempt ran, and with what.
struct ReportedRun {
    int trial = 0;
    sweep::AttemptLaunch launch{};
    std::optional<launch::AttemptEnvironment> environment{};
    std::string changedFiles{};    ///< a line for each, as `git diff --name-status` prints them; see snapshot.h
    std::string codeDifference{};  ///< between the revision and the snapshot
};

/// The trial whose run stands for all of a sweep: the first that has started; 0 if there is none.
int reportedTrial(const std::vector<sweep::TrialRecord> &trials);

/// What the last attempt in the history of the trial ran, with its environment and the changes of its code, as far as they
/// are stored here. nullopt if unknown. Runs git.
std::optional<ReportedRun> reportedRun(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep, int trial,
                                       const sweep::TrialHistory &history);

/// Command, working directory, revision, branch and snapshot.
ReportFacts codeFacts(const ReportedRun &run);
/// Devices, machine, interpreter and variables; secrets are masked.
ReportFacts environmentFacts(const ReportedRun &run);
/// Name and version of each package, a line for each.
std::string packageList(const ReportedRun &run);

}  // namespace sweepscope::exporting
