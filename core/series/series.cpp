#include "series/series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sweepscope::series {

namespace {
constexpr unsigned fanOutBits = 4;
constexpr std::size_t fanOut = std::size_t{1} << fanOutBits;

/// A node of `level` covers 2^shiftOf(level) samples; level -1 is a sample.
constexpr unsigned shiftOf(int level)
{
    return fanOutBits * static_cast<unsigned>(level + 1);
}
}  // namespace

Series::Node Series::Node::of(double value)
{
    if (std::isfinite(value))
        return {value, value, false};
    return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), true};
}

void Series::Node::add(const Node &other)
{
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    hasNonFinite = hasNonFinite || other.hasNonFinite;
}

Series::Series(std::string name, std::string unit) : m_name(std::move(name)), m_unit(std::move(unit)) {}

void Series::append(const Sample &sample)
{
    const std::size_t index = m_samples.size();
    if (index == 0 || sample.step < m_samples.back().step)
        m_stepRuns.push_back(index);
    if (index == 0 || sample.timeNs < m_samples.back().timeNs)
        m_timeRuns.push_back(index);
    m_samples.push_back(sample);

    const Node node = Node::of(sample.value);
    if (m_levels.empty())
        m_levels.emplace_back();
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        const std::size_t position = index >> shiftOf(static_cast<int>(level));
        std::vector<Node> &nodes = m_levels[level];
        if (position == nodes.size())
            nodes.push_back(node);
        else
            nodes[position].add(node);
    }
    if (m_levels.back().size() > fanOut) {
        // The first node of the new level covers all but the newest node, the second that one.
        const std::vector<Node> &below = m_levels.back();
        Node first = below.front();
        for (std::size_t i = 1; i < fanOut; ++i)
            first.add(below[i]);
        m_levels.push_back({first, below.back()});
    }
}

Series::Node Series::nodeAt(Block block) const
{
    return block.level < 0 ? Node::of(m_samples[block.index].value)
                           : m_levels[static_cast<std::size_t>(block.level)][block.index];
}

/// The fewest blocks that are `interval` exactly, in order: at most 15 on the way up and 15 on the way down per level.
void Series::cover(Interval interval, std::vector<Block> &blocks) const
{
    blocks.clear();
    std::size_t at = interval.begin;
    while (at < interval.end) {
        int level = -1;
        while (level + 1 < static_cast<int>(m_levels.size())) {
            const std::size_t size = std::size_t{1} << shiftOf(level + 1);
            if (at % size != 0 || at + size > interval.end)
                break;
            ++level;
        }
        blocks.push_back({level, at >> shiftOf(level)});
        at += std::size_t{1} << shiftOf(level);
    }
}

double Series::firstFinite(Block block) const
{
    while (block.level >= 0) {
        Block child{block.level - 1, block.index << fanOutBits};
        while (!nodeAt(child).hasFinite())
            ++child.index;
        block = child;
    }
    return m_samples[block.index].value;
}

double Series::lastFinite(Block block) const
{
    while (block.level >= 0) {
        Block child{block.level - 1, (block.index << fanOutBits) + fanOut - 1};
        while (!nodeAt(child).hasFinite())
            --child.index;
        block = child;
    }
    return m_samples[block.index].value;
}

Column Series::columnOf(XAxis axis, Interval interval, std::vector<Block> &scratch) const
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    cover(interval, scratch);
    Node all = nodeAt(scratch.front());
    for (std::size_t i = 1; i < scratch.size(); ++i)
        all.add(nodeAt(scratch[i]));

    Column column{
        xOf(axis, m_samples[interval.begin]), none, none, none, none, interval.end - interval.begin, all.hasNonFinite};
    if (all.hasFinite()) {
        const auto finite = [this](Block block) { return nodeAt(block).hasFinite(); };
        column.first = firstFinite(*std::find_if(scratch.begin(), scratch.end(), finite));
        column.min = all.min;
        column.max = all.max;
        column.last = lastFinite(*std::find_if(scratch.rbegin(), scratch.rend(), finite));
    }
    return column;
}

}  // namespace sweepscope::series
