#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "engine/attemptverdict.h"
#include "facts/fact.h"
#include "launch/agentlife.h"
#include "launch/agentprocess.h"
#include "node/attemptrecovery.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// Result of the search for an agent; if neither member is set, the search continues.
struct AgentFound {
    std::optional<launch::ProcessIdentity> agent{};
    facts::Fact never{};   ///< why it has not begun, and cannot any more
    facts::Fact failed{};  ///< why it ended before it reported itself
};

/// The machine of an attempt: shows whether its agent lives, and signals it.
class AgentHost {
public:
    virtual ~AgentHost() = default;

    /// False: the machine cannot be reached, and life() says nothing.
    virtual bool isReachable() const { return true; }
    /// Why the attempt is given up; None while it is not.
    virtual facts::Fact lost() { return {}; }
    /// The machine cannot be reached, and need not be: the agent is killed once it can.
    virtual void giveUp(const launch::ProcessIdentity & /*agent*/) {}
    /// Returns nullopt if the agent has ended. Everything that it wrote before is in the attempt's files by then.
    virtual std::optional<launch::AgentLife> life(const launch::ProcessIdentity &agent) const = 0;
    /// How often the agent was looked at. What life() returns is as old as the last time.
    virtual std::uint64_t looks() const = 0;
    /// Increases while the agent works; nullopt if unknown.
    virtual std::optional<std::uint64_t> activity(const launch::ProcessIdentity &agent) const = 0;
    virtual void signal(const launch::ProcessIdentity &agent, int signal) = 0;
    /// Looks for an agent that is not known. Call again until it has found something.
    virtual AgentFound find(WallNs now) = 0;
    /// The agent has reported itself.
    virtual void found(const launch::ProcessIdentity &agent) = 0;
    /// Whether something of an agent that has ended is left to recover.
    virtual bool needsRecovery(const launch::ProcessIdentity &agent) const = 0;
    /// Cleans up after a killed agent. Returns nullopt until that has finished.
    virtual std::optional<node::Recovery> recover(const launch::ProcessIdentity &agent) = 0;
    /// What the machine knows about the end of the attempt; nullopt while it finds that out. `isRequested`: from here.
    virtual std::optional<AttemptVerdict> explain(const AttemptVerdict &byFiles, bool /*isRequested*/)
    {
        return byFiles;
    }
    /// What an attempt waits for whose agent is not known; nullopt: the host does not know.
    virtual std::optional<facts::Fact> waits() const { return std::nullopt; }
    /// The attempt is to end, and its agent is not known: prevents its start. `isUrgent`: ends one that is starting, too.
    virtual void withdraw(bool /*isUrgent*/) {}
    /// How often the files of the attempt are read, at most.
    virtual WallNs readEvery() const { return 0; }
    /// The attempt is over, and everything that decides about it was read.
    virtual void ended() {}
    /// The wall clock was set.
    virtual void moveWaits(WallNs /*change*/) {}
    /// Writes a file of the attempt where its ranks see it.
    virtual Expected<void> write(const std::string &name, const std::string &content) = 0;
};

}  // namespace sweepscope::engine
