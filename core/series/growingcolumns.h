#pragma once

#include "series/series.h"

#include <memory>
#include <vector>

namespace sweepscope::series {

/// What Series::columns() is asked.
struct ColumnQuestion {
    XAxis axis = XAxis::Step;
    double from = 0;
    double to = 0;
    int columns = 0;
    Edges edges = Edges::Cut;

    bool operator==(const ColumnQuestion &) const = default;
};

/// The columns of a growing curve, for a plot that repeats its query: only new samples cost time. This also holds for a
/// view that moves by whole columns.
class GrowingColumns {
public:
    /// Returns what Series::columns() returns, except for rounding in the means and in where columns begin in a view
    /// that has moved. Valid until the next call.
    const std::vector<Column> &of(const Series &series, const ColumnQuestion &question);

private:
    bool isOf(const Series &series) const;
    bool canGoOn(const Series &series, const ColumnQuestion &question) const;
    std::vector<Column> moved(const Series &series, const ColumnQuestion &question) const;

    ColumnQuestion m_question;
    std::shared_ptr<const void> m_history;  ///< of the curve that was asked
    std::size_t m_size = 0;                 ///< of it, then
    std::vector<Column> m_columns;
};

}  // namespace sweepscope::series
