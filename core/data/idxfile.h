#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sweepscope::data {

/// Unsigned bytes in an IDX file, the format of MNIST's four files:
///
///     byte 0..1  0    byte 2  0x08 = unsigned byte    byte 3  number of dimensions
///     then each dimension as a big-endian uint32, then the values, last dimension fastest
struct IdxArray {
    std::vector<std::int64_t> shape;
    std::vector<std::uint8_t> values;
};

/// Plain or gzipped. Errors name the path and what was expected and found: another magic number (BadInput), or a size
/// that does not fit the dimensions (a cut-off download). Values of at most 1 GiB.
Expected<IdxArray> readIdxFile(const std::filesystem::path &path, std::size_t dimensions);

/// The shape alone, when header and size fit each other, at the cost of a few reads: of a gzipped file the size is what
/// its trailer says. Errors as of readIdxFile; damage in the middle is left to that one.
Expected<std::vector<std::int64_t>> checkIdxFile(const std::filesystem::path &path, std::size_t dimensions);

}  // namespace sweepscope::data
