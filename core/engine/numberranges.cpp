#include "engine/numberranges.h"

#include <algorithm>
#include <iterator>

namespace sweepscope::engine {

void NumberRanges::add(int first, int last)
{
    if (first > last)
        return;
    auto next = m_ranges.upper_bound(first);
    if (next != m_ranges.begin()) {
        const auto before = std::prev(next);
        if (before->second >= first - 1) {
            first = before->first;
            last = std::max(last, before->second);
            next = m_ranges.erase(before);
        }
    }
    while (next != m_ranges.end() && next->first <= last + 1) {
        last = std::max(last, next->second);
        next = m_ranges.erase(next);
    }
    m_ranges.emplace(first, last);
}

std::optional<std::pair<int, int>> NumberRanges::take(int most)
{
    if (m_ranges.empty())
        return std::nullopt;
    const auto [first, last] = *m_ranges.begin();
    m_ranges.erase(m_ranges.begin());
    const int taken = last - first < most ? last : first + most - 1;
    if (taken < last)
        m_ranges.emplace(taken + 1, last);
    return std::pair(first, taken);
}

}  // namespace sweepscope::engine
