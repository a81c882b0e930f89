#pragma once

#include <vector>

namespace sweepscope::ui {

struct RowRange {
    int first;
    int last;
    bool operator==(const RowRange &) const = default;
};

/// The changes from one list of rows to another: remove rows, reorder the remaining ones, insert rows.
struct RowChanges {
    std::vector<RowRange> removed;   ///< rows of the old list, ascending
    std::vector<int> kept;           ///< ids in both lists, in their new order
    std::vector<RowRange> inserted;  ///< rows of the new list, ascending
};

/// `before` and `after` contain ids of rows, without duplicates. Takes memory for every id between the minimum and the
/// maximum.
RowChanges rowChanges(const std::vector<int> &before, const std::vector<int> &after);

}  // namespace sweepscope::ui
