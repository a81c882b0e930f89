#include "process/processusage.h"

#include <unistd.h>
#include <utility>

namespace sweepscope::process {

ProcessUsage::ProcessUsage(pid_t pid, std::string procFolder) : m_pid(pid), m_procFolder(std::move(procFolder)) {}

std::optional<ProcessUsage::Sample> ProcessUsage::sample(std::int64_t nowNs)
{
    return sample(nowNs, readProcessTree(m_pid, m_procFolder));
}

std::optional<ProcessUsage::Sample> ProcessUsage::sample(std::int64_t nowNs, const std::vector<ProcessStat> &snapshot)
{
    const std::vector<ProcessStat> tree = subtree(snapshot, m_pid);
    if (tree.empty())
        return std::nullopt;

    // A reaped child's time is in its parent's reaped ticks: counting both, the sum never loses any.
    std::uint64_t ticks = 0;
    Sample sample;
    for (const ProcessStat &process : tree) {
        ticks += process.cpuTicks + process.reapedTicks;
        sample.residentBytes += process.residentBytes;
    }

    const std::optional<ProcessIo> io = ioOf(tree);
    static const auto ticksPerSecond = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const bool comparable = m_lastNs != 0 && nowNs > m_lastNs;
    if (comparable && ticks > m_lastTicks) {
        const double seconds = static_cast<double>(nowNs - m_lastNs) * 1e-9;
        sample.cpuPercent = 100.0 * static_cast<double>(ticks - m_lastTicks) / ticksPerSecond / seconds;
    }
    // While a child ends, its share is temporarily missing: if the sum decreased, report no rate.
    if (comparable && io && m_lastIo && io->readBytes >= m_lastIo->readBytes
        && io->writtenBytes >= m_lastIo->writtenBytes) {
        const double seconds = static_cast<double>(nowNs - m_lastNs) * 1e-9;
        sample.readBytesPerSecond = static_cast<double>(io->readBytes - m_lastIo->readBytes) / seconds;
        sample.writtenBytesPerSecond = static_cast<double>(io->writtenBytes - m_lastIo->writtenBytes) / seconds;
    }
    m_lastIo = io;
    m_lastNs = nowNs;
    m_lastTicks = ticks;
    if (!comparable)
        return std::nullopt;
    return sample;
}

/// Returns nullopt if one process is unreadable: a partial sum is useless.
std::optional<ProcessIo> ProcessUsage::ioOf(const std::vector<ProcessStat> &tree) const
{
    ProcessIo sum;
    for (const ProcessStat &process : tree) {
        if (process.state == 'Z')
            return std::nullopt;
        const auto io = readProcessIo(process.pid, m_procFolder);
        if (!io)
            return std::nullopt;
        sum.readBytes += io->readBytes;
        sum.writtenBytes += io->writtenBytes;
    }
    return sum;
}

}  // namespace sweepscope::process
