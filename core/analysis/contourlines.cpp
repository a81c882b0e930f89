#include "analysis/contourlines.h"

#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace sweepscope::analysis {

namespace {

/// An edge between two neighbours of the grid, from the point at column and row to the right or to the next row.
struct Edge {
    std::size_t column = 0;
    std::size_t row = 0;
    bool isUp = false;
    auto operator<=>(const Edge &) const = default;
};

class Tracer {
public:
    Tracer(std::size_t columns, std::size_t rows, const std::vector<double> &values, double level)
        : m_columns(columns), m_rows(rows), m_values(values), m_level(level)
    {}

    std::vector<std::vector<GridPlace>> lines()
    {
        for (std::size_t row = 0; row + 1 < m_rows; ++row) {
            for (std::size_t column = 0; column + 1 < m_columns; ++column)
                crossCell(column, row);
        }
        std::vector<std::vector<GridPlace>> lines;
        // Lines that end at the border first: from their middle they would be cut in two.
        for (const bool isOpen : {true, false}) {
            for (auto at = m_links.begin(); at != m_links.end();) {
                if (at->second.size() != (isOpen ? 1U : 2U)) {
                    ++at;
                    continue;
                }
                lines.push_back(follow(at->first));
                at = m_links.begin();
            }
        }
        return lines;
    }

private:
    double valueAt(std::size_t column, std::size_t row) const { return m_values[row * m_columns + column]; }

    void crossCell(std::size_t column, std::size_t row)
    {
        // Counterclockwise from the corner at column and row.
        const std::array<double, 4> corners{valueAt(column, row), valueAt(column + 1, row),
                                            valueAt(column + 1, row + 1), valueAt(column, row + 1)};
        const std::array<Edge, 4> edges{Edge{column, row, false}, Edge{column + 1, row, true},
                                        Edge{column, row + 1, false}, Edge{column, row, true}};
        std::vector<std::size_t> crossed;
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            if (!std::isfinite(corners[i]))
                return;
            sum += corners[i];
            if ((corners[i] < m_level) != (corners[(i + 1) % 4] < m_level))
                crossed.push_back(i);
        }
        if (crossed.size() == 2)
            link(edges[crossed[0]], edges[crossed[1]]);
        if (crossed.size() != 4)
            return;
        // At a saddle, the middle decides which corners belong together.
        const bool isWithFirst = (sum / 4 < m_level) == (corners[0] < m_level);
        link(edges[0], edges[isWithFirst ? 1 : 3]);
        link(edges[2], edges[isWithFirst ? 3 : 1]);
    }

    void link(const Edge &one, const Edge &other)
    {
        m_links[one].push_back(other);
        m_links[other].push_back(one);
    }

    GridPlace placeOn(const Edge &edge) const
    {
        const double from = valueAt(edge.column, edge.row);
        const double to = edge.isUp ? valueAt(edge.column, edge.row + 1) : valueAt(edge.column + 1, edge.row);
        const double share = (m_level - from) / (to - from);
        return {static_cast<double>(edge.column) + (edge.isUp ? 0 : share),
                static_cast<double>(edge.row) + (edge.isUp ? share : 0)};
    }

    /// Removes the links on the way.
    std::vector<GridPlace> follow(Edge at)
    {
        std::vector<GridPlace> line{placeOn(at)};
        for (auto links = m_links.find(at); links != m_links.end(); links = m_links.find(at)) {
            const Edge next = links->second.front();
            unlink(at, next);
            unlink(next, at);
            line.push_back(placeOn(next));
            at = next;
        }
        return line;
    }

    void unlink(const Edge &from, const Edge &to)
    {
        const auto links = m_links.find(from);
        std::erase(links->second, to);
        if (links->second.empty())
            m_links.erase(links);
    }

    std::size_t m_columns;
    std::size_t m_rows;
    const std::vector<double> &m_values;
    double m_level;
    std::map<Edge, std::vector<Edge>> m_links;
};

}  // namespace

std::vector<std::vector<GridPlace>> contourLines(std::size_t columns, std::size_t rows,
                                                 const std::vector<double> &values, double level)
{
    return Tracer(columns, rows, values, level).lines();
}

}  // namespace sweepscope::analysis
