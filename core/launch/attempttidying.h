#pragma once

#include "base/workspacelayout.h"

#include <optional>

namespace sweepscope::launch {

/// Tidies up after an attempt at a low priority, because nothing waits for it: removes empty files, completes the
/// indexes of its ranks' logs, and compresses these logs and host.feed. Skips a log whose ring still exists: it is not
/// complete. May be killed at any time, and called again. `ranks`: only these, because others may still run.
void tidyAttempt(const AttemptLayout &layout, std::optional<RankRange> ranks = std::nullopt);

}  // namespace sweepscope::launch
