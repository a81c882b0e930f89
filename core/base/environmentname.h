#pragma once

#include <string_view>

namespace sweepscope {

/// Letters, digits and _, not beginning with a digit: what POSIX allows a shell variable.
bool isEnvironmentName(std::string_view text);

/// Variables that every rank gets from Sweepscope, whatever the sweep file says: torchrun's, the choice of GPUs, and our
/// own.
bool isSetForRanks(std::string_view name);

}  // namespace sweepscope
