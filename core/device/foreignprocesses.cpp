#include "device/foreignprocesses.h"

#include "device/device.h"
#include "process/processstat.h"

#include <algorithm>

namespace sweepscope::device {

namespace {

std::string ownerOf(const DeviceProcess &process)
{
    const std::string pid = "pid " + std::to_string(process.pid);
    return process.user ? pid + " of " + *process.user : pid + ", which is not visible from here";
}

}  // namespace

ForeignUse foreignUse(const std::vector<DeviceProcess> &processes,
                      const std::function<bool(const DeviceProcess &)> &isNobody)
{
    ForeignUse use;
    const DeviceProcess *largest = nullptr;
    std::size_t count = 0;
    for (const DeviceProcess &process : processes) {
        if (!process.computes || isNobody(process))
            continue;
        ++count;
        use.bytes += process.memoryBytes.value_or(0);
        if (largest == nullptr || process.memoryBytes.value_or(0) > largest->memoryBytes.value_or(0))
            largest = &process;
    }
    if (largest == nullptr)
        return use;
    use.words = "is used by " + ownerOf(*largest);
    if (largest->memoryBytes)
        use.words += ", " + inBytes(*largest->memoryBytes);
    if (count > 1)
        use.words += ", and " + std::to_string(count - 1) + " more";
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
