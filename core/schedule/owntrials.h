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

/// The devices that trials of a sweep hold, as published by its engine.
class OwnTrials {
public:
    /// `soFar` must outlive it. `workspace`: of the sweep's engine.
    OwnTrials(const SweepSoFar &soFar, const std::filesystem::path &workspace);

    /// Returns the snapshot without what the sweep itself holds.
    MachineNow othersOf(const MachineNow &machine) const;
    /// Returns the cores that the trial's ranks are bound to.
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
