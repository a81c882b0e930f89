#pragma once

#include "engine/attemptverdict.h"
#include "engine/objectivetracker.h"
#include "launch/agentprocess.h"
#include "output/metricssection.h"
#include "sweep/sweepspec.h"
#include "sweep/tracerequest.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// An agent that has given no sign of life for half a minute, or that cannot be seen.
struct AgentSilence {
    bool isStopped = false;      ///< by a signal
    bool isUnreachable = false;  ///< its machine
    std::string machine{};       ///< of an attempt on several machines
};

/// Follows one attempt and signals it. AttemptMonitor uses files and pids; the simulator uses simulated agents.
class AttemptObserver {
public:
    virtual ~AttemptObserver() = default;

    virtual void poll(WallNs now) = 0;
    /// Sends SIGTERM to the agent, and SIGKILL if it does not end in time.
    virtual void stop(WallNs now) = 0;
    /// Kills all of its processes.
    virtual void kill(WallNs now) = 0;
    /// Asks for a checkpoint and the end; ranks that do not check for the request continue.
    virtual void saveAndEnd() = 0;
    virtual void freeze() = 0;
    virtual void thaw() = 0;
    /// Ranks that do not look for the request continue as before.
    virtual Expected<void> requestTrace(const sweep::TraceRequest &request) = 0;
    /// Its agent reads the output of its ranks, unless it does that already, or they report themselves.
    virtual Expected<void> readOutput(const output::MetricsSection &metrics) = 0;

    /// Uses this objective, goal and rungs from now on, including rungs that it has passed. `past`: of the objective.
    virtual void judgeBy(const sweep::SweepSpec &spec, ReportedPast past) = 0;
    /// The wall clock was set: waits keep their length.
    virtual void moveWaits(WallNs change) = 0;
    /// The agent could not be started: Failed, or NeverStarted if the attempt did not cause it.
    virtual void failToStart(AttemptEnd end, facts::Fact reason, WallNs now) = 0;

    virtual bool ranksStarted() const = 0;
    virtual bool stopRequested() const = 0;
    /// When the agent began, by the clock of its machine; nullopt before, or if unknown.
    virtual std::optional<WallNs> agentStarted() const { return std::nullopt; }
    virtual const std::optional<launch::ProcessIdentity> &agent() const = 0;
    virtual const ObjectiveTracker &objective() const = 0;
    virtual std::vector<pruning::RungValue> takeReachedRungs() = 0;
    /// Once set, everything that the attempt reported has been read, and the verdict does not change.
    virtual const std::optional<AttemptVerdict> &verdict() const = 0;
    /// nullopt while the agent gives signs of life.
    virtual std::optional<AgentSilence> silence() const = 0;
    /// What it waits for before its ranks start; nullopt if unknown.
    virtual std::optional<facts::Fact> waits() const { return std::nullopt; }
    /// Returns a reading error once; empty otherwise.
    virtual std::string takeWarning() = 0;
};

}  // namespace sweepscope::engine
