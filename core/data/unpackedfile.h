#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace sweepscope::data {

/// The content of a file, after gunzip if it is gzipped.
struct UnpackedFile {
    std::vector<std::uint8_t> bytes;
    bool cutOff = false;  ///< the gzip stream ended early: `bytes` is what could be unpacked
};

/// Unpacks at most `maxBytes`; more is BadInput (no real data set unpacks to that, but a damaged file might).
Expected<UnpackedFile> unpackFile(const std::filesystem::path &path, std::uint64_t maxBytes);

/// Its first `bytes` bytes, or fewer where it ends before.
Expected<UnpackedFile> unpackStart(const std::filesystem::path &path, std::uint64_t bytes);

/// All of it, a piece at a time, until `take` answers false. BadInput when a gzip stream ends early.
Expected<void> unpackInPieces(const std::filesystem::path &path,
                              const std::function<bool(std::span<const std::uint8_t>)> &take);

/// By its first two bytes; false when it cannot be read.
bool isGzipped(const std::filesystem::path &path);

/// The size after unpacking, as far as it can be known without unpacking: of a gzipped file its last four bytes say it,
/// of a plain one it is its own. Nothing when the file cannot be read.
std::optional<std::uint64_t> promisedSize(const std::filesystem::path &path);

}  // namespace sweepscope::data
