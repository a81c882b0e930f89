#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope {

/// How a copy of another machine's feed begins that has only some of the points (series::ThinLog). What was appended to the
/// feed later follows unchanged. A file beside the copy holds these numbers.
struct ThinCopy {
    std::int64_t bytes = 0;   ///< length of the thinned part
    std::int64_t stands = 0;  ///< length of the part of the feed that it stands for
};

/// The file beside the copy: "rank-0.feed.thin".
std::filesystem::path thinCopyNote(const std::filesystem::path &feed);
/// nullopt: the file has all points, or the note is damaged.
std::optional<ThinCopy> thinCopyOf(const std::filesystem::path &feed);
std::string toText(const ThinCopy &copy);

}  // namespace sweepscope
