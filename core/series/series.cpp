#include "series/series.h"

#include "series/columnquery.h"
#include "series/largepages.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sweepscope::series {

Series::Series(std::string name, std::string unit)
    : Series(std::move(name), std::move(unit), std::make_shared<BlockBytes>(std::make_shared<BlockCache>()))
{}

Series::Series(std::string name, std::string unit, std::shared_ptr<BlockBytes> bytes)
    : m_name(std::move(name)), m_unit(std::move(unit)), m_bytes(std::move(bytes))
{}

std::size_t Series::size() const
{
    return (m_blocks.empty() ? 0 : m_blocks.back().firstSample + m_blocks.back().count) + m_open.size();
}

void Series::append(const Sample &sample)
{
    if (!m_open.empty()
        && (m_open.size() == blockSamples || sample.step < m_open.back().step || sample.timeNs < m_open.back().timeNs))
        seal();
    if (m_open.empty()) {
        m_open.reserve(blockSamples);
        m_packed = 0;
    }
    m_open.push_back(sample);
}

void Series::seal()
{
    if (m_open.empty())
        return;
    const PackedBlock packed = m_bytes->pack(m_open);
    m_open.clear();
    (void)adopt(packed);  // what was packed here follows
}

void Series::cut(std::size_t blocks)
{
    m_history = newHistory();
    m_open.clear();
    m_packed = 0;
    m_blocks.resize(std::min(blocks, m_blocks.size()));
    m_summaries.cut(m_blocks.size());
    for (std::vector<std::size_t> *starts : {&m_stepSegments, &m_timeSegments})
        std::erase_if(*starts, [this](std::size_t start) { return start >= m_blocks.size(); });
}

void Series::reserve(std::size_t blocks)
{
    reserveOnLargePages(m_blocks, blocks);
    m_summaries.reserve(blocks);
}

bool Series::adopt(const PackedBlock &packed)
{
    Block block = packed.block;
    if (!m_open.empty() || block.count == 0 || block.count > blockSamples || block.lastStep < block.firstStep
        || block.lastTimeNs < block.firstTimeNs)
        return false;
    block.firstSample = size();
    if (m_blocks.empty() || block.firstStep < m_blocks.back().lastStep)
        m_stepSegments.push_back(m_blocks.size());
    if (m_blocks.empty() || block.firstTimeNs < m_blocks.back().lastTimeNs)
        m_timeSegments.push_back(m_blocks.size());
    m_blocks.push_back(block);
    m_summaries.push(packed.summary);
    return true;
}

CurveBlocks Series::curve() const
{
    if (!m_open.empty() && m_packed != m_open.size()) {
        m_openBytes.clear();
        m_openBlock = packBlock(m_open, m_openBytes);
        m_openBlock.block.firstSample = m_blocks.empty() ? 0 : m_blocks.back().firstSample + m_blocks.back().count;
        m_packed = m_open.size();
    }
    const Block &first = m_blocks.empty() ? m_openBlock.block : m_blocks.front();
    return {m_blocks,        m_summaries, *m_bytes,       m_openBlock,    m_openBytes.data(),
            !m_open.empty(), size(),      m_stepSegments, m_timeSegments, m_origin ? *m_origin : first.firstTimeNs};
}

Sample Series::sample(std::size_t number) const
{
    const BlockSearch search(curve());
    const auto after =
        std::upper_bound(m_blocks.begin(), m_blocks.end(), number,
                         [](std::size_t value, const Block &candidate) { return value < candidate.firstSample; });
    std::size_t index = static_cast<std::size_t>(after - m_blocks.begin());
    if (index > 0 && (m_open.empty() || number < m_openBlock.block.firstSample))
        --index;
    return search.view(index).sample(number - search.block(index).firstSample);
}

double Series::xOf(XAxis axis, const Sample &sample) const
{
    return BlockSearch(curve()).xOf(axis, sample.step, sample.timeNs);
}

Summary Series::summaryOf(std::size_t index) const
{
    Summary summary = m_summaries.item(index);
    summary.count = m_blocks[index].count;
    return summary;
}

std::pair<double, double> Series::extent(XAxis axis) const
{
    const BlockSearch search(curve());
    const double infinity = std::numeric_limits<double>::infinity();
    std::pair<double, double> extent(infinity, -infinity);
    for (const BlockSearch::Interval &segment : search.segmentsInRange(axis, -infinity, infinity, Edges::Cut)) {
        extent.first = std::min(extent.first, search.firstX(axis, segment.beginBlock));
        extent.second = std::max(extent.second, search.lastX(axis, segment.endBlock - 1));
    }
    return extent;
}

bool Series::goesBack(XAxis axis) const
{
    return BlockSearch(curve()).segmentStarts(axis).size() > 1;
}

std::vector<Column> Series::columns(XAxis axis, double xFrom, double xTo, int columns, Edges edges) const
{
    return ColumnQuery(curve()).columns(axis, xFrom, xTo, columns, edges);
}

std::vector<Column> Series::columnsSince(double since, XAxis axis, double xFrom, double xTo, int columns,
                                         Edges edges) const
{
    return ColumnQuery(curve()).columnsSince(since, axis, xFrom, xTo, columns, edges);
}

std::vector<Column> Series::columnsBefore(double until, XAxis axis, double xFrom, double xTo, int columns,
                                          Edges edges) const
{
    return ColumnQuery(curve()).columnsBefore(until, axis, xFrom, xTo, columns, edges);
}

}  // namespace sweepscope::series
