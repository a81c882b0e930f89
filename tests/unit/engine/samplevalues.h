#pragma once

#include "base/clock.h"

#include <sys/types.h>

namespace sweepscope::tests {

inline constexpr WallNs second = 1'000'000'000;
inline constexpr uid_t nobody = 65534;  ///< the user of this name

}  // namespace sweepscope::tests
