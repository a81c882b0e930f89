#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sweepscope {

/// An open file that was deleted under each of its names; one that was moved was not.
bool hasNoName(int file);

/// The whole file. The caller states the most it is ready to hold; a larger file is an error, not a truncation.
Expected<std::string> readFile(const std::filesystem::path &path, std::uint64_t maxBytes);

/// What a file that was written must come through. Only PowerLoss waits for the disk.
enum class Survives { Kill, PowerLoss };

/// Write to a temporary name beside it, fsync, rename: readers see the old file or the new one, never half of one.
Expected<void> writeFileAtomically(const std::filesystem::path &path, std::string_view content,
                                   Survives survives = Survives::PowerLoss);

/// All of it, resuming after EINTR and short writes.
Expected<void> writeAll(int fd, std::string_view bytes, const std::filesystem::path &pathForMessage);

}  // namespace sweepscope
