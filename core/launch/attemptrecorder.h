#pragma once

#include "base/clock.h"
#include "base/logtimes.h"
#include "base/workspacelayout.h"
#include "launch/childnotes.h"
#include "launch/eventmetrics.h"
#include "launch/feedindexer.h"
#include "launch/hostsampler.h"
#include "launch/launchspec.h"
#include "launch/outputmetrics.h"
#include "launch/rankfeeds.h"
#include "launch/rankprocess.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// Records what the ranks of one attempt do: their reports and output, the CPU and memory that they use, and the
/// processes that they start. While it exists, only it writes the files of the attempt.
class AttemptRecorder {
public:
    /// Waits for `pause`. Returns false if the time is used up.
    using Wait = std::function<bool(std::chrono::milliseconds pause)>;

    AttemptRecorder(const LaunchSpec &spec, const AttemptLayout &layout, RankFeeds feeds);

    /// Call before the rank starts. Returns an error if the rank's output could not be read.
    Expected<void> prepare(int rank);
    /// Call once the rank runs.
    void add(const RankProcess &rank);
    std::filesystem::path ringPath(int rank) const { return m_feeds.ringPath(rank); }
    void requestStop() { m_feeds.requestStop(); }
    bool stopSeen() const { return m_feeds.stopSeen(); }

    struct Drained {
        bool reported = false;  ///< the ranks have reported something
        bool isBehind = false;  ///< the ranks have printed more than was read
    };
    /// Reads what the ranks have reported and printed.
    Drained drain();
    void sample(const std::vector<RankProcess> &ranks);
    /// Returns % of one core by the last sample; nullopt if unknown.
    std::optional<double> cpuPercent(int rank) const { return m_sampler.cpuPercent(rank); }

    /// Call when all ranks are gone: reads the rest. Waits for space on a full disk as long as `wait` allows.
    void finish(const Wait &wait);
    /// When this returns, recorded data survives a loss of power.
    void sync(const std::vector<RankProcess> &ranks);
    /// Returns sentences about everything that could not be recorded so far; empty if nothing is missing.
    std::string problems() const { return m_feeds.problems(); }

private:
    enum class OutputLeft { Nothing, More, NoRoom };
    OutputLeft readOutput();
    void lookForOutputRequest(bool isEnd);
    void beginOutput(bool isEnd);
    bool hasReportedPoints();
    bool isAskedForRing() const;
    void finishOutput(const Wait &wait);

    const LaunchSpec &m_spec;
    AttemptLayout m_layout;
    RankFeeds m_feeds;
    FeedIndexer m_indexer;
    HostSampler m_sampler;
    ChildNotes m_childNotes;
    std::vector<OutputMetrics> m_output;   ///< of the ranks whose output is read
    std::optional<EventMetrics> m_events;  ///< set if event files are read instead
    std::vector<int> m_ranks;
    bool m_mayReadOutput;  ///< there was no request to read it, or only one for silent ranks (outputrequest.h)
    bool m_readsIfSilent = false;
    std::optional<output::MetricsSection> m_requested;  ///< what is to be read once the ranks do not use their rings
    bool m_hasReported = false;
    bool m_hasPoints = false;  ///< these are no longer only events
    std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_nextLook{};
    std::vector<LogTimesWriter> m_logTimes;
};

}  // namespace sweepscope::launch
