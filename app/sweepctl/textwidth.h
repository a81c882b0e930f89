#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace sweepscope::ctl {

/// Returns whether the byte begins a character of UTF-8.
inline bool beginsCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// Returns how many columns of a terminal UTF-8 text takes. Each character counts as one.
inline std::size_t widthOf(const std::string &text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, beginsCharacter));
}

}  // namespace sweepscope::ctl
