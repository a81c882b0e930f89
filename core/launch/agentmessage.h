#pragma once

#include <string>

namespace sweepscope::launch {

/// One line of agent.log (the agent's stderr), with the time.
void say(const std::string &sentence);

}  // namespace sweepscope::launch
