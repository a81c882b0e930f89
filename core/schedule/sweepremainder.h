#pragma once

#include "base/error.h"
#include "sweep/records.h"
#include "sweep/trialplan.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::schedule {

struct CpuUse;
struct MachineNow;

/// A sweep that is under way, and whose definition may be changed.
struct SweepSoFar {
    sweep::SweepSpec spec;                   ///< its definition now
    std::vector<sweep::TrialRecord> trials;  ///< all of them
    WallNs now = 0;                          ///< when they were so
};

/// What is left of a sweep under another definition.
struct SweepRemainder {
    std::vector<sweep::TrialRecord> holding;  ///< that run, or are frozen: what they have stays theirs until they end
    std::vector<sweep::TrialPlan> waiting;    ///< in the order in which they start
};

/// By what the engine makes of an edit: trials are compared by their parameters, and those that have started stay. Of a
/// random search whose number of trials is raised, points that were asked for one by one are taken for drawn ones.
Expected<SweepRemainder> remainderOf(const sweep::SweepSpec &after, const SweepSoFar &soFar);

/// What trials of the sweep have of a machine, as its engine told it to the others.
class OwnTrials {
public:
    /// `soFar` outlives it. `workspace`: of the sweep's engine.
    OwnTrials(const SweepSoFar &soFar, const std::filesystem::path &workspace);

    /// What others have and wait for: without what is the sweep's own.
    MachineNow othersOf(const MachineNow &machine) const;
    /// The cores that its ranks are bound to.
    std::vector<std::vector<int>> cpusOf(int trial, const MachineNow &machine) const;

private:
    std::optional<int> ownerOf(const CpuUse &use) const;
    bool has(int trial, const std::string &deviceId) const;

    std::string m_name;
    std::string m_workspace;
    const std::vector<sweep::TrialRecord> &m_trials;
};

}  // namespace sweepscope::schedule
