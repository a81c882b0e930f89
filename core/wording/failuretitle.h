#pragma once

#include "facts/fact.h"

#include <cstddef>
#include <string>

namespace sweepscope::wording {

/// Returns a few words for a cause of failure: "IndexError in train.py:6", "exit code 3", "killed by SIGKILL, out of memory"; for
/// other facts than a rank's their clause. Never longer than `most` bytes.
std::string failureTitle(const facts::Fact &cause, std::size_t most = 80);

}  // namespace sweepscope::wording
