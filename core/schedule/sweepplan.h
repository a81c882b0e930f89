#pragma once

#include "schedule/machinenow.h"
#include "schedule/scheduler.h"
#include "sweep/editplan.h"
#include "sweep/records.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Predicts a sweep started now: which trial gets which devices, using the engine's scheduler.
namespace sweepscope::schedule {

/// A launched sweep, and what a definition means for its trials.
struct SweepSoFar {
    sweep::SweepSpec spec;                   ///< its definition now
    std::vector<sweep::TrialRecord> trials;  ///< all of them, ordered by number
    sweep::EditPlan edit;                    ///< the effect of the planned definition
    WallNs now = 0;                          ///< the time of this state
};

/// The expected duration of a trial, based on earlier ones.
struct TimeBasis {
    double secondsPerTrial = 0;
    int trials = 0;     ///< the number of trials it is based on; 0: based on the progress of running ones
    std::string sweep;  ///< the sweep of these trials
};

using FinishedSweep = std::pair<sweep::SweepRecord, std::vector<sweep::TrialRecord>>;

/// Returns the median of the completed trials in the last of these sweeps that ran the same on the same kind of device;
/// nullopt if there is none, because nothing else predicts the duration.
std::optional<TimeBasis> timeBasis(const sweep::SweepSpec &spec, const std::vector<FinishedSweep> &sweeps);

/// The same from the trials of the sweep itself, which is under way: the completed ones, or else the progress of
/// running ones.
std::optional<TimeBasis> ownTimeBasis(const sweep::SweepSpec &spec, const SweepSoFar &soFar);

struct PlannedTrial {
    int number = 0;
    std::optional<sweep::ParameterSet> parameters;  ///< nullopt: the search chooses them while the sweep runs
    Allocation devices;
    int after = 0;         ///< the trial whose end it waits for; 0: it starts immediately
    bool isThere = false;  ///< it already holds its devices, and runs or is frozen
};

struct SweepPlan {
    std::uint64_t trials = 0;                 ///< of a sweep that is under way those that have not ended
    bool hasNoEnd = false;                    ///< a search without a number of trials: `trials` are its first ones
    bool isUnderWay = false;                  ///< the plan shows how it continues
    int atOnce = 0;                           ///< trials that run at the same time, at most
    std::vector<PlannedTrial> planned;        ///< the first ones, in the order in which they start
    facts::Facts held;                        ///< who has what of it now: GpuLeased, CpuSlotsUsed
    std::optional<sweep::HeldTrial> waiting;  ///< the first that does not start at once, and why
    std::optional<double> seconds;            ///< until the last has ended; empty: not known yet
    std::optional<TimeBasis> basis;           ///< of `seconds`
    std::vector<std::string> leftOut{};  ///< other machines that the sweep may use: their devices are not known here
};

/// Returns the plan with the first `most` trials in detail. Assumes that trials take equally long, and that other users
/// keep their devices. Considers only this sweep's trials: other waiting ones may come first. Errors: DevicesImpossible
/// or DefinitionInvalid. `workspace`: of the engine that would run it; CPU slots of its trials count as taken, those of
/// others are only reported. `soFar`: the sweep whose definition this is, or will be: the devices of its trials count
/// as its own, and only what its `edit` leaves to run is planned. Of a sweep that uses machines whose devices are not known
/// only trials on the others are planned; none, if it cannot run there. Takes no devices. May be called on any thread.
tl::expected<SweepPlan, facts::Fact> planSweep(const sweep::SweepSpec &spec, const MachineNow &machine,
                                               const std::optional<TimeBasis> &basis, std::size_t most = 100,
                                               const std::filesystem::path &workspace = {},
                                               const std::optional<SweepSoFar> &soFar = std::nullopt);

}  // namespace sweepscope::schedule
