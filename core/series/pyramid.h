#pragma once

#include "series/summary.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sweepscope::series {

/// Summaries of 8, 64, 512 … neighbours of a growing list, so that any range of it is summed up in a few steps per
/// level.
class Pyramid {
public:
    void push(const Summary &item);
    void reserve(std::size_t items);
    /// Keep the first `items`.
    void cut(std::size_t items);
    /// Prefetches for a query that will soon start or end here.
    void prefetch(std::size_t item) const;
    /// The summary of one item, without `count`.
    Summary item(std::size_t index) const;
    /// The summary of items [begin, end), in order, without `count`, which the caller knows.
    Summary range(std::size_t begin, std::size_t end) const;

private:
    static constexpr std::size_t fanOut = 8;

    /// What is asked of every item in a range: a question waits for the memory of thousands of them.
    struct alignas(32) Node {
        double min = std::numeric_limits<double>::infinity();
        double max = -std::numeric_limits<double>::infinity();
        double sum = 0;
        std::uint64_t finite = 0;

        void add(const Node &other)
        {
            min = std::min(min, other.min);
            max = std::max(max, other.max);
            sum += other.sum;
            finite += other.finite;
        }
    };
    /// What is asked only of the first and the last one.
    struct Ends {
        double first = std::numeric_limits<double>::quiet_NaN();
        double last = std::numeric_limits<double>::quiet_NaN();
    };
    struct Level {
        std::vector<Node> nodes;
        std::vector<Ends> ends;
    };
    /// Neighbours, and where their ends are.
    struct Stretch {
        Node sum;
        const double *first = nullptr;
        const double *last = nullptr;

        void append(const Level &level, std::size_t node);
        void prepend(const Level &level, std::size_t node);
    };

    void push(std::size_t level, const Node &node, const Ends &ends);

    std::vector<Level> m_levels;  ///< [0]: the items; only whole nodes: [k] has one for each 8^k items
};

}  // namespace sweepscope::series
