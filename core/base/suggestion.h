#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sweepscope {

/// The known word that a mistyped one most likely means: fewest edits (Damerau-Levenshtein, neighbours swapped count as
/// one), at most a third of its length. Empty when none is near.
std::string closestWord(std::string_view word, const std::vector<std::string> &known);

/// " (did you mean 'epochs'?)", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string> &known);

/// "a, b or c", for "must be …".
std::string orList(const std::vector<std::string> &words);

}  // namespace sweepscope
