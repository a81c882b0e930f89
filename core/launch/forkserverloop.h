#pragma once

#include "launch/loadedprogram.h"

namespace sweepscope::launch {

/// The process behind ForkServer: what PROGRAM does when its first argument is "fork-server". `main` is that of its
/// ranks. Ends when whoever started it is gone, or has asked nothing for long. Exit code 2: nobody has started it so, or
/// it cannot serve, because loading it has left threads or open files, which a fork would lose or share.
int serveForks(int argc, char **argv, LoadedProgram::Main main);

}  // namespace sweepscope::launch
