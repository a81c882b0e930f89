#include "series/pyramid.h"

#include "series/largepages.h"

namespace sweepscope::series {

void Pyramid::reserve(std::size_t items)
{
    if (m_levels.empty())
        m_levels.resize(1);
    reserveOnLargePages(m_levels[0], items);
}

void Pyramid::cut(std::size_t items)
{
    for (std::vector<Summary> &nodes : m_levels) {
        nodes.resize(std::min(nodes.size(), items));
        items /= fanOut;
    }
}

void Pyramid::push(std::size_t level, const Summary &node)
{
    if (m_levels.size() <= level)
        m_levels.resize(level + 1);
    std::vector<Summary> &nodes = m_levels[level];
    nodes.push_back(node);
    if (nodes.size() % fanOut != 0)
        return;
    Summary above;
    for (std::size_t i = nodes.size() - fanOut; i < nodes.size(); ++i)
        above.add(nodes[i]);
    push(level + 1, above);
}

void Pyramid::prefetch(std::size_t item) const
{
    for (std::size_t level = 0; level < std::min<std::size_t>(3, m_levels.size()); ++level, item /= fanOut) {
        const std::vector<Summary> &nodes = m_levels[level];
        const std::size_t first = item / fanOut * fanOut;
        for (std::size_t i = first; i < std::min(first + fanOut, nodes.size()); ++i)
            __builtin_prefetch(&nodes[i]);
    }
}

Summary Pyramid::range(std::size_t begin, std::size_t end) const
{
    Summary left;
    Summary right;
    for (std::size_t level = 0; begin < end; ++level) {
        const std::vector<Summary> &nodes = m_levels[level];
        for (; begin < end && begin % fanOut != 0; ++begin)
            left.add(nodes[begin]);
        const std::size_t whole = std::max(begin, end / fanOut * fanOut);
        if (whole < end) {
            Summary tail = nodes[whole];
            for (std::size_t i = whole + 1; i < end; ++i)
                tail.add(nodes[i]);
            tail.add(right);
            right = tail;
        }
        begin /= fanOut;
        end = whole / fanOut;
    }
    left.add(right);
    return left;
}

}  // namespace sweepscope::series
