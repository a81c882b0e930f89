#pragma once

#include <string>

namespace sweepscope {

/// UTF-8 that a terminal or a label shows as it is, of what another program wrote: control characters, line ends, marks
/// that turn the direction of writing and bytes that are no UTF-8 are replaced, ASCII by '?' and others by U+FFFD.
std::string printable(const std::string &text);

}  // namespace sweepscope
