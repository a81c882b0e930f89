#pragma once

#include "process/processstat.h"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::process {

/// CPU, memory and disk traffic of one process and its current descendants, from /proc. Call sample() regularly.
class ProcessUsage {
public:
    explicit ProcessUsage(pid_t pid, std::string procFolder = "/proc");

    struct Sample {
        double cpuPercent = 0;  ///< of one core: 200 = two cores busy; since the last call
        std::uint64_t residentBytes = 0;
        std::optional<double> readBytesPerSecond;     ///< from disks; nullopt if unknown
        std::optional<double> writtenBytesPerSecond;  ///< to disks
    };
    /// Returns nullopt at the first call (nothing to compare with) and if the process is gone.
    std::optional<Sample> sample(std::int64_t nowNs);

    /// The same from a snapshot shared by several processes: one walk through /proc for all ranks.
    std::optional<Sample> sample(std::int64_t nowNs, const std::vector<ProcessStat> &snapshot);

private:
    std::optional<ProcessIo> ioOf(const std::vector<ProcessStat> &tree) const;

    pid_t m_pid;
    std::string m_procFolder;
    std::int64_t m_lastNs = 0;
    std::uint64_t m_lastTicks = 0;
    std::optional<ProcessIo> m_lastIo;
};

}  // namespace sweepscope::process
