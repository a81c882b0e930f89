#pragma once

#include "base/clock.h"
#include "base/logtimes.h"
#include "base/workspacelayout.h"
#include "launch/childnotes.h"
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

/// Writes down what the ranks of one attempt do: what they report and print, the CPU and memory that they use, and which
/// processes they start. While it lives the files of the attempt are its own.
class AttemptRecorder {
public:
    /// Waits for `pause`, and returns false when there is no more time.
    using Wait = std::function<bool(std::chrono::milliseconds pause)>;

    AttemptRecorder(const LaunchSpec &spec, const AttemptLayout &layout, RankFeeds feeds);

    /// Before the rank starts. An error: what it prints could not be read.
    Expected<void> prepare(int rank);
    /// The rank runs.
    void add(const RankProcess &rank);
    std::filesystem::path ringPath(int rank) const { return m_feeds.ringPath(rank); }
    void requestStop() { m_feeds.requestStop(); }

    struct Drained {
        bool reported = false;  ///< the ranks had reported something
        bool isBehind = false;  ///< they have printed more than was read
    };
    /// Takes what the ranks have reported and printed.
    Drained drain();
    void sample(const std::vector<RankProcess> &ranks);
    /// Of one core, by the last sample; nullopt if unknown.
    std::optional<double> cpuPercent(int rank) const { return m_sampler.cpuPercent(rank); }

    /// When all ranks are gone: takes the rest. A full disk is waited for as long as `wait` allows.
    void finish(const Wait &wait);
    /// What was recorded survives a loss of power from here on.
    void sync(const std::vector<RankProcess> &ranks);
    /// What could not be recorded so far; empty when all is well.
    std::string problems() const { return m_feeds.problems(); }

private:
    enum class OutputLeft { Nothing, More, NoRoom };
    OutputLeft readOutput();
    void finishOutput(const Wait &wait);

    const LaunchSpec &m_spec;
    AttemptLayout m_layout;
    RankFeeds m_feeds;
    FeedIndexer m_indexer;
    HostSampler m_sampler;
    ChildNotes m_childNotes;
    std::vector<OutputMetrics> m_output;  ///< of the ranks whose output is read
    std::vector<LogTimesWriter> m_logTimes;
};

}  // namespace sweepscope::launch
