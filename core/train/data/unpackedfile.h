#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sweepscope::train {

/// A file's content after gunzip; a file that is not gzipped is taken as it is.
struct UnpackedFile {
    std::vector<std::uint8_t> bytes;
    bool cutOff = false;  ///< the gzip stream ended early: `bytes` is what could be unpacked
};

/// At most `maxBytes` after unpacking; more is BadInput (nobody's data set unpacks to that, a damaged file might).
Expected<UnpackedFile> unpackFile(const std::filesystem::path &path, std::uint64_t maxBytes);

}  // namespace sweepscope::train
