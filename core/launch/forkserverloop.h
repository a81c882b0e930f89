#pragma once

#include "launch/loadedprogram.h"

namespace sweepscope::launch {

/// The process behind ForkServer: runs if PROGRAM's first argument is "fork-server". `main` is the main function of its
/// ranks. Ends when its parent is gone or has been idle for long. Exit code 2: it was not started by a ForkServer, or
/// it cannot serve, because loading has left threads or open files, which a fork would lose or share.
int serveForks(int argc, char **argv, LoadedProgram::Main main);

}  // namespace sweepscope::launch
