#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "feed/ring.h"
#include "launch/agentprocess.h"
#include "launch/launchspec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// Returns the name of a rank's ring in feed::ringFolder(). It includes the agent's identity, so that rings left by a
/// killed agent never conflict.
std::string ringFileName(const std::string &attemptId, const ProcessIdentity &agent, int rank);

/// The rings of all ranks of one attempt: created before the ranks start, drained while they run, removed after they
/// have ended.
class RankFeeds {
public:
    /// Creates one ring per rank in feed::ringFolder(), and rank-N.ring in the attempt's folder as a link to it. On
    /// error nothing stays behind.
    static Expected<RankFeeds> create(const LaunchSpec &spec, const AttemptLayout &layout);
    RankFeeds(RankFeeds &&) noexcept = default;
    RankFeeds &operator=(RankFeeds &&) noexcept = default;

    std::filesystem::path ringPath(int rank) const;

    /// Moves what the ranks have committed to the logs. Returns true if there was data, so that the next call should
    /// come soon.
    bool drain();
    /// Asks every rank to checkpoint and end (should_stop).
    void requestStop();
    /// Whether some rank has read that.
    bool stopSeen() const;
    /// Call when all ranks are gone: drains the rest and removes rings and links. Returns false if a log could not be
    /// written (a full disk): then that ring stays with its data, and a later call retries.
    bool finish();
    /// When this returns, reported data survives a loss of power.
    void sync();

    /// Returns what could not be done so far, a sentence per rank; empty if nothing failed.
    std::string problems() const;

private:
    struct Feed {
        feed::RingDrain drain;
        std::filesystem::path ring;
        std::filesystem::path link;
        bool finished = false;
        std::string problem;
        std::optional<ErrorCode> failure;  ///< what kind of problem it is
    };

    RankFeeds() = default;
    bool drainOne(Feed &feed, int rank);
    /// Returns false if the log cannot take the rest of the ring: then the ring stays, and the link to it.
    static bool remove(Feed &feed);

    std::vector<Feed> m_feeds;
    int m_firstRank = 0;
};

}  // namespace sweepscope::launch
