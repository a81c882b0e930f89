#pragma once

#include "base/workspacelayout.h"

#include <chrono>
#include <optional>
#include <string>

namespace sweepscope::ctl {

/// The time without windows and sweeps after which an engine ends, by its command line as in /proc/PID/cmdline; nullopt if it
/// runs until it is ended.
std::optional<std::chrono::seconds> idleExitOf(const std::string &commandLine);

/// Waits until the engine of the workspace has ended, if it is one that ends soon: it ends by itself, and no sweep runs. Says so
/// on standard error. Returns at once without an engine.
void waitForIdleEngine(const WorkspaceLayout &workspace);

}  // namespace sweepscope::ctl
