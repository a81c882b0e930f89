// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Whole records of a stream, made small without loss and made to records again. What a block looks like is said in
/// sweepscope_feed.h.
namespace sweepscope::feed::packing {

inline constexpr char packedMagic[8] = {'S', 'W', 'S', 'C', 'P', 'A', 'C', 'K'};
inline constexpr std::uint32_t packedVersion = 1;
inline constexpr std::size_t packedHeaderBytes = 16;
/// How much of a stream goes into a block at most, and what a reader unpacks at once.
inline constexpr std::uint32_t maxBlockBytes = 512 * 1024;

enum class Method : std::uint32_t {
    End = 0,
    Columns = 1,       ///< points by column
    XoredColumns = 2,  ///< and every value XOR the one before of its series
};

struct BlockHeader {
    Method method;
    std::uint32_t packedBytes;  ///< of what follows
    std::uint32_t rawBytes;     ///< of the stream
    std::uint32_t reserved;
};
static_assert(sizeof(BlockHeader) == 16);

/// Returns header and content, ready to be written; empty if there is no memory. `records` may be any bytes, but only
/// whole records compress well.
std::vector<unsigned char> packBlock(std::span<const unsigned char> records);

/// Corrupt when the content is not what the header says.
Expected<std::vector<unsigned char>> unpackBlock(const BlockHeader &header, std::span<const unsigned char> untrusted);

}  // namespace sweepscope::feed::packing
