#include "exporting/pointthinner.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sweepscope::exporting {

PointThinner::PointThinner(std::uint64_t total, std::uint64_t most, Sink sink)
    : m_total(total),
      m_groups(most == 0 || total <= most ? 0 : std::max<std::uint64_t>(1, most / perGroup)),
      m_sink(std::move(sink))
{}

void PointThinner::add(const feed::Point &point)
{
    if (m_groups == 0) {
        m_sink(point);
        return;
    }
    const Kept kept{m_next, point};
    // in floating point, because the product of two large numbers would overflow
    const auto group = static_cast<std::uint64_t>(static_cast<double>(m_next) / static_cast<double>(m_total)
                                                  * static_cast<double>(m_groups));
    ++m_next;
    if (group != m_group && group < m_groups) {
        end();
        m_group = group;
    }
    if (!m_first)
        m_first = kept;
    if (!std::isfinite(point.value)) {
        if (!m_notFinite)
            m_notFinite = kept;
    } else {
        if (!m_lowest || point.value < m_lowest->point.value)
            m_lowest = kept;
        if (!m_highest || point.value > m_highest->point.value)
            m_highest = kept;
    }
    m_last = kept;
}

void PointThinner::end()
{
    std::vector<Kept> kept;
    for (std::optional<Kept> *one : {&m_first, &m_lowest, &m_highest, &m_notFinite, &m_last}) {
        if (*one)
            kept.push_back(**one);
        one->reset();
    }
    std::ranges::sort(kept, {}, &Kept::index);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (i == 0 || kept[i].index != kept[i - 1].index)
            m_sink(kept[i].point);
    }
}

}  // namespace sweepscope::exporting
