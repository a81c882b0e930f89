#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "launch/rankprocess.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// The agent: runs the attempt described by `attemptFolder`/launch.json to its end. Blocks. Controlled by signals to
/// this process: TERM or INT = stop (ranks get SIGTERM, and SIGKILL after the grace period), USR2 = checkpoint and end
/// at the next opportunity (stopRequested in every ring), TSTP/CONT = freeze and continue the ranks.
///
/// When it returns, no descendant process is left (grandchildren included: the agent is a subreaper), every committed
/// feed byte is in the logs, the rings are gone, and the last event is Ended. If the agent is killed, its ranks die
/// with it (parent-death signal).
///
/// `leases`: of the attempt's GPUs; released when the ranks have ended, at the latest with this process.
///
/// `masterAddress`: of an attempt on several nodes of a cluster, if launch.json has none.
///
/// Returns an error only if the attempt could not begin (no launch.json, folder not writable).
Expected<void> runAgent(const std::filesystem::path &attemptFolder, std::vector<FileDescriptor> leases = {},
                        const RankLauncher &launcher = RankLauncher(), const std::string &masterAddress = {});

/// Returns the descriptors that this process inherited beyond stdin, stdout and stderr, and sets close-on-exec on them.
/// Call it first: then no other code in this process owns them.
std::vector<FileDescriptor> inheritedDescriptors();

}  // namespace sweepscope::launch
