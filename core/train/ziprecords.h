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

/// The first record whose CRC-32 differs, which LibTorch does not check; nullopt if there is none. Compressed records are
/// not compared. Corrupt as zipRecords().
Expected<std::optional<std::string>> damagedRecord(std::span<const std::uint8_t> archive);
Expected<std::optional<std::string>> damagedRecord(const std::filesystem::path &path);

}  // namespace sweepscope::train
