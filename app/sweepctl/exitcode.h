#pragma once

namespace sweepscope::ctl {

/// The exit codes of sweepctl; scripts rely on them.
enum ExitCode {
    good = 0,
    badInput = 2,       ///< an invalid file or argument, or a workspace that is not writable
    trialsFailed = 3,   ///< the sweep has ended, and a trial neither completed nor was pruned
    noEngine = 4,       ///< no engine runs, or there is no workspace
    interrupted = 130,  ///< Ctrl-C while waiting; the number that shells use
};

}  // namespace sweepscope::ctl
