#pragma once

#include "launch/agentprocess.h"

#include <cstdint>
#include <optional>

namespace sweepscope::launch {

/// The state of an agent according to the process table. Ranks can write every file of their attempt, but not this: the
/// kernel keeps it, and only the process itself can change its name.
struct AgentLife {
    bool isPastItsRanks = false;  ///< see declarePastRanks()
    bool isStopped = false;       ///< by a signal or a debugger
};

/// Returns nullopt if the process has ended.
std::optional<AgentLife> readAgentLife(const ProcessIdentity &agent);

/// Increases whenever the agent wakes or computes, at least twice a second normally. nullopt if unknown.
std::optional<std::uint64_t> readAgentActivity(const ProcessIdentity &agent);

/// Declares that all ranks of this agent and their descendants have exited: from now on, only the agent itself appends
/// to events.jsonl.
void declarePastRanks() noexcept;

}  // namespace sweepscope::launch
