#pragma once

#include <string>

namespace sweepscope {

/// Returns output of another program as UTF-8 that is safe to show in a terminal or label. Replaces control characters,
/// line ends, marks that change the direction of writing, and invalid bytes: ASCII by '?', others by U+FFFD.
std::string printable(const std::string &text);

}  // namespace sweepscope
