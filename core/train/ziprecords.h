#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sweepscope::train {

/// A file within a zip archive.
struct ZipRecord {
    std::string name;
    std::uint64_t offset = 0;  ///< of its content in the archive
    std::uint64_t size = 0;    ///< of its content as it is stored, in bytes
    std::uint32_t crc = 0;     ///< of its content after unpacking
    bool isCompressed = false;
};

/// The central directory of a zip archive, with or without zip64 (PKWARE's APPNOTE.TXT, 4.3). Corrupt if there is none,
/// or if a record lies outside the archive.
Expected<std::vector<ZipRecord>> zipRecords(std::span<const std::uint8_t> archive);

/// Compares every record that is not compressed with its CRC-32, which LibTorch does not do. Corrupt names the first
/// one that differs.
Expected<void> checkZip(std::span<const std::uint8_t> archive);
Expected<void> checkZipFile(const std::filesystem::path &path);

}  // namespace sweepscope::train
