#pragma once

#include <map>
#include <optional>
#include <utility>

namespace sweepscope::engine {

/// A set of trial numbers, stored as ranges: "all of 100,000 trials" is one entry. Holds what a client does not know
/// yet.
class NumberRanges {
public:
    void add(int first, int last);
    bool empty() const { return m_ranges.empty(); }
    /// Removes and returns the lowest numbers: a contiguous range of at most `most`. nullopt if empty.
    std::optional<std::pair<int, int>> take(int most);

private:
    std::map<int, int> m_ranges;  ///< first -> last; separated by at least one number
};

}  // namespace sweepscope::engine
