// SPDX-License-Identifier: MIT
#pragma once

#include "feed/packedblock.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// The end of a compressed log: the headers of all its blocks again, so that one that is damaged costs nothing, and a
/// reader needs not go from block to block to find them.
namespace sweepscope::feed::packing {

/// Header and content of the last block, for a log that has these before it.
std::vector<unsigned char> endBlock(std::span<const BlockHeader> blocks);

/// None if the file does not end with such a block, or with a damaged one, or if its blocks would not fill the file.
std::optional<std::vector<BlockHeader>> readBlockTable(int file, std::uint64_t fileBytes);

}  // namespace sweepscope::feed::packing
