#pragma once

#include "sweep/records.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::schedule {

struct CpuUse;
struct LeaseHolder;
struct MachineNow;
struct SweepSoFar;

/// What trials of a sweep have of a machine, as its engine told it to the others.
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
    bool isOfSweep(const LeaseHolder &holder) const;
    bool has(int trial, const std::string &deviceId) const;

    std::string m_name;
    std::string m_workspace;
    const std::vector<sweep::TrialRecord> &m_trials;
};

}  // namespace sweepscope::schedule
