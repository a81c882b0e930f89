#pragma once

#include "base/error.h"
#include "importing/importedsweep.h"
#include "sweep/records.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Sweeps of one workspace as one sweep.
namespace sweepscope::importing {

/// A sweep that is joined with others.
struct JoinedPart {
    const sweep::SweepRecord &sweep;
    std::span<const sweep::TrialRecord> trials;
};

struct JoinChoice {
    std::string name;       ///< empty: made of those of the sweeps
    std::string objective;  ///< empty: the one that they share
};

struct JoinedTrial {
    std::size_t part = 0;
    /// Number, parameters and note are those in the joined sweep. The objective is that of the original sweep.
    sweep::TrialRecord record;
    int numberBefore = 0;
};

struct JoinedSweep {
    ImportedSweep imported;
    std::vector<JoinedTrial> trials;  ///< all that have ended, sweep by sweep
    std::string note;                 ///< which sweeps it consists of, and what was left out
};

inline constexpr std::size_t mostJoinedSweeps = 50;
/// The files of their attempts are linked one by one.
inline constexpr std::size_t mostJoinedTrials = 20'000;

/// Objectives and metrics that trials of each sweep have reported, by name.
std::vector<std::string> commonMetrics(const std::vector<JoinedPart> &parts);

/// The objectives of the joined sweep. `objective`: of JoinChoice. BadInput: the sweeps do not agree, or one has no such metric.
Expected<std::vector<sweep::Objective>> joinedObjectives(const std::vector<JoinedPart> &parts,
                                                         const std::string &objective);

/// "digits-mlp + digits-cnn"
std::string joinedName(const std::vector<JoinedPart> &parts);

/// The union of the trials that have ended. The parameter `sweep` names the sweep of each. BadInput: they cannot be joined.
Expected<JoinedSweep> joinSweeps(const std::vector<JoinedPart> &parts, const JoinChoice &choice);

}  // namespace sweepscope::importing
