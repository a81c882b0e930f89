#pragma once

#include "base/workspacelayout.h"
#include "device/processusage.h"
#include "feed/logwriter.h"
#include "launch/launchspec.h"
#include "launch/rankprocess.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::launch {

/// CPU, memory and disk traffic of each rank (its children included) into host.feed: rankN.cpu in % of one core,
/// rankN.memory in bytes, rankN.read and rankN.write in bytes per second where the kernel tells; the step is the number
/// of the sample. That it cannot be written goes to agent.log and harms nothing else.
class HostSampler {
public:
    HostSampler(const LaunchSpec &spec, const AttemptLayout &layout);

    void add(const RankProcess &rank);
    /// `processes`: what the agent and everything below it are doing now (device::readProcessTree).
    void sample(const std::vector<device::ProcessStat> &processes);
    /// Of one core, by the last sample: 0 before the second one. Empty when ranks are not sampled.
    std::optional<double> cpuPercent(int rank) const;

private:
    struct Watched {
        int rank;
        device::ProcessUsage usage;
        std::uint16_t cpu;
        std::uint16_t memory;
        std::uint16_t read;
        std::uint16_t write;
        double cpuPercent = 0;
    };
    std::optional<feed::LogWriter> m_log;
    std::vector<Watched> m_ranks;
    std::int64_t m_step = 0;
    bool m_told = false;
};

}  // namespace sweepscope::launch
