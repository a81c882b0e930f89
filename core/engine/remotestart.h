#pragma once

#include "base/workspacelayout.h"
#include "launch/launchspec.h"
#include "remote/machineconnection.h"
#include "schedule/allocator.h"
#include "sweep/records.h"

#include <map>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// An attempt that is to run on another machine.
struct AttemptThere {
    launch::LaunchSpec launch;  ///< as it would run here
    std::string folder;         ///< of the attempt, relative to the workspace
    WorkspaceLayout workspace;
    std::string sweepFolder;  ///< SweepRecord::folder: owns the snapshots
    remote::Machine machine;
    std::map<std::string, std::string> files;  ///< of the attempt, by name; launch.json is added
    node::Taken taken;
    int nodesOfJob = 0;  ///< 0: it is not started by a job
};

/// The devices of an allocation as the node process of their machine knows them.
node::Taken takenBy(const schedule::Allocation &devices, const launch::LaunchSpec &launch);

/// Why the machine did not start an attempt.
facts::Fact refusalIn(const node::Failed &failed);

/// Brings the code of the trial and starts it.
remote::MachineConnection::Prepare startThere(AttemptThere attempt);

/// Returns what the attempt runs there: paths, Python and setup are the machine's. `code`: the copy of its working folder.
launch::LaunchSpec launchThere(launch::LaunchSpec launch, const remote::Machine &machine, const std::string &code,
                               const std::string &python);

}  // namespace sweepscope::engine
