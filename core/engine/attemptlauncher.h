#pragma once

#include "engine/attemptobserver.h"
#include "engine/trialrow.h"
#include "schedule/allocator.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// Starts attempts and hands out who follows them. AgentLauncher does so with agents; the simulator without processes.
class AttemptLauncher {
public:
    virtual ~AttemptLauncher() = default;

    /// Never one that was used before, whatever the database says.
    virtual int nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const = 0;
    /// No other attempt of any workspace has this id.
    virtual std::string makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const = 0;
    virtual Expected<launch::ProcessIdentity> start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                    const sweep::TrialRecord &trial, const std::string &attemptId,
                                                    const schedule::Allocation &devices,
                                                    std::span<const int> leases) = 0;
    /// From now on, until the observer is gone. `past`: of the attempts that it may continue.
    virtual std::unique_ptr<AttemptObserver> observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                     const sweep::TrialRecord &trial, const AttemptRow &attempt,
                                                     ReportedPast past) = 0;
    /// The cores that a running attempt was given, by rank; empty when unknown.
    virtual std::vector<std::vector<int>> cpusOf(const sweep::SweepRecord &sweep, const AttemptRow &attempt) const = 0;
    /// After an agent that was killed: tidies its logs.
    virtual void tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const = 0;
};

}  // namespace sweepscope::engine
