#pragma once

#include "train/parallel/processgroup.h"

#include <functional>
#include <string>
#include <vector>

namespace sweepscope::train {

/// Real Gloo ranks as threads of this process. Returns what each rank threw ("" = nothing). A rank that throws closes
/// its connections, so the others do not wait; whatever hangs ends after 30 s by the group's own timeout.
std::vector<std::string> runRanks(int ranks, const std::function<void(int rank, ProcessGroup &group)> &body);

/// The same, and fails the test when a rank threw.
void requireRanks(int ranks, const std::function<void(int rank, ProcessGroup &group)> &body);

}  // namespace sweepscope::train
