#pragma once

#include "facts/fact.h"

#include <chrono>
#include <string>
#include <vector>

/// Facts in English: the only place that turns codes into sentences, for the window, sweepctl, CSV and JSON.
namespace sweepscope::wording {

/// Returns one sentence, capitalized, without a full stop: "Rank 1 exited with code 3: IndexError: list index out of
/// range". Empty for Code::None.
std::string sentence(const facts::Fact &fact);

/// Returns several facts as full sentences: "No further trials start. 3 queued trials are stopped."
std::string sentences(const facts::Facts &facts);

/// Returns the reply to an edit that was only tried, as full sentences: "Would add 2 trials (11, 12)."
std::string preview(const facts::Facts &facts);

/// Returns the sentence for use after a subject and a colon, or inside another sentence: "rank 1 exited with code 3".
std::string clause(const facts::Fact &fact);

/// Of a fact about one GPU the clause without its subject: "is lost: ..."
std::string predicate(const facts::Fact &fact);

/// "out of memory" of the kind "out_of_memory".
std::string failure(std::string kind);

/// "300 ms", "1.5 s", "90 s", "10 min", "2 h 30 min".
std::string duration(double seconds);

/// Returns the number as displayed: "0.14907", "114,820", "1.2e-07"; never "-0".
std::string number(double value);

/// Returns "rank 3", "ranks 0, 2 and 5"; for more than eight "12 ranks". `list` in the format of Field::Ranks.
std::string ranks(const std::string &list);
std::string ranks(const std::vector<int> &numbers);

}  // namespace sweepscope::wording
