#include "ui/models/rowchanges.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace sweepscope::ui {

namespace {

/// A set of ids, implemented as a flag for each possible id.
class IdSet {
public:
    IdSet(const std::vector<int> &ids, int lowest, int highest)
        : m_lowest(lowest), m_has(static_cast<std::size_t>(highest - lowest) + 1, false)
    {
        for (const int id : ids)
            m_has[static_cast<std::size_t>(id - m_lowest)] = true;
    }
    bool contains(int id) const { return m_has[static_cast<std::size_t>(id - m_lowest)]; }

private:
    int m_lowest;
    std::vector<bool> m_has;
};

/// Returns ranges of consecutive rows whose id is not in `others`.
std::vector<RowRange> rangesWithout(const std::vector<int> &ids, const IdSet &others)
{
    std::vector<RowRange> ranges;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const int row = static_cast<int>(i);
        if (others.contains(ids[i]))
            continue;
        if (!ranges.empty() && ranges.back().last == row - 1)
            ranges.back().last = row;
        else
            ranges.push_back({row, row});
    }
    return ranges;
}

}  // namespace

RowChanges rowChanges(const std::vector<int> &before, const std::vector<int> &after)
{
    int lowest = 0;
    int highest = 0;
    for (const std::vector<int> *ids : {&before, &after}) {
        for (const int id : *ids) {
            lowest = std::min(lowest, id);
            highest = std::max(highest, id);
        }
    }
    const IdSet had(before, lowest, highest);
    const IdSet has(after, lowest, highest);
    RowChanges changes{rangesWithout(before, has), {}, rangesWithout(after, had)};
    std::ranges::copy_if(after, std::back_inserter(changes.kept), [&had](int id) { return had.contains(id); });
    return changes;
}

}  // namespace sweepscope::ui
