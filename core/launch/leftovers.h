#pragma once

#include "base/error.h"

#include "launch/agentprocess.h"

#include <span>
#include <string>

namespace sweepscope::launch {

/// After an agent was killed: its ranks died with it, but the kernel does not tell their children (data loaders, what a
/// script started). Ends with SIGKILL every process of this user that has SWEEPSCOPE_ATTEMPT_ID=`attemptId` in its
/// environment, and those in `noted` (readChildNotes()) with everything below them, looking again until there is none,
/// and returns how many there were. A process that has emptied its environment is found only when it was noted. The
/// caller is never one of them.
int killLeftovers(const std::string &attemptId, std::span<const ProcessIdentity> noted = {});

}  // namespace sweepscope::launch
