#pragma once

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "feed/logwriter.h"
#include "launch/launchspec.h"
#include "launch/rankprocess.h"
#include "process/processusage.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::launch {

/// Writes CPU, memory and disk traffic of each rank (including its children) to host.feed: rankN.cpu in % of one core,
/// rankN.memory in bytes, rankN.read and rankN.write in bytes per second if available; the step is the number of the
/// sample. The first sample creates the file, so that ranks that end immediately leave none. Write errors go to
/// agent.log and have no other effect.
class HostSampler {
public:
    HostSampler(const LaunchSpec &spec, const AttemptLayout &layout);

    void add(const RankProcess &rank);
    /// `processes`: the agent and everything below it (process::readProcessTree).
    void sample(const std::vector<process::ProcessStat> &processes);
    /// Returns % of one core by the last sample: 0 before the second one. nullopt if the rank is not sampled.
    std::optional<double> cpuPercent(int rank) const;

private:
    struct Series {
        std::uint16_t cpu = 0;
        std::uint16_t memory = 0;
        std::uint16_t read = 0;
        std::uint16_t write = 0;
    };
    struct Watched {
        int rank;
        process::ProcessUsage usage;
        std::optional<Series> series{};  ///< set once they are declared
        double cpuPercent = 0;
    };
    bool open();
    void write(Watched &rank, const process::ProcessUsage::Sample &usage, WallNs time);

    std::filesystem::path m_path;
    feed::Preamble m_preamble;
    std::optional<feed::LogWriter> m_log;
    bool m_cannotOpen = false;
    std::vector<Watched> m_ranks;
    std::int64_t m_step = 0;
    bool m_warned = false;
};

}  // namespace sweepscope::launch
