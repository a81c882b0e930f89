#include "exporting/reportedrun.h"

#include "launch/attemptenvironment.h"
#include "snapshot/snapshot.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace sweepscope::exporting {

namespace {

/// In a report, which a mail must hold.
constexpr std::size_t mostOfCodeDifference = std::size_t{200} << 10;

}  // namespace

int reportedTrial(const std::vector<sweep::TrialRecord> &trials)
{
    const auto started =
        std::ranges::find_if(trials, [](const sweep::TrialRecord &trial) { return trial.attempts > 0; });
    return started == trials.end() ? 0 : started->number;
}

std::optional<ReportedRun> reportedRun(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep, int trial,
                                       const sweep::TrialHistory &history)
{
    if (history.attempts.empty() || !history.attempts.back().launch)
        return std::nullopt;
    const sweep::AttemptRecord &attempt = history.attempts.back();
    ReportedRun run{trial, *attempt.launch,
                    launch::readEnvironment(workspace.attempt(sweep.folder, trial, attempt.number))};
    const std::optional<sweep::SourceState> &source = run.launch.source;
    if (source && !source->revision.empty() && !source->tree.empty()) {
        const std::atomic<bool> notCancelled = false;
        // The repository may be gone.
        if (auto difference = snapshot::differenceFromCommit(workspace.codeStore(), run.launch.folder, source->revision,
                                                             source->tree, mostOfCodeDifference, notCancelled)) {
            run.changedFiles = std::move(difference->files);
            run.codeDifference = std::move(difference->text);
        }
    }
    return run;
}

}  // namespace sweepscope::exporting
