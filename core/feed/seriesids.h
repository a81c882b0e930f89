// SPDX-License-Identifier: MIT
#pragma once

#include "feed/format.h"
#include "feed/recordencoding.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sweepscope::feed {

/// Which name has which id, on the writer's side. Names are cut as the format says before they are compared.
class SeriesIds {
public:
    /// Ids below `first` are taken by an earlier writer.
    explicit SeriesIds(std::uint16_t first = 0) : m_next(first) {}

    struct Given {
        std::uint16_t id = noSeries;
        bool isNew = false;
    };
    /// noSeries when all are given.
    Given idOf(std::string_view name)
    {
        const std::string key(encoding::cutText(name, maxNameBytes));
        if (const auto found = m_byName.find(key); found != m_byName.end())
            return {found->second, false};
        if (m_next == noSeries)
            return {};
        m_byName.emplace(key, m_next);
        return {m_next++, true};
    }

    /// A declaration found in an existing feed.
    void adopt(std::string_view name, std::uint16_t id)
    {
        m_byName.insert_or_assign(std::string(name), id);
        if (id >= m_next && id != noSeries)
            m_next = static_cast<std::uint16_t>(id + 1);
    }

    /// The id that the next new name gets.
    std::uint16_t next() const noexcept { return m_next; }

private:
    std::uint16_t m_next;
    std::unordered_map<std::string, std::uint16_t> m_byName;
};

}  // namespace sweepscope::feed
