#pragma once

#include "engine/attemptobserver.h"
#include "engine/energyuse.h"
#include "engine/trialrow.h"
#include "schedule/allocator.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// Starts attempts and creates their observers. AgentLauncher uses agents; the simulator uses no processes.
class AttemptLauncher {
public:
    virtual ~AttemptLauncher() = default;

    /// Returns an attempt number that was never used before, whatever the database says.
    virtual int nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const = 0;
    /// Returns an id that is unique among the attempts of all workspaces.
    virtual std::string makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const = 0;
    /// Returns the agent; nullopt if another machine is starting it.
    virtual Expected<std::optional<launch::ProcessIdentity>>
    start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
          const std::string &attemptId, const schedule::Allocation &devices, std::span<const int> leases) = 0;
    /// Observes the attempt until the observer is destroyed. `past`: what the attempts that it may continue have
    /// reported.
    virtual std::unique_ptr<AttemptObserver> observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                     const sweep::TrialRecord &trial, const AttemptRow &attempt,
                                                     ReportedPast past) = 0;
    /// Returns the cores assigned to a running attempt, by rank; empty if unknown.
    virtual std::vector<std::vector<int>> cpusOf(const sweep::SweepRecord &sweep, const AttemptRow &attempt) const = 0;
    /// The attempt has ended, and its end is in the database.
    virtual void noteEnd(const AttemptRow &, WallNs) {}
    /// Returns what the sweep's attempts have used; nothing is known if energy is not measured.
    virtual EnergyUse energyUse(const sweep::SweepRecord &) { return {}; }
    /// Tidies the logs of an attempt whose agent was killed.
    virtual void tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const = 0;
};

}  // namespace sweepscope::engine
