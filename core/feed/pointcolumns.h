// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sweepscope::feed::packing {

/// Records whose points are split into columns, each value stored as a difference, so that a general compressor finds
/// what a point has in common with the ones before it.
///
///     u32 runs | u32 points | runs times (u32 points, u32 bytes of other records that follow them)
///     the other records' bytes
///     columns over all points, each as byte planes (all lowest bytes, then all second ones, …):
///         u32 kind and series  | u32 step minus the step before of the same series
///         u64 time minus the time of the point before | u64 value, or value XOR the value before of the same series
std::vector<unsigned char> toColumns(std::span<const unsigned char> records, bool xorValues);

/// None when the bytes cannot have come from toColumns(), or would give anything but `rawBytes`.
std::optional<std::vector<unsigned char>> fromColumns(std::span<const unsigned char> untrusted, bool xorValues,
                                                      std::size_t rawBytes);

}  // namespace sweepscope::feed::packing
