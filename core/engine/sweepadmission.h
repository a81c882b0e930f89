#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "engine/attemptlaunch.h"
#include "engine/store.h"
#include "sweep/machinecheck.h"
#include "sweep/problem.h"
#include "sweep/records.h"
#include "sweep/trialplan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What is wrong with a sweep on this machine: what sweep::checkMachine says, and a built-in worker that was not built.
std::vector<sweep::Problem> machineProblems(const sweep::SweepSpec &spec, const sweep::Capacity &capacity,
                                            const std::filesystem::path &worker,
                                            const std::filesystem::path &baseFolder);

/// A sweep that may be run here, not stored yet.
struct Admission {
    sweep::SweepRecord record;
    sweep::SweepSpec spec;
    std::vector<sweep::TrialPlan> plans;
};

/// Everything is checked again, whoever sent it: the text, the machine, the number of trials.
tl::expected<Admission, std::vector<sweep::Problem>> admitSweep(const std::string &toml, const std::string &baseFolder,
                                                                const sweep::Capacity &capacity,
                                                                const Programs &programs, WallNs now);

/// Writes the sweep to the database and its file to a new folder, both or neither. `admission.record` gets its id, folder and
/// number of trials. Returns the trials as they were stored.
Expected<std::vector<TrialRow>> storeSweep(Store &store, const WorkspaceLayout &workspace, Admission &admission);

}  // namespace sweepscope::engine
