#pragma once

#include <QRandomGenerator>

#include <cstdint>

namespace sweepscope::protocol {

/// Not 0, and a positive integer of CBOR.
inline std::uint64_t randomId()
{
    return (QRandomGenerator::system()->generate64() >> 1) | 1;
}

}  // namespace sweepscope::protocol
