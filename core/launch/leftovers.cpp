#include "launch/leftovers.h"

#include "base/files.h"
#include "device/processstat.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace sweepscope::launch {

namespace {

constexpr std::uint64_t maxEnvironmentBytes = 16 * 1024 * 1024;
constexpr int maxRounds = 20;
constexpr auto roundPause = std::chrono::milliseconds(2);
constexpr pid_t kernelThreadDaemon = 2;

std::string procFolder(pid_t pid)
{
    return "/proc/" + std::to_string(pid);
}

bool isOurs(const std::string &folder)
{
    struct stat info {};
    return ::stat(folder.c_str(), &info) == 0 && info.st_uid == ::geteuid();
}

bool hasVariable(std::string_view environment, std::string_view variable)
{
    while (!environment.empty()) {
        const std::size_t end = std::min(environment.find('\0'), environment.size());
        if (environment.substr(0, end) == variable)
            return true;
        environment.remove_prefix(std::min(end + 1, environment.size()));
    }
    return false;
}

/// A process in the midst of exec, whose environment the kernel shows as empty until the new program is laid out. One
/// that was started with no variables at all looks the same.
bool mayBeStarting(pid_t pid, const std::string &environment)
{
    if (!environment.empty())
        return false;
    const auto stat = device::readProcessStat(pid);
    return stat && stat->state != 'Z' && stat->state != 'X' && pid != kernelThreadDaemon
           && stat->parent != kernelThreadDaemon;
}

}  // namespace

int killLeftovers(const std::string &attemptId, std::span<const ProcessIdentity> noted)
{
    if (attemptId.empty())
        return 0;
    const std::string variable = "SWEEPSCOPE_ATTEMPT_ID=" + attemptId;
    std::set<std::pair<pid_t, std::uint64_t>> killed;
    for (int round = 0; round < maxRounds; ++round) {
        bool lookAgain = false;
        const auto end = [&](const ProcessIdentity &process) {
            if (signalProcess(process, SIGKILL))
                lookAgain = killed.emplace(process.pid, process.startTime).second || lookAgain;
        };
        for (const ProcessIdentity &root : noted) {
            if (!isOurs(procFolder(root.pid)) || !isAlive(root))
                continue;
            for (const device::ProcessStat &process : device::readProcessTree(root.pid)) {
                if (process.pid != ::getpid() && process.state != 'Z')
                    end({process.pid, process.startTime});
            }
        }
        for (const pid_t pid : device::allProcesses()) {
            const std::string folder = procFolder(pid);
            if (pid == ::getpid() || !isOurs(folder))
                continue;
            // Identity first: if the pid changes hands while its environment is read, the signal is not sent.
            const auto startTime = processStartTime(pid);
            const auto environment = readFile(folder + "/environ", maxEnvironmentBytes);
            if (!startTime || !environment)
                continue;
            if (mayBeStarting(pid, *environment))
                lookAgain = true;
            if (hasVariable(*environment, variable))
                end({pid, *startTime});
        }
        if (!lookAgain)  // nobody was forked while we looked
            break;
        std::this_thread::sleep_for(roundPause);
    }
    return static_cast<int>(killed.size());
}

}  // namespace sweepscope::launch
