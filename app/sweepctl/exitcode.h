#pragma once

namespace sweepscope::ctl {

/// What sweepctl ends with; scripts rely on it.
enum ExitCode {
    good = 0,
    badInput = 2,       ///< a file, an argument, a workspace that is not writable
    trialsFailed = 3,   ///< the sweep has ended, and a trial neither completed nor was pruned
    noEngine = 4,       ///< no engine runs, or there is no workspace
    interrupted = 130,  ///< Ctrl-C while waiting, as shells number it
};

}  // namespace sweepscope::ctl
