#pragma once

#include "base/workspacelayout.h"

namespace sweepscope::launch {

/// What is left to do when an attempt is over and nobody waits: remove files that hold nothing, complete the indexes of
/// its ranks' logs, and compress these logs and host.feed, without haste (this process becomes the lowest of priorities). A log whose ring is still
/// there is left alone: it is not complete. May be killed at any instant, and called again.
void tidyAttempt(const AttemptLayout &layout);

}  // namespace sweepscope::launch
