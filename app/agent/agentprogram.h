#pragma once

namespace sweepscope {

/// sweepscope-agent, with its arguments. Returns its exit code.
int runAgentProgram(int argc, char **argv);

}  // namespace sweepscope
