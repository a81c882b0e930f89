#pragma once

#include "engine/store.h"
#include "sweep/trialplan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// A sweep that has ended, with all that the engine needs to add it to its workspace: one that is imported or joined.
struct PreparedSweep {
    std::filesystem::path folder;    ///< removed afterwards
    std::filesystem::path files;     ///< those of the new sweep: `folder` or a part of it
    std::filesystem::path database;  ///< has attempts and history of the trials; empty: the engine's own
    std::string schema = "main";     ///< of this database, while the engine reads it
    sweep::SweepRecord record;
    std::vector<sweep::TrialPlan> plans;
    std::vector<CopiedTrial> trials;  ///< in the same order
};

}  // namespace sweepscope::engine
