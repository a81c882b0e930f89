#pragma once

#include "engine/attemptverdict.h"
#include "engine/objectivetracker.h"
#include "launch/agentprocess.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// An agent that has given no sign of life for half a minute.
struct AgentSilence {
    bool isStopped = false;  ///< by a signal
};

/// Follows one attempt and signals it. AttemptMonitor does so by files and pids; the simulator by simulated agents.
class AttemptObserver {
public:
    virtual ~AttemptObserver() = default;

    virtual void poll(WallNs now) = 0;
    /// SIGTERM to the agent, SIGKILL when that is ignored for long.
    virtual void stop(WallNs now) = 0;
    /// Kills all of its processes.
    virtual void kill(WallNs now) = 0;
    /// Asks for a checkpoint and the end; ranks that do not check for the request run on.
    virtual void saveAndEnd() = 0;
    virtual void freeze() = 0;
    virtual void thaw() = 0;

    /// Compares it at other rungs from now on, those that it has passed included.
    virtual void compareAt(const std::optional<sweep::PruneSection> &prune) = 0;
    /// The wall clock was set: waits keep their length.
    virtual void moveWaits(WallNs change) = 0;
    /// The agent could not be started: Failed, or NeverStarted when that was not the attempt's fault.
    virtual void failToStart(AttemptEnd end, facts::Fact reason, WallNs now) = 0;

    virtual bool ranksStarted() const = 0;
    virtual bool stopRequested() const = 0;
    virtual const std::optional<launch::ProcessIdentity> &agent() const = 0;
    virtual const ObjectiveTracker &objective() const = 0;
    virtual std::vector<RungValue> takeReachedRungs() = 0;
    /// Once it is there, all that the attempt reported has been read. Stays.
    virtual const std::optional<AttemptVerdict> &verdict() const = 0;
    /// nullopt while the agent gives signs of life.
    virtual std::optional<AgentSilence> silence() const = 0;
    /// What went wrong in reading, once; empty otherwise.
    virtual std::string takeWarning() = 0;
};

}  // namespace sweepscope::engine
