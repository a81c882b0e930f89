#include "launch/agentlife.h"

#include "base/files.h"
#include "process/processstat.h"

#include <charconv>
#include <string>
#include <string_view>
#include <sys/prctl.h>

namespace sweepscope::launch {

namespace {

/// The kernel keeps 15 characters.
constexpr const char *pastRanksName = "sweepscope-done";
constexpr std::uint64_t maxStatusBytes = 64 * 1024;

std::optional<process::ProcessStat> statOf(const ProcessIdentity &process)
{
    const auto stat = process.pid > 0 ? process::readProcessStat(process.pid) : std::nullopt;
    if (!stat || stat->startTime != process.startTime || stat->state == 'Z' || stat->state == 'X')
        return std::nullopt;
    return stat;
}

std::optional<std::uint64_t> voluntarySwitches(pid_t pid)
{
    constexpr std::string_view key = "\nvoluntary_ctxt_switches:\t";
    const auto status = readFile("/proc/" + std::to_string(pid) + "/status", maxStatusBytes);
    const std::size_t found = status ? status->find(key) : std::string::npos;
    if (found == std::string::npos)
        return std::nullopt;
    std::uint64_t switches = 0;
    const char *const begin = status->data() + found + key.size();
    if (std::from_chars(begin, status->data() + status->size(), switches).ec != std::errc())
        return std::nullopt;
    return switches;
}

}  // namespace

std::optional<AgentLife> readAgentLife(const ProcessIdentity &agent)
{
    const auto stat = statOf(agent);
    if (!stat)
        return std::nullopt;
    return AgentLife{stat->name == pastRanksName, stat->state == 'T' || stat->state == 't'};
}

std::optional<std::uint64_t> readAgentActivity(const ProcessIdentity &agent)
{
    const auto stat = statOf(agent);
    const auto switches = stat ? voluntarySwitches(agent.pid) : std::nullopt;
    if (!switches)
        return std::nullopt;
    return *switches + stat->cpuTicks;
}

void declarePastRanks() noexcept
{
    ::prctl(PR_SET_NAME, pastRanksName);
}

}  // namespace sweepscope::launch
