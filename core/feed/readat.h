// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace sweepscope::feed {

/// From a place of a file, until `out` is full or the file ends.
Expected<std::size_t> readAt(int file, std::uint64_t from, std::span<unsigned char> out);

/// False: the file has no whole one there.
template <typename T>
bool readObjectAt(int file, std::uint64_t from, T &object)
{
    const auto got = readAt(file, from, {reinterpret_cast<unsigned char *>(&object), sizeof object});
    return got && *got == sizeof object;
}

}  // namespace sweepscope::feed
