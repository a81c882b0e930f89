#include "launch/rankfeeds.h"

#include "base/clock.h"
#include "launch/agentmessage.h"

#include <algorithm>
#include <system_error>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

/// An attempt id may contain any printable character; a file name may not.
std::string fileName(const std::string &attemptId)
{
    std::string name = attemptId.substr(0, 120);
    for (char &c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        if (!plain)
            c = '_';
    }
    return name;
}

}  // namespace

std::string ringFileName(const std::string &attemptId, const ProcessIdentity &agent, int rank)
{
    return "sweepscope-" + fileName(attemptId) + "-" + std::to_string(agent.pid) + "-" + std::to_string(agent.startTime)
           + "-rank-" + std::to_string(rank) + ".ring";
}

Expected<RankFeeds> RankFeeds::create(const LaunchSpec &spec, const AttemptLayout &layout)
{
    const ProcessIdentity agent{::getpid(), processStartTime(::getpid()).value_or(0)};
    RankFeeds feeds;
    const auto fail = [&](Error error) -> Expected<RankFeeds> {
        for (Feed &feed : feeds.m_feeds) {
            // Even if the log lacks its preamble: no rank has written.
            if (!remove(feed)) {
                ::unlink(feed.ring.c_str());
                ::unlink(feed.link.c_str());
            }
        }
        return tl::unexpected(std::move(error));
    };

    feeds.m_firstRank = spec.firstRank();
    for (int rank = spec.firstRank(); rank < spec.firstRank() + spec.ranks; ++rank) {
        const std::filesystem::path ring = feed::ringFolder() / ringFileName(spec.attemptId, agent, rank);
        const feed::Preamble preamble{rank, spec.worldSize(), wallNow(), spec.attemptId};
        // The link first: if the process is killed in between, every ring can still be found.
        std::error_code error;
        std::filesystem::create_symlink(ring, layout.rankRing(rank), error);
        if (error)
            return fail(
                {ErrorCode::Io, "cannot create the link " + layout.rankRing(rank).string() + ": " + error.message()});
        auto drain = feed::RingDrain::create(ring, layout.rankFeed(rank), preamble);
        if (!drain) {
            std::filesystem::remove(layout.rankRing(rank), error);
            return fail(drain.error());
        }
        feeds.m_feeds.push_back({std::move(*drain), ring, layout.rankRing(rank), false, {}, {}});
    }
    return feeds;
}

std::filesystem::path RankFeeds::ringPath(int rank) const
{
    return m_feeds.at(static_cast<std::size_t>(rank - m_firstRank)).ring;
}

bool RankFeeds::drain()
{
    bool moved = false;
    for (std::size_t i = 0; i < m_feeds.size(); ++i)
        moved = drainOne(m_feeds[i], m_firstRank + static_cast<int>(i)) || moved;
    return moved;
}

bool RankFeeds::drainOne(Feed &feed, int rank)
{
    const auto moved = feed.drain.drain();
    if (moved) {
        if (!feed.problem.empty())
            logWarning("the telemetry of rank " + std::to_string(rank) + " is being saved again");
        feed.problem.clear();
        feed.failure.reset();
        return *moved > 0;
    }

    // Retried: a full disk is temporary, and the bytes wait in the ring; overwritten counters are stored anew by the
    // rank's next commit. The message about a ring may change all the time, so it is reported once.
    feed.problem = "telemetry of rank " + std::to_string(rank) + ": " + moved.error().message;
    if (feed.failure != moved.error().code)
        logWarning(feed.problem);
    feed.failure = moved.error().code;
    return false;
}

void RankFeeds::requestStop()
{
    for (Feed &feed : m_feeds)
        feed.drain.requestStop();
}

bool RankFeeds::stopSeen() const
{
    return std::ranges::any_of(m_feeds, [](const Feed &feed) { return feed.drain.stopSeen(); });
}

bool RankFeeds::finish()
{
    bool all = true;
    for (std::size_t i = 0; i < m_feeds.size(); ++i) {
        Feed &feed = m_feeds[i];
        if (feed.finished)
            continue;
        feed.drain.fence();
        while (drainOne(feed, m_firstRank + static_cast<int>(i))) {
        }
        // No rank is left that could repair a damaged ring.
        feed.finished = (feed.problem.empty() || feed.failure == ErrorCode::Corrupt) && remove(feed);
        all = all && feed.finished;
    }
    return all;
}

void RankFeeds::sync()
{
    for (Feed &feed : m_feeds) {
        if (const auto synced = feed.drain.sync(); !synced)
            logWarning(synced.error().message);
    }
}

bool RankFeeds::remove(Feed &feed)
{
    if (!feed.drain.unlink())
        return false;
    ::unlink(feed.link.c_str());
    return true;
}

std::string RankFeeds::problems() const
{
    std::string text;
    for (const Feed &feed : m_feeds) {
        if (!feed.problem.empty())
            text += (text.empty() ? "" : "; ") + feed.problem;
    }
    return text;
}

}  // namespace sweepscope::launch
