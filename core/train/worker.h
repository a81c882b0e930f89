#pragma once

namespace sweepscope::train {

/// The program sweepscope-worker: one rank, from its command line and environment to its exit code:
/// 0 trained to the end, 1 training failed, 2 bad input, 143 stopped on request (as if SIGTERM had ended it).
/// After 1 and 2 the last line on stderr is "error: <sentence>".
int runWorker(int argc, char **argv);

}  // namespace sweepscope::train
