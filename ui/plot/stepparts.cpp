#include "ui/plot/stepparts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sweepscope::ui {

namespace {

/// Returns the last value at or before x.
class Walk {
public:
    explicit Walk(const std::vector<series::Column> &columns) : m_columns(columns) {}

    double at(double x)
    {
        for (; m_next < m_columns.size() && m_columns[m_next].x <= x; ++m_next) {
            if (std::isfinite(m_columns[m_next].mean))
                m_value = m_columns[m_next].mean;
        }
        return m_value;
    }

private:
    const std::vector<series::Column> &m_columns;
    std::size_t m_next = 0;
    double m_value = 0;
};

/// Relative rounding error of sums of a few numbers.
constexpr double roundingError = 1e-9;

series::Column edge(double x, double low, double high)
{
    series::Column column;
    column.x = x;
    column.min = low;
    column.max = high;
    column.first = column.last = column.mean = high;
    column.count = 1;
    return column;
}

}  // namespace

double beyond(double whole, double parts)
{
    const double rest = whole - parts;
    return rest > roundingError * whole ? rest : 0;
}

Stack stacked(const std::vector<std::vector<series::Column>> &parts, const std::vector<series::Column> &whole,
              const series::ColumnGrid &grid)
{
    // Columns in the same cell of the grid share a position, that of the last one.
    std::map<int, double> places;
    const auto add = [&](const std::vector<series::Column> &columns) {
        for (const series::Column &column : columns) {
            double &x = places.try_emplace(series::columnAt(column.x, grid.from, grid.to, grid.columns), column.x)
                            .first->second;
            x = std::max(x, column.x);
        }
    };
    for (const std::vector<series::Column> &part : parts)
        add(part);
    add(whole);

    Stack stack;
    stack.edges.resize(parts.size() + 1);
    std::vector<Walk> walks(parts.begin(), parts.end());
    Walk all(whole);
    for (const auto &[column, x] : places) {
        double sum = 0;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const double below = sum;
            sum += std::max(0.0, walks[part].at(x));
            stack.edges[part].push_back(edge(x, below, sum));
        }
        if (whole.empty())
            continue;
        const double rest = beyond(all.at(x), sum);
        stack.edges.back().push_back(edge(x, sum, sum + rest));
        stack.other.push_back(edge(x, rest, rest));
    }
    return stack;
}

}  // namespace sweepscope::ui
