#include "launch/leftovers.h"

#include "base/files.h"
#include "process/processstat.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
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

constexpr std::string_view attemptVariable = "SWEEPSCOPE_ATTEMPT_ID=";
constexpr std::array<std::string_view, 4> ourPrograms{"sweepctl", "sweepscope", "sweepscope-agent",
                                                      "sweepscope-worker"};

/// Returns the attempt id in a process's environment; empty if there is none.
std::string_view attemptIn(std::string_view environment)
{
    while (!environment.empty()) {
        const std::size_t end = std::min(environment.find('\0'), environment.size());
        if (environment.starts_with(attemptVariable))
            return environment.substr(attemptVariable.size(), end - attemptVariable.size());
        environment.remove_prefix(std::min(end + 1, environment.size()));
    }
    return {};
}

std::string programOf(pid_t pid)
{
    constexpr std::string_view replaced = " (deleted)";
    std::error_code error;
    std::string name = std::filesystem::read_symlink(procFolder(pid) + "/exe", error).filename().string();
    if (name.ends_with(replaced))
        name.resize(name.size() - replaced.size());
    return name;
}

bool isOurProgram(std::string_view name)
{
    return std::find(ourPrograms.begin(), ourPrograms.end(), name) != ourPrograms.end();
}

/// Returns the ancestors of this process and of all our programs.
std::set<pid_t> ancestorsOfOurs()
{
    std::set<pid_t> ancestors;
    for (pid_t pid : process::allProcesses()) {
        if (pid != ::getpid() && !isOurProgram(programOf(pid)))
            continue;
        for (auto stat = process::readProcessStat(pid); stat && stat->parent > 0;
             stat = process::readProcessStat(stat->parent)) {
            if (!ancestors.insert(stat->parent).second)
                break;
        }
    }
    return ancestors;
}

/// Returns whether a process may be in the middle of exec: the kernel shows its environment as empty until the new
/// program is set up. A process started without any variables looks the same.
bool mayBeStarting(pid_t pid, const std::string &environment)
{
    if (!environment.empty())
        return false;
    const auto stat = process::readProcessStat(pid);
    return stat && stat->state != 'Z' && stat->state != 'X' && pid != kernelThreadDaemon
           && stat->parent != kernelThreadDaemon;
}

/// Kills the noted processes.
class NoteFollower {
public:
    NoteFollower(std::string_view attemptId, const NotedChildren &noted)
        : m_attemptId(attemptId),
          m_noted(noted),
          m_ancestors(noted.processes.empty() ? std::set<pid_t>() : ancestorsOfOurs())
    {}

    /// Passes the processes to be killed to `end`.
    template <typename End>
    void follow(Leftovers &leftovers, const End &end)
    {
        for (const ProcessIdentity &root : m_noted.processes) {
            if (m_spared.contains(root.pid) || !isOurs(procFolder(root.pid)) || !isAlive(root))
                continue;
            if (const auto why = spareReason(root.pid, root.startTime)) {
                m_spared.insert(root.pid);
                leftovers.spared.emplace_back(root.pid, *why);
                continue;
            }
            for (const process::ProcessStat &process : process::readProcessTree(root.pid)) {
                if (process.pid != ::getpid() && process.state != 'Z' && !spareReason(process.pid, process.startTime))
                    end(ProcessIdentity{process.pid, process.startTime});
            }
        }
    }

private:
    std::optional<SpareReason> spareReason(pid_t pid, std::uint64_t startTime) const
    {
        const auto environment = readFile(procFolder(pid) + "/environ", maxEnvironmentBytes);
        return launch::spareReason({startTime, environment ? std::optional(*environment) : std::nullopt, programOf(pid),
                                    m_ancestors.contains(pid)},
                                   m_attemptId, m_noted.since);
    }

    std::string_view m_attemptId;
    const NotedChildren &m_noted;
    std::set<pid_t> m_ancestors;
    std::set<pid_t> m_spared;
};

}  // namespace

std::optional<SpareReason> spareReason(const NotedProcess &process, std::string_view attemptId, std::uint64_t since)
{
    if (process.startTime < since)
        return SpareReason::BeganBefore;
    if (!process.environment)
        return SpareReason::Unreadable;
    const std::string_view attempt = attemptIn(*process.environment);
    if (attempt == attemptId)
        return std::nullopt;  // stronger evidence than a note
    if (!attempt.empty())
        return SpareReason::OfAnotherAttempt;
    if (isOurProgram(process.program) || process.hasOursBelow)
        return SpareReason::OfSweepscope;
    return std::nullopt;
}

Leftovers killLeftovers(const std::string &attemptId, const NotedChildren &noted)
{
    Leftovers leftovers;
    if (attemptId.empty())
        return leftovers;
    NoteFollower notes(attemptId, noted);
    std::set<std::pair<pid_t, std::uint64_t>> killed;
    for (int round = 0; round < maxRounds; ++round) {
        bool searchAgain = false;
        const auto end = [&](const ProcessIdentity &process) {
            if (signalProcess(process, SIGKILL))
                searchAgain = killed.emplace(process.pid, process.startTime).second || searchAgain;
        };
        notes.follow(leftovers, end);
        for (const pid_t pid : process::allProcesses()) {
            const std::string folder = procFolder(pid);
            if (pid == ::getpid() || !isOurs(folder))
                continue;
            // Identity first: if the pid is reused while its environment is read, no signal is sent.
            const auto startTime = processStartTime(pid);
            const auto environment = readFile(folder + "/environ", maxEnvironmentBytes);
            if (!startTime || !environment)
                continue;
            if (mayBeStarting(pid, *environment))
                searchAgain = true;
            if (attemptIn(*environment) == attemptId)
                end({pid, *startTime});
        }
        if (!searchAgain)  // nothing was forked during the search
            break;
        std::this_thread::sleep_for(roundPause);
    }
    leftovers.killed = static_cast<int>(killed.size());
    return leftovers;
}

}  // namespace sweepscope::launch
