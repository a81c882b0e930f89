#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sweepscope::data {

/// Rows of equal size in a file, plain or gzipped: row i is the `bytes` bytes from start + i * stride on. Rows may
/// overlap (windows of a text) and leave bytes out between them (the labels of CIFAR-10's records).
struct RowFile {
    std::filesystem::path path;
    std::uint64_t start = 0;
    std::uint64_t stride = 0;
    std::uint64_t bytes = 0;
    std::int64_t count = 0;
};

struct RowWish {
    std::int64_t row = 0;
    std::int64_t place = 0;  ///< the row is written to `to` + place * bytes
};

/// `rows` one after the other.
std::vector<RowWish> inThisOrder(const std::vector<std::int64_t> &rows);

/// Reads the requested rows, each from 0 to count-1. Of a plain file, reads nothing else; unpacks a gzipped file piece
/// by piece and keeps only the requested rows. BadInput if the file ends before the last of them.
Expected<void> readRows(const RowFile &file, std::vector<RowWish> wishes, std::uint8_t *to);

}  // namespace sweepscope::data
