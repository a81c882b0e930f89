#pragma once

#include "feed/feedreader.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace sweepscope::exporting {

/// Passes on some points of a curve that look the same in a plot, without keeping the curve. Of groups of neighbors
/// it keeps the first, lowest, highest and last one, and one that is not finite, in their order. So the best value of a
/// curve is always among them.
class PointThinner {
public:
    using Sink = std::function<void(const feed::Point &)>;
    static constexpr std::uint64_t perGroup = 5;

    /// `total`: the number of points to come. `most`: of points to pass on, at least perGroup; 0: all.
    PointThinner(std::uint64_t total, std::uint64_t most, Sink sink);
    void add(const feed::Point &point);
    /// Passes on the rest.
    void end();

private:
    struct Kept {
        std::uint64_t index = 0;
        feed::Point point;
    };

    std::uint64_t m_total;
    std::uint64_t m_groups;  ///< 0: passes all
    Sink m_sink;
    std::uint64_t m_next = 0;
    std::uint64_t m_group = 0;
    std::optional<Kept> m_first, m_lowest, m_highest, m_notFinite, m_last;
};

}  // namespace sweepscope::exporting
