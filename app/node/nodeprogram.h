#pragma once

namespace sweepscope {

/// sweepscope-node, with its arguments. Returns its exit code.
int runNodeProgram(int argc, char **argv);

}  // namespace sweepscope
