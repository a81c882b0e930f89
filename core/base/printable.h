#pragma once

#include <string>

namespace sweepscope {

/// With each control character replaced: what others wrote, or what they will read.
std::string printable(std::string text);

}  // namespace sweepscope
