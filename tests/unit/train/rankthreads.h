#pragma once

#include "train/parallel/processgroup.h"

#include <functional>
#include <string>
#include <vector>

namespace sweepscope::train {

/// Runs real Gloo ranks as threads of this process and returns what each rank threw ("": nothing). A rank that throws
/// closes its connections, so that the others do not wait; a rank that hangs ends after the group's timeout of 30 s.
std::vector<std::string> runRanks(int ranks, const std::function<void(int rank, ProcessGroup &group)> &body);

/// The same, but fails the test if a rank throws.
void requireRanks(int ranks, const std::function<void(int rank, ProcessGroup &group)> &body);

}  // namespace sweepscope::train
