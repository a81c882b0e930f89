#include "launch/attempttidying.h"

#include "feed/logpacking.h"
#include "launch/agentmessage.h"
#include "series/feedseries.h"

#include <filesystem>
#include <sys/resource.h>
#include <system_error>

namespace sweepscope::launch {

namespace {

/// What cannot be indexed, because the disk is full or somebody else does it, is read from the log.
void completeIndex(const AttemptLayout &layout, int rank)
{
    series::FeedSeries feed({layout.rankFeed(rank), {}, layout.rankIndex(rank)}, series::IndexUse::Build);
    while (feed.poll().value_or(0) > 0) {
    }
    feed.save();
}

/// It stays as it is where that is not possible, and is read in the same way.
void packLog(const std::filesystem::path &log)
{
    const auto packed = feed::packLog(log);
    if (!packed && packed.error().code != ErrorCode::Unsupported && packed.error().code != ErrorCode::NotFound)
        say(packed.error().message);
}

}  // namespace

void tidyAttempt(const AttemptLayout &layout)
{
    ::setpriority(PRIO_PROCESS, 0, 19);
    std::error_code error;
    for (int rank = 0; std::filesystem::exists(layout.rankFeed(rank), error); ++rank) {
        if (std::filesystem::is_symlink(layout.rankRing(rank), error))
            continue;
        completeIndex(layout, rank);
        packLog(layout.rankFeed(rank));
    }
    packLog(layout.hostFeed());
}

}  // namespace sweepscope::launch
