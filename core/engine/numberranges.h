#pragma once

#include <map>
#include <optional>
#include <utility>

namespace sweepscope::engine {

/// A set of trial numbers, kept as ranges: "all of 100,000 trials" is one entry. What a client has not been told yet.
class NumberRanges {
public:
    void add(int first, int last);
    bool empty() const { return m_ranges.empty(); }
    /// Takes the lowest numbers out: an unbroken range of at most `most`. Nothing when empty.
    std::optional<std::pair<int, int>> take(int most);

private:
    std::map<int, int> m_ranges;  ///< first -> last; apart from each other by at least one number
};

}  // namespace sweepscope::engine
