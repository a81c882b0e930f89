#include "series/growingcolumns.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sweepscope::series {

namespace {

/// By how many columns the view has moved, if it has the same columns in other places.
std::optional<int> columnsMoved(const ColumnQuestion &from, const ColumnQuestion &to)
{
    constexpr double imprecision = 1e-5;  // of a column: many moves after each other must not add up to something
    const double range = from.to - from.from;
    if (from.axis != to.axis || from.columns != to.columns || from.edges != to.edges || !(range > 0))
        return std::nullopt;
    const double left = (to.from - from.from) / range * from.columns;
    const double right = (to.to - from.to) / range * from.columns;
    const double whole = std::round(left);
    if (!(std::abs(whole) < from.columns) || std::abs(left - whole) > imprecision
        || std::abs(right - whole) > imprecision)
        return std::nullopt;
    return static_cast<int>(whole);
}

}  // namespace

bool GrowingColumns::isOf(const Series &series) const
{
    return series.history() == m_history && series.size() >= m_size;
}

/// Whether only the last column can be other than it was, and others may follow it.
bool GrowingColumns::canGoOn(const Series &series, const ColumnQuestion &question) const
{
    return question == m_question && isOf(series) && !series.goesBack(question.axis) && std::isfinite(question.from)
           && std::isfinite(question.to) && !m_columns.empty() && m_columns.back().x >= question.from;
}

/// The columns that both views have, with what is at either side of them asked for; none if it is not worth it. A part
/// begins where a column began, so that each sample is in one column, however the places of columns are rounded.
std::vector<Column> GrowingColumns::moved(const Series &series, const ColumnQuestion &question) const
{
    const std::optional<int> by = columnsMoved(m_question, question);
    if (!by || !isOf(series) || series.goesBack(question.axis))
        return {};
    const int first = std::max(0, *by);
    const int last = m_question.columns - 1 + std::min(0, *by);
    const auto isKept = [&](const Column &column) {
        const int at = columnAt(column.x, m_question.from, m_question.to, m_question.columns);
        return column.x >= m_question.from && column.x <= m_question.to && at >= first && at <= last;
    };
    const auto begin = std::find_if(m_columns.begin(), m_columns.end(), isKept);
    const auto end = std::find_if_not(begin, m_columns.end(), isKept);
    if (end - begin < 2 || begin->x < question.from)
        return {};
    const auto kept = end - 1;
    std::vector<Column> columns =
        series.columnsBefore(begin->x, question.axis, question.from, question.to, question.columns, question.edges);
    const std::vector<Column> after =
        series.columnsSince(kept->x, question.axis, question.from, question.to, question.columns, question.edges);
    columns.reserve(columns.size() + static_cast<std::size_t>(kept - begin) + after.size());
    columns.insert(columns.end(), begin, kept);
    columns.insert(columns.end(), after.begin(), after.end());
    return columns;
}

const std::vector<Column> &GrowingColumns::of(const Series &series, const ColumnQuestion &question)
{
    if (!canGoOn(series, question)) {
        m_columns = moved(series, question);
        if (m_columns.empty())
            m_columns = series.columns(question.axis, question.from, question.to, question.columns, question.edges);
    } else if (series.size() > m_size && m_columns.back().x <= question.to) {
        const double since = m_columns.back().x;
        m_columns.pop_back();
        const std::vector<Column> newest =
            series.columnsSince(since, question.axis, question.from, question.to, question.columns, question.edges);
        m_columns.insert(m_columns.end(), newest.begin(), newest.end());
    }
    m_question = question;
    m_history = series.history();
    m_size = series.size();
    return m_columns;
}

}  // namespace sweepscope::series
