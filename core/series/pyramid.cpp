#include "series/pyramid.h"

#include "series/largepages.h"

namespace sweepscope::series {

inline void Pyramid::Stretch::append(const Level &level, std::size_t node)
{
    if (level.nodes[node].finite != 0) {
        first = first == nullptr ? &level.ends[node].first : first;
        last = &level.ends[node].last;
    }
    sum.add(level.nodes[node]);
}

inline void Pyramid::Stretch::prepend(const Level &level, std::size_t node)
{
    if (level.nodes[node].finite != 0) {
        first = &level.ends[node].first;
        last = last == nullptr ? &level.ends[node].last : last;
    }
    sum.add(level.nodes[node]);
}

void Pyramid::reserve(std::size_t items)
{
    if (m_levels.empty())
        m_levels.resize(1);
    reserveOnLargePages(m_levels[0].nodes, items);
    reserveOnLargePages(m_levels[0].ends, items);
}

void Pyramid::cut(std::size_t items)
{
    for (Level &level : m_levels) {
        level.nodes.resize(std::min(level.nodes.size(), items));
        level.ends.resize(level.nodes.size());
        items /= fanOut;
    }
}

void Pyramid::push(const Summary &item)
{
    push(0, {item.min, item.max, item.sum, item.finite}, {item.first, item.last});
}

void Pyramid::push(std::size_t index, const Node &node, const Ends &ends)
{
    if (m_levels.size() <= index)
        m_levels.resize(index + 1);
    Level &level = m_levels[index];
    level.nodes.push_back(node);
    level.ends.push_back(ends);
    if (level.nodes.size() % fanOut != 0)
        return;
    Stretch above;
    for (std::size_t i = level.nodes.size() - fanOut; i < level.nodes.size(); ++i)
        above.append(level, i);
    push(index + 1, above.sum, above.first == nullptr ? Ends{} : Ends{*above.first, *above.last});
}

void Pyramid::prefetch(std::size_t item) const
{
    if (!m_levels.empty() && item > 0 && item + 1 < m_levels[0].ends.size()) {
        __builtin_prefetch(&m_levels[0].ends[item - 1]);  // the last one of a range that ends here
        __builtin_prefetch(&m_levels[0].ends[item + 1]);  // the first one behind a part of this item
    }
    for (std::size_t index = 0; index < std::min<std::size_t>(3, m_levels.size()); ++index, item /= fanOut) {
        const std::vector<Node> &nodes = m_levels[index].nodes;
        const std::size_t first = item / fanOut * fanOut;
        for (std::size_t i = first; i < std::min(first + fanOut, nodes.size()); i += 2)
            __builtin_prefetch(&nodes[i]);
    }
}

Summary Pyramid::item(std::size_t index) const
{
    const Node &node = m_levels[0].nodes[index];
    const Ends &ends = m_levels[0].ends[index];
    Summary summary;
    summary.min = node.min;
    summary.max = node.max;
    summary.sum = node.sum;
    summary.finite = node.finite;
    summary.first = ends.first;
    summary.last = ends.last;
    return summary;
}

Summary Pyramid::range(std::size_t begin, std::size_t end) const
{
    Stretch left;
    Stretch right;
    for (std::size_t index = 0; begin < end; ++index) {
        const Level &level = m_levels[index];
        for (; begin < end && begin % fanOut != 0; ++begin)
            left.append(level, begin);
        for (; begin < end && end % fanOut != 0; --end)
            right.prepend(level, end - 1);
        begin /= fanOut;
        end /= fanOut;
    }
    const double *const first = left.first != nullptr ? left.first : right.first;
    const double *const last = right.last != nullptr ? right.last : left.last;
    left.sum.add(right.sum);
    Summary all;
    all.min = left.sum.min;
    all.max = left.sum.max;
    all.sum = left.sum.sum;
    all.finite = left.sum.finite;
    if (first != nullptr) {
        all.first = *first;
        all.last = *last;
    }
    return all;
}

}  // namespace sweepscope::series
