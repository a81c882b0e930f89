#pragma once

#include <vector>

namespace sweepscope::ui {

struct RowRange {
    int first;
    int last;
    bool operator==(const RowRange &) const = default;
};

/// How a model gets from one list of rows to another: remove rows, reorder those that stay, insert rows.
struct RowChanges {
    std::vector<RowRange> removed;   ///< rows of the list before, ascending
    std::vector<int> kept;           ///< ids in both lists, in their new order
    std::vector<RowRange> inserted;  ///< rows of the list after, ascending
};

/// `before` and `after` hold the ids of rows, none twice. Takes memory for every id between the smallest and the largest.
RowChanges rowChanges(const std::vector<int> &before, const std::vector<int> &after);

}  // namespace sweepscope::ui
