#pragma once

#include "facts/fact.h"
#include "sweep/records.h"

#include <optional>
#include <span>

namespace sweepscope::sweep {

/// What a sweep has used of its budget.
struct BudgetUse {
    WallNs sinceLaunch = 0;
    WallNs deviceTime = 0;                  ///< of all attempts, each times its devices
    std::optional<double> kilowattHours{};  ///< of the attempts whose energy is known; nullopt: of none

    bool operator==(const BudgetUse &) const = default;
};

/// Whether a trial holds devices. One that is paused does, unless its worker has saved a checkpoint and ended.
bool holdsDevices(const TrialRecord &trial, const SweepSpec &spec);

/// Whether pausing a trial saves a checkpoint and releases its devices; otherwise its ranks are frozen.
bool savesCheckpoints(const RunSection &run);

/// From what records tell: `sweep.deviceTime`, and the attempts that run. Without energy.
BudgetUse budgetUse(const SweepRecord &sweep, const SweepSpec &spec, std::span<const TrialRecord> trials, WallNs now);

/// TimeBudgetSpent, DeviceBudgetSpent or EnergyBudgetSpent with the limit; nullopt while some of each is left, or
/// without a budget.
std::optional<facts::Fact> spentBudget(const std::optional<BudgetSection> &budget, const BudgetUse &used);

}  // namespace sweepscope::sweep
