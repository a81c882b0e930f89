#include "ui/media/mediacatalog.h"

namespace sweepscope::ui {

MediaListing MediaCatalog::read(const std::vector<MediaSource> &sources)
{
    MediaListing listing;
    std::map<std::pair<std::filesystem::path, int>, Known> known;
    for (const MediaSource &source : sources) {
        for (int rank = 0; rank < source.ranks; ++rank) {
            auto node = m_known.extract({source.folder, rank});
            Known rankMedia = node ? std::move(node.mapped())
                                   : Known{media::MediaIndex(media::mediaIndexFile({source.folder, {}}, rank))};
            if (rankMedia.index.poll() || (rankMedia.media && rankMedia.media->attempt != source.attempt)) {
                rankMedia.media = std::make_shared<const RankMedia>(
                    RankMedia{source.trial, source.attempt, rank, source.folder, rankMedia.index.items()});
            }
            listing.damagedLines += rankMedia.index.damagedLines(source.hasEnded);
            if (rankMedia.media && !rankMedia.media->items.empty())
                listing.ranks.push_back(rankMedia.media);
            known.emplace(std::pair(source.folder, rank), std::move(rankMedia));
        }
    }
    m_known = std::move(known);
    return listing;
}

}  // namespace sweepscope::ui
