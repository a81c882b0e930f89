#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "launch/rankprocess.h"

#include <filesystem>
#include <vector>

namespace sweepscope::launch {

/// The agent: runs the attempt that `attemptFolder`/launch.json describes, to its end. Blocks. Control is by signals to
/// this process: TERM or INT = stop (ranks get SIGTERM, after the grace SIGKILL), USR2 = checkpoint and end at the next
/// opportunity (stopRequested in every ring), TSTP/CONT = freeze the ranks and let them go on.
///
/// Guarantees at its return: no descendant process is left (grandchildren included: the agent is a subreaper), every
/// committed feed byte is in the logs, the rings are gone, and the last event is Ended. If the agent is killed, its
/// ranks die with it (parent-death signal).
///
/// `leases`: of the attempt's GPUs; they are given up when the ranks have ended, at the latest with this process.
///
/// Returns an error only when the attempt could not even begin (no launch.json, folder not writable).
Expected<void> runAgent(const std::filesystem::path &attemptFolder, std::vector<FileDescriptor> leases = {},
                        const RankLauncher &launcher = RankLauncher());

/// What this process was given beyond stdin, stdout and stderr. Nobody else owns that, if asked first of all; it
/// closes on exec from now on.
std::vector<FileDescriptor> inheritedDescriptors();

}  // namespace sweepscope::launch
