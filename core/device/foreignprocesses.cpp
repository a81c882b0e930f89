#include "device/foreignprocesses.h"

#include "device/device.h"
#include "process/processstat.h"

#include <algorithm>

namespace sweepscope::device {

ForeignUse foreignUse(const std::vector<DeviceProcess> &processes,
                      const std::function<bool(const DeviceProcess &)> &isNobody)
{
    ForeignUse use;
    for (const DeviceProcess &process : processes) {
        if (!process.computes || isNobody(process))
            continue;
        ++use.count;
        use.bytes += process.memoryBytes.value_or(0);
        if (!use.largest || process.memoryBytes.value_or(0) > use.largest->memoryBytes.value_or(0))
            use.largest = process;
    }
    return use;
}

std::optional<double> foreignCount(const std::vector<DeviceProcess> &processes, const std::set<pid_t> &agents,
                                   bool isHeld, const std::string &procFolder)
{
    bool isCertain = true;
    const auto count = std::count_if(processes.begin(), processes.end(), [&](const DeviceProcess &process) {
        if (!process.computes)
            return false;
        if (!process.user) {
            isCertain = isCertain && !isHeld;
            return !isHeld;
        }
        return process::readProcessStat(process.pid, procFolder) && !descendsFrom(process.pid, agents, procFolder);
    });
    return count > 0 || isCertain ? std::optional(static_cast<double>(count)) : std::nullopt;
}

bool descendsFrom(pid_t pid, const std::set<pid_t> &agents, const std::string &procFolder)
{
    constexpr int deepest = 256;
    for (int depth = 0; depth < deepest && pid > 1; ++depth) {
        if (agents.contains(pid))
            return true;
        const auto stat = process::readProcessStat(pid, procFolder);
        pid = stat ? stat->parent : 0;
    }
    return false;
}

}  // namespace sweepscope::device
