#pragma once

#include <cstddef>
#include <string>

namespace sweepscope {

/// Returns output of another program as UTF-8 that is safe to show in a terminal or label. Replaces control characters,
/// line ends, marks that change the direction of writing, and invalid bytes: ASCII by '?', others by U+FFFD.
std::string printable(const std::string &text);

/// Returns the start of UTF-8 text, of at most this size, without a part of a character at its end.
std::string cutBetweenCharacters(std::string text, std::size_t mostBytes);

}  // namespace sweepscope
