#pragma once

#include "media/mediaindex.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// An attempt whose ranks may have recorded something.
struct MediaSource {
    int trial = 0;
    int attempt = 0;
    int ranks = 1;
    bool hasEnded = false;
    std::filesystem::path folder;
};

/// What a rank has recorded in an attempt.
struct RankMedia {
    int trial = 0;
    int attempt = 0;
    int rank = 0;
    std::filesystem::path folder;  ///< of the attempt
    std::vector<media::MediaItem> items;
};

struct MediaListing {
    std::vector<std::shared_ptr<const RankMedia>> ranks;  ///< those with items, in the order of the sources
    std::size_t damagedLines = 0;
};

/// Reads the indexes of attempts, and of each only what is new since the last time. Not thread-safe.
class MediaCatalog {
public:
    MediaListing read(const std::vector<MediaSource> &sources);

private:
    struct Known {
        media::MediaIndex index;
        std::shared_ptr<const RankMedia> media{};
    };
    std::map<std::pair<std::filesystem::path, int>, Known> m_known;  ///< by folder and rank
};

}  // namespace sweepscope::ui
