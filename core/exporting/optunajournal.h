#pragma once

#include "exporting/sweepexport.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sweepscope::exporting {

/// The most points of a trial's curve in a journal.
inline constexpr std::uint64_t mostJournalPoints = 1000;

/// Writes the sweep as a study of Optuna (3.1 and later) into a journal file: lines of JSON that
/// optuna.storages.JournalStorage and optuna-dashboard open.
///
/// The study has the name of the sweep. Trial N of the sweep is number N - 1 of the study, and the user attribute "trial"
/// is N.
/// - State: completed is COMPLETE, pruned is PRUNED, queued is WAITING; starting, running and paused are RUNNING;
///   failed, stopped and lost are FAIL. A completed trial without a number as its objective is FAIL, as in Optuna.
///   The user attribute "state" is ours.
/// - Value: the best one of the trial; of a pruned trial the last one, as in Optuna. With several objectives, the last
///   value of each.
/// - Intermediate values: the objective by step, at most `mostPoints` of them. None with several objectives, for which
///   Optuna has none.
/// - Distributions: of the definition, and wide enough for all trials. A list of numbers is categorical, a normal
///   distribution is a range. A trial lacks parameters whose condition was false.
/// - System attributes: constraints, as samplers of Optuna store them, and the names of the objectives.
/// - User attributes: seed, attempts, devices, cause of the end, stars, tags, note, and the metrics, named like the columns
///   of exportTrials(). What is unknown is absent.
///
/// Times are local, as in Optuna. "-" is standard output. Errors as of exportCurves().
Expected<void> exportOptuna(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                            const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                            const Progress &progress = {}, std::uint64_t mostPoints = mostJournalPoints);

}  // namespace sweepscope::exporting
