#pragma once

#include "base/error.h"
#include "sweep/searchspace.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sweepscope::sweep {

/// One combination: the index of each parameter's value, in declared order.
using GridPoint = std::vector<std::uint64_t>;
/// Instead of an index: the parameter is switched off.
inline constexpr std::uint64_t switchedOff = std::numeric_limits<std::uint64_t>::max();

/// How many combinations a grid has.
struct GridSize {
    std::uint64_t count = 0;
    bool isMore = false;  ///< there are more than `count`: counting was given up there
};

/// The combinations of a space without continuous dimensions, after conditions and constraints.
///
/// A grid of 10^18 raw combinations is counted at once, because only what is connected is ever walked together: two
/// parameters are connected when a condition or a constraint reads both. The counts of unconnected groups multiply, and
/// inside a group a parameter that nothing reads multiplies too:
///
///     lr  batch_size ---- ranks     optimizer ---- momentum        4 x (walked: 3 x 4) x (walked: 2; 1 or 5)
///             "batch_size * ranks <= 256"   when = "optimizer == 'sgd'"
///
/// What must be walked is walked depth first, each constraint checked as soon as its last parameter has a value.
class Grid {
public:
    explicit Grid(const SearchSpace &space);

    /// Counts until it is clear that there are more than `limit`. BadInput: the constraints are too hard to count
    /// within some millions of steps.
    Expected<GridSize> count(std::uint64_t limit) const;

    /// All combinations, the first parameter slowest. Only for grids that count() found small enough.
    Expected<std::vector<GridPoint>> points() const;

private:
    struct Group {
        std::vector<std::size_t> walked;                         ///< read by some expression, in declared order
        std::vector<std::size_t> unread;                         ///< the others
        std::vector<std::vector<std::size_t>> constraintsAfter;  ///< by place in `walked`: decided once it has a value
        std::vector<std::uint64_t> workAfter;                    ///< what trying a value there costs
    };
    class Walk;
    const SearchSpace &m_space;
    std::vector<Group> m_groups;
    bool m_possible = true;  ///< false: a constraint that reads no parameter is false
};

}  // namespace sweepscope::sweep
