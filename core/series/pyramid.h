#pragma once

#include "series/summary.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sweepscope::series {

/// Summaries of 8, 64, 512 … neighbours of a growing list, so that any range of it is summed up in a few steps per
/// level.
class Pyramid {
public:
    void push(const Summary &item) { push(0, item); }
    void reserve(std::size_t items);
    /// Keep the first `items`.
    void cut(std::size_t items);
    /// A range that begins or ends here will be asked for soon.
    void prefetch(std::size_t item) const;
    /// Of items [begin, end), in order.
    Summary range(std::size_t begin, std::size_t end) const;

private:
    static constexpr std::size_t fanOut = 8;
    void push(std::size_t level, const Summary &node);

    std::vector<std::vector<Summary>> m_levels;  ///< [0]: the items; only whole nodes: [k] has one for each 8^k items
};

}  // namespace sweepscope::series
