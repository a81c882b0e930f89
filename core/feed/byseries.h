// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sweepscope::feed {

/// A T for every id that a series can have; memory only for those near one that was asked for. Damaged bytes name any
/// of them, and need not cost the memory of all.
template <typename T>
class BySeries {
public:
    T &operator[](std::uint16_t id)
    {
        std::unique_ptr<Page> &page = m_pages[id / pageSize];
        if (!page)
            page = std::make_unique<Page>();
        return (*page)[id % pageSize];
    }

private:
    static constexpr std::size_t pageSize = 64;
    using Page = std::array<T, pageSize>;
    std::array<std::unique_ptr<Page>, 0x10000 / pageSize> m_pages;
};

}  // namespace sweepscope::feed
