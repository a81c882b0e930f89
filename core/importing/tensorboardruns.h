#pragma once

#include "base/error.h"
#include "importing/study.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope::importing {

struct RunsChoice {
    std::string objective;  ///< empty: chosen by the names of the series
    std::optional<sweep::Goal> goal;
};

/// Reads a folder of runs with event files of TensorBoard: each folder with scalars or hyperparameters is a trial, and
/// belongs to the trial of a folder around it if it has a part of its curves (`train`, `validation`, folders of
/// add_scalars() and add_hparams()). Files of a folder are joined in the order of their names; where a later file begins
/// at an earlier step, its values replace the others. Trials are in the order of their times.
/// Errors: there are no scalars, or no objective could be chosen. Damaged files become notes.
Expected<Study> readRuns(const std::filesystem::path &folder, const RunsChoice &choice = {});

/// Returns the series that is most likely the objective; empty if no name tells.
/// `series`: the number of trials that have it, by name.
std::string likelyObjective(const std::map<std::string, std::size_t> &series, std::size_t trials);

/// Maximize for accuracies, rewards and the like.
sweep::Goal likelyGoal(const std::string &objective);

}  // namespace sweepscope::importing
