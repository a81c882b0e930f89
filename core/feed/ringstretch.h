// SPDX-License-Identifier: MIT
#pragma once

#include "feed/ringmapping.h"

#include <cstdint>

namespace sweepscope::feed {

/// Where the next records of a writer go: a sink for recordencoding.h. Lives on the stack of the one who writes them.
class RingStretch {
public:
    RingStretch() noexcept = default;
    RingStretch(const RingMapping &ring, std::uint64_t position) noexcept : m_ring(&ring), m_position(position) {}

    void put(std::uint64_t word) noexcept
    {
        m_ring->storeWord(m_position, word);
        m_position += wordBytes;
    }

    std::uint64_t position() const noexcept { return m_position; }

private:
    const RingMapping *m_ring = nullptr;
    std::uint64_t m_position = 0;
};

}  // namespace sweepscope::feed
