#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "launch/launchspec.h"
#include "schedule/allocator.h"
#include "sweep/sweepspec.h"

#include <filesystem>

namespace sweepscope::engine {

/// Makes the ranks of an attempt test the links between their GPUs first, if nothing has tested these GPUs yet: writes
/// preflight.json to the attempt's folder, and puts `sweepscope-worker preflight` before the command. Does nothing where
/// devices.preflight is false, ranks have no GPUs of their own, or this build has no worker. A complete result is kept in
/// hosts/localhost/preflight; with a broken link the next attempt tests again. Errors: the file cannot be written; then
/// the launch is unchanged.
Expected<void> addPreflight(launch::LaunchSpec &launch, const std::filesystem::path &worker,
                            const WorkspaceLayout &workspace, const AttemptLayout &attempt,
                            const sweep::SweepSpec &spec, const schedule::Allocation &devices);

}  // namespace sweepscope::engine
