#pragma once

#include <string>

namespace sweepscope::launch {

/// Writes a line with the time to agent.log (the agent's stderr).
void logWarning(const std::string &sentence);

}  // namespace sweepscope::launch
