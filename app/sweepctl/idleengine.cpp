#include "idleengine.h"

#include "storedsweeps.h"

#include "base/filelock.h"
#include "base/files.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <thread>

namespace sweepscope::ctl {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t mostCommandLineBytes = 64 * 1024;
constexpr std::uint64_t mostPidBytes = 64;
constexpr auto untilNextLook = 100ms;
constexpr auto toEnd = 10s;  ///< from the end of the idle time

bool hasActiveSweep(const WorkspaceLayout &workspace)
{
    const Expected<StoredSweeps> stored = StoredSweeps::open(workspace.root.string());
    return !stored || !std::ranges::all_of(stored->sweeps(), [](const sweep::SweepRecord &sweep) {
        return sweep.ended.has_value();
    });
}

}  // namespace

std::optional<std::chrono::seconds> idleExitOf(const std::string &commandLine)
{
    using namespace std::string_literals;
    const std::string option = "\0--idle-exit\0"s;
    const std::size_t at = commandLine.find(option);
    if (at == std::string::npos)
        return std::nullopt;
    int seconds = 0;
    const char *const end = commandLine.data() + commandLine.size();
    if (std::from_chars(commandLine.data() + at + option.size(), end, seconds).ec != std::errc() || seconds < 0)
        return std::nullopt;
    return std::chrono::seconds(seconds);
}

void waitForIdleEngine(const WorkspaceLayout &workspace)
{
    if (!isLocked(workspace.lockFile()) || hasActiveSweep(workspace))
        return;
    const std::string content = readFile(workspace.lockFile(), mostPidBytes).value_or(std::string());
    const std::string pid = content.substr(0, content.find('\n'));
    const auto idleExit =
        idleExitOf(readFile("/proc/" + pid + "/cmdline", mostCommandLineBytes).value_or(std::string()));
    if (!idleExit)
        return;
    std::cerr << "The engine of the workspace (process " << pid << ") ends " << idleExit->count()
              << " s after the last window or command that uses it. Waiting for that..." << std::endl;
    const auto deadline = std::chrono::steady_clock::now() + *idleExit + toEnd;
    while (isLocked(workspace.lockFile()) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(untilNextLook);
}

}  // namespace sweepscope::ctl
