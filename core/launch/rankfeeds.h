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

/// The name of a rank's ring in feed::ringFolder(). The agent's identity is in it, so that what a killed agent left behind
/// is never in the way.
std::string ringFileName(const std::string &attemptId, const ProcessIdentity &agent, int rank);

/// The rings of all ranks of one attempt: made before the ranks start, drained while they run, gone when they have
/// ended.
class RankFeeds {
public:
    /// One ring per rank in feed::ringFolder(), and rank-N.ring in the attempt's folder as a link to it. On error
    /// nothing stays behind.
    static Expected<RankFeeds> create(const LaunchSpec &spec, const AttemptLayout &layout);
    RankFeeds(RankFeeds &&) noexcept = default;
    RankFeeds &operator=(RankFeeds &&) noexcept = default;

    std::filesystem::path ringPath(int rank) const;

    /// Move what the ranks have committed to the logs. True when there was anything, so that it pays to come back soon.
    bool drain();
    /// Ask every rank to checkpoint and end (should_stop).
    void requestStop();
    /// When all ranks are gone: drain what is left and remove rings and links. False when a log could not be written (a
    /// full disk): that ring stays, nothing in it is lost, and a call later tries again.
    bool finish();
    /// What ranks have reported survives a loss of power from here on.
    void sync();

    /// What could not be done so far, a sentence per rank; empty when all is well.
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
    /// False: the ring stays, because the log cannot take what is left in it, and so does the link by which it is found.
    static bool remove(Feed &feed);

    std::vector<Feed> m_feeds;
};

}  // namespace sweepscope::launch
