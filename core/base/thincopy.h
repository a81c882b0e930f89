#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope {

/// Of a copy of another machine's feed that has only some of its points (series::ThinLog), followed by all that was appended
/// later. It is noted in a file beside the copy.
struct ThinCopy {
    std::int64_t bytes = 0;   ///< it began with
    std::int64_t stands = 0;  ///< for so many bytes of the feed
};

/// The file beside the copy: "rank-0.feed.thin".
std::filesystem::path thinCopyNote(const std::filesystem::path &feed);
/// nullopt: the file has all points, or the note is damaged.
std::optional<ThinCopy> thinCopyOf(const std::filesystem::path &feed);
std::string toText(const ThinCopy &copy);

}  // namespace sweepscope
