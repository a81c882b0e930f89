#include "series/growingcolumns.h"

#include <cmath>

namespace sweepscope::series {

/// Whether only the last column can be other than it was, and others may follow it.
bool GrowingColumns::canGoOn(const Series &series, const ColumnQuestion &question) const
{
    return question == m_question && series.history() == m_history && series.size() >= m_size
           && !series.goesBack(question.axis) && std::isfinite(question.from) && std::isfinite(question.to)
           && !m_columns.empty() && m_columns.back().x >= question.from;
}

const std::vector<Column> &GrowingColumns::of(const Series &series, const ColumnQuestion &question)
{
    if (!canGoOn(series, question)) {
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
