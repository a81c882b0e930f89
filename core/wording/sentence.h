#pragma once

#include "facts/fact.h"

#include <chrono>
#include <string>
#include <vector>

/// Facts in English: the one place that turns codes into sentences, for the window, sweepctl, CSV and JSON.
namespace sweepscope::wording {

/// One sentence, capitalized, without a full stop: "Rank 1 exited with code 3: IndexError: list index out of range".
/// Empty for Code::None.
std::string sentence(const facts::Fact &fact);

/// Several as a text: "No further trials start. 3 queued trials are stopped."
std::string sentences(const facts::Facts &facts);

/// The sentence to follow a subject and a colon, or inside another sentence: "rank 1 exited with code 3".
std::string clause(const facts::Fact &fact);

/// "out of memory" of the kind "out_of_memory".
std::string failure(std::string kind);

/// "300 ms", "1.5 s", "90 s", "10 min", "2 h 30 min".
std::string duration(double seconds);

/// For reading: "0.14907", "114,820", "1.2e-07"; never "-0".
std::string number(double value);

/// "rank 3", "ranks 0, 2 and 5"; of more than eight "12 ranks". `list` as in Field::Ranks.
std::string ranks(const std::string &list);
std::string ranks(const std::vector<int> &numbers);

}  // namespace sweepscope::wording
