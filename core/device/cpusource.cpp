#include "device/cpusource.h"

#include "base/files.h"
#include "device/sources.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <sched.h>
#include <sstream>
#include <utility>

namespace sweepscope::device {

namespace {

constexpr std::uint64_t maxCpuFileBytes = 16 * 1024 * 1024;  // /proc/cpuinfo of a machine with hundreds of cores
constexpr std::size_t idleColumn = 3, ioWaitColumn = 4;      // of user nice system idle iowait irq softirq steal …
constexpr std::size_t countedColumns = 8;                    // guest time is already in user

std::string idOf(int core)
{
    return "cpu:" + std::to_string(core);
}

}  // namespace

CpuSource::CpuSource(std::string procFolder, std::set<int> allowed)
    : m_procFolder(std::move(procFolder)), m_allowed(std::move(allowed))
{}

std::vector<Device> CpuSource::devices()
{
    const std::string name = modelName();
    std::vector<Device> found;
    for (const auto &[core, times] : readTimes()) {
        Device device;
        device.id = idOf(core);
        device.kind = Kind::Cpu;
        device.index = core;
        device.name = name;
        found.push_back(std::move(device));
    }
    return found;
}

std::vector<DeviceReading> CpuSource::sample()
{
    const std::map<int, Times> now = readTimes();
    std::vector<DeviceReading> readings;
    for (const auto &[core, times] : now) {
        Reading reading;
        const auto before = m_last.find(core);
        // Right after a core was brought online its counters may run backwards: then there is nothing to say.
        if (before != m_last.end() && times.total > before->second.total && times.busy >= before->second.busy) {
            const auto busy = static_cast<double>(times.busy - before->second.busy);
            const auto total = static_cast<double>(times.total - before->second.total);
            reading.utilizationPercent = std::min(100.0, 100.0 * busy / total);
        }
        readings.push_back({idOf(core), reading});
    }
    m_last = now;
    return readings;
}

std::map<int, CpuSource::Times> CpuSource::readTimes()
{
    std::map<int, Times> found;
    const auto content = readFile(m_procFolder + "/stat", maxCpuFileBytes);
    if (!content) {
        m_note = "CPU load is unknown: " + content.error().message;
        return found;
    }
    std::istringstream lines(*content);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string name;
        fields >> name;
        if (name.size() <= 3 || name.compare(0, 3, "cpu") != 0)
            continue;
        std::istringstream number(name.substr(3));
        int core = -1;
        if (!(number >> core) || !m_allowed.contains(core))
            continue;

        Times times;
        std::uint64_t ticks = 0;
        for (std::size_t column = 0; column < countedColumns && (fields >> ticks); ++column) {
            times.total += ticks;
            if (column != idleColumn && column != ioWaitColumn)
                times.busy += ticks;
        }
        found[core] = times;
    }
    m_note = found.empty() ? "no CPU core is listed in " + m_procFolder + "/stat" : std::string();
    return found;
}

std::string CpuSource::modelName() const
{
    const auto content = readFile(m_procFolder + "/cpuinfo", maxCpuFileBytes);
    if (content) {
        std::istringstream lines(*content);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t colon = line.find(": ");
            if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos)
                return line.substr(colon + 2);
        }
    }
    return "CPU core";  // ARM kernels print no model name
}

std::set<int> allowedCores()
{
    // The kernel refuses a mask that is too small for its number of possible cores, so grow until it fits.
    for (int cores = 1024; cores <= 1024 * 1024; cores *= 4) {
        cpu_set_t *mask = CPU_ALLOC(static_cast<std::size_t>(cores));
        if (mask == nullptr)
            break;
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cores));
        const bool good = ::sched_getaffinity(0, bytes, mask) == 0;
        const bool tooSmall = !good && errno == EINVAL;
        std::set<int> allowed;
        for (int core = 0; good && core < cores; ++core) {
            if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes, mask))
                allowed.insert(core);
        }
        CPU_FREE(mask);
        if (!tooSmall)
            return allowed;
    }
    return {};
}

std::unique_ptr<Source> makeCpuSource(const std::string &procFolder)
{
    return std::make_unique<CpuSource>(procFolder, allowedCores());
}

}  // namespace sweepscope::device
