#pragma once

#include "base/workspacelayout.h"
#include "facts/fact.h"

#include <atomic>
#include <string>
#include <tl/expected.hpp>

namespace sweepscope::engine {

/// Copies the newest checkpoint of trial `parent` to where trial `child` starts from, in place of what is there. Trial
/// `child` must not have started. What has ".tmp" in its name is left out. CheckpointAwaited if the parent has saved none
/// yet, or `cancelled`; or CheckpointNotCopied.
tl::expected<void, facts::Fact> copyParentCheckpoint(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                                     int parent, int child, const std::atomic<bool> &cancelled);

/// The same for a trial that has ended, at once: nothing writes to its files any more, so they are linked instead of
/// copied where the file system can. InvalidInput if the parent has saved none; or CheckpointNotCopied.
tl::expected<void, facts::Fact> linkParentCheckpoint(const WorkspaceLayout &workspace, const std::string &sweepFolder,
                                                     int parent, int child);

}  // namespace sweepscope::engine
