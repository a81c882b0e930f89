#pragma once

#include "base/clock.h"
#include "base/workspacelayout.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

/// What ranks report besides numbers. packaging/python/sweepscope/media.py writes it to the folder of an attempt:
///
///   rank-N.media        bytes of all items, one after the other
///   rank-N.media.jsonl  the index: a JSON object a line for each item, written once its bytes are in the other file
///   artifacts/          copies of files
///
/// Ranks can replace these files, so all of them are untrusted.
namespace sweepscope::media {

enum class MediaKind { Image, Histogram, Text, Table, ConfusionMatrix, Artifact };

struct MediaItem {
    MediaKind kind = MediaKind::Image;
    std::string name;  ///< printable, not empty
    std::string caption;
    std::string hash;  ///< equal bytes have equal hashes, unless a rank says otherwise
    std::int64_t step = 0;
    WallNs time = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  ///< of the bytes in rank-N.media; not of an artifact
    std::string file;          ///< of an artifact: its name in artifacts/, which leads nowhere else
};

/// Bytes of an item; artifacts may be larger.
constexpr std::uint64_t mostItemBytes = std::uint64_t{16} << 20U;
constexpr std::uint64_t mostIndexBytes = std::uint64_t{32} << 20U;

/// nullopt: the line is damaged.
std::optional<MediaItem> parseMediaLine(std::string_view untrusted);

std::filesystem::path mediaIndexFile(const AttemptLayout &attempt, int rank);
/// Of the bytes of an item.
std::filesystem::path contentFile(const AttemptLayout &attempt, int rank, const MediaItem &item);

/// Follows the index of a rank while it grows. A file that was replaced or truncated is read from its beginning.
class MediaIndex {
public:
    explicit MediaIndex(std::filesystem::path file) : m_file(std::move(file)) {}

    /// Returns whether there are new items, or other ones.
    bool poll();
    const std::vector<MediaItem> &items() const { return m_items; }
    /// Lines that were skipped. `hasEnded`: an incomplete last line counts, which otherwise may be completed.
    std::size_t damagedLines(bool hasEnded) const { return m_damaged + (hasEnded && !m_line.empty() ? 1 : 0); }

private:
    void restart();
    void addLine(std::string_view line);

    std::filesystem::path m_file;
    dev_t m_device = 0;
    ino_t m_inode = 0;
    std::uint64_t m_offset = 0;
    std::string m_line;  ///< the incomplete last one
    std::vector<MediaItem> m_items;
    std::size_t m_damaged = 0;
};

}  // namespace sweepscope::media
