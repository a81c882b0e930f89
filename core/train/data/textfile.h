#pragma once

#include "base/error.h"
#include "train/data/dataset.h"
#include "train/data/rowchoice.h"

#include <cstdint>
#include <filesystem>

namespace sweepscope::train {

/// A text as samples of `context` bytes each, one after the other without overlap; the targets are the same bytes
/// moved by one. A token is the place of its byte among the bytes that occur, in ascending order.
/// With a `choice` only the samples that it wants are kept.
Expected<Dataset> readText(const std::filesystem::path &path, std::int64_t context, const RowChoice &choice = {});

}  // namespace sweepscope::train
