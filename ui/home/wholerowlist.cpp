#include "ui/home/wholerowlist.h"

#include <algorithm>

namespace sweepscope::ui {

/// The height that is not enough for another row is a margin below the viewport.
void WholeRowList::updateGeometries()
{
    const int row = sizeHintForRow(0);
    const int room = viewport()->height() + viewportMargins().bottom();
    const QMargins margins(0, 0, 0, row > 0 && room > row ? room % row : 0);
    if (viewportMargins() != margins)
        setViewportMargins(margins);
    QListView::updateGeometries();
}

int rowsOfLowerList(int rows, int upper, int lower)
{
    if (upper + lower <= rows)
        return lower;
    constexpr int most = 8;  // more rows of one list do not push the other one away
    const int weight = std::min(upper, most);
    const int share = rows * std::min(lower, most) / (weight + std::min(lower, most));
    // Rows that the upper list does not need.
    return std::clamp(std::max(share, rows - upper), 1, std::max(1, std::min(lower, rows - 1)));
}

}  // namespace sweepscope::ui
