#pragma once

#include "launch/agentprocess.h"

#include <cstdint>
#include <optional>

namespace sweepscope::launch {

/// What the process table says of an agent. Ranks can write every file of their attempt, but not this: the kernel keeps
/// it, and a process alone can change its name.
struct AgentLife {
    bool isPastItsRanks = false;  ///< see declarePastRanks()
    bool isStopped = false;       ///< by a signal or a debugger
};

/// nullopt when the process has ended.
std::optional<AgentLife> readAgentLife(const ProcessIdentity &agent);

/// Grows whenever the agent wakes or computes, so at least twice a second while all is well. nullopt if unknown.
std::optional<std::uint64_t> readAgentActivity(const ProcessIdentity &agent);

/// Of this process, an agent: none of its ranks and none of their descendants lives any more, so that what is appended
/// to events.jsonl from here on is its own.
void declarePastRanks() noexcept;

}  // namespace sweepscope::launch
