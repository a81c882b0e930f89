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

/// What would become of a sweep if it was started now: who gets what, by the scheduler that the engine has.
namespace sweepscope::schedule {

/// A sweep that was launched, and what a definition means for its trials.
struct SweepSoFar {
    sweep::SweepSpec spec;                   ///< its definition now
    std::vector<sweep::TrialRecord> trials;  ///< all of them, in order of their numbers
    sweep::EditPlan edit;                    ///< by the definition that is planned
    WallNs now = 0;                          ///< when they were so
};

/// How long a trial takes, by what others took.
struct TimeBasis {
    double secondsPerTrial = 0;
    int trials = 0;     ///< that it was seen of; 0: of what running ones promise
    std::string sweep;  ///< theirs
};

using FinishedSweep = std::pair<sweep::SweepRecord, std::vector<sweep::TrialRecord>>;

/// The median of the completed trials of the last of these sweeps that ran the same on the same kind of device; empty when
/// there is none: of anything else nobody knows how long it takes.
std::optional<TimeBasis> timeBasis(const sweep::SweepSpec &spec, const std::vector<FinishedSweep> &sweeps);

/// The same by the sweep's own trials, which is under way: those that have completed, or else what the running ones promise.
std::optional<TimeBasis> ownTimeBasis(const sweep::SweepSpec &spec, const SweepSoFar &soFar);

struct PlannedTrial {
    int number = 0;
    sweep::ParameterSet parameters;
    Allocation devices;
    int after = 0;         ///< the trial whose end it waits for; 0: it starts at once
    bool isThere = false;  ///< it has its devices already, and runs or is frozen
};

struct SweepPlan {
    std::uint64_t trials = 0;                 ///< of a sweep that is under way those that have not ended
    bool isUnderWay = false;                  ///< it is, and the plan says how it goes on
    int atOnce = 0;                           ///< trials that run at the same time, at most
    std::vector<PlannedTrial> planned;        ///< the first ones, in the order in which they start
    facts::Facts held;                        ///< who has what of it now: GpuLeased, CpuSlotsUsed
    std::optional<sweep::HeldTrial> waiting;  ///< the first that does not start at once, and why
    std::optional<double> seconds;            ///< until the last has ended; empty: not known yet
    std::optional<TimeBasis> basis;           ///< of `seconds`
};

/// The plan, with `most` trials told one by one. Trials are taken to last equally long, and what others have is taken to
/// stay theirs. The sweep's trials alone: others that wait may come first. Else DevicesImpossible or DefinitionInvalid.
/// `workspace`: of the engine that would run it; CPU slots of its own trials are taken, those of others are only told.
/// `soFar`: of the sweep whose definition this is, or is to be: what its trials have is its own, and only what its `edit`
/// leaves to run counts. Nothing is taken. From any thread.
tl::expected<SweepPlan, facts::Fact> planSweep(const sweep::SweepSpec &spec, const MachineNow &machine,
                                               const std::optional<TimeBasis> &basis, std::size_t most = 100,
                                               const std::filesystem::path &workspace = {},
                                               const std::optional<SweepSoFar> &soFar = std::nullopt);

}  // namespace sweepscope::schedule
