#include "launch/rankprocess.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "launch/childsetup.h"
#include "process/processstat.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <span>
#include <string_view>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sweepscope::launch {

/// Everything that the child needs, prepared before the fork.
struct RankStart {
    [[noreturn]] void runLoaded() const
    {
        launcher->run(argv, environment, added);
        ::_exit(127);
    }

    const char *program;
    char *const *argv;
    char *const *environment;
    const char *workingFolder;
    int nullFd;
    int logFd;
    int failureFd;
    pid_t agent;
    const RankLauncher *launcher;  ///< if it has loaded the program; null: execute it
    const char *const *added;      ///< variables to add to the environment
    std::span<const int> kept;
    mode_t umask;
    const cpu_set_t *cpus;  ///< null: any
    std::size_t cpuBytes;
};

namespace {

enum class Step { EnterFolder, Execute, AgentGone };

struct Failure {
    Step step;
    int errnoValue;
};

/// A CPU mask for the kernel, long enough for the highest number.
class CpuSet {
public:
    explicit CpuSet(const std::vector<int> &cpus)
    {
        if (cpus.empty())
            return;
        const auto count = static_cast<std::size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1;
        m_bytes = CPU_ALLOC_SIZE(count);
        m_words.resize(m_bytes / sizeof(cpu_set_t) + 1);
        CPU_ZERO_S(m_bytes, m_words.data());
        for (const int cpu : cpus)
            CPU_SET_S(static_cast<std::size_t>(cpu), m_bytes, m_words.data());
    }
    const cpu_set_t *get() const { return m_words.empty() ? nullptr : m_words.data(); }
    std::size_t bytes() const { return m_bytes; }

private:
    std::vector<cpu_set_t> m_words;
    std::size_t m_bytes = 0;
};

[[noreturn]] void giveUp(const RankStart &start, Step step, int errnoValue) noexcept
{
    const Failure failure{step, errnoValue};
    [[maybe_unused]] const ssize_t put = ::write(start.failureFd, &failure, sizeof failure);
    ::_exit(127);
}

/// There is no call that only reads it.
mode_t ownUmask()
{
    const mode_t mask = ::umask(0077);
    ::umask(mask);
    return mask;
}

/// Cores may have been withdrawn since they were assigned: then the rank keeps the remaining ones.
void bindToCpus(const RankStart &start) noexcept
{
    constexpr std::string_view warning = "sweepscope: this rank could not be bound to its CPUs\n";
    if (start.cpus == nullptr || ::sched_setaffinity(0, start.cpuBytes, start.cpus) == 0)
        return;
    [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, warning.data(), warning.size());
}

[[noreturn]] void becomeRank(const RankStart &start)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != start.agent)  // it died before prctl(): the signal will never come
        giveUp(start, Step::AgentGone, 0);
    resetSignals();
    setStandardStreams(start.nullFd, start.logFd);
    ::umask(start.umask);
    bindToCpus(start);
    if (::chdir(start.workingFolder) != 0)
        giveUp(start, Step::EnterFolder, errno);
    if (start.launcher != nullptr) {
        closeOthers(start.kept);
        start.runLoaded();
    }
    closeOthersOnExec();
    for (const int descriptor : start.kept)
        ::fcntl(descriptor, F_SETFD, 0);
    ::execve(start.program, start.argv, start.environment);
    giveUp(start, Step::Execute, errno);
}

std::vector<std::string> fullEnvironment(const std::map<std::string, std::string> &added)
{
    std::vector<std::string> full;
    for (char **variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        if (!added.contains(std::string(text.substr(0, text.find('=')))))
            full.emplace_back(text);
    }
    for (const auto &[name, value] : added)
        full.push_back(name + "=" + value);
    return full;
}

std::string searchPath(const std::map<std::string, std::string> &environment)
{
    if (const auto given = environment.find("PATH"); given != environment.end())
        return given->second;
    const char *inherited = std::getenv("PATH");
    return inherited != nullptr ? inherited : "/usr/local/bin:/usr/bin:/bin";
}

bool isProgram(const std::string &path)
{
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// As execvp would, but before the fork (the search allocates). Not found: the name itself, so that exec says why.
std::string findProgram(const LaunchSpec &spec, const std::map<std::string, std::string> &environment)
{
    const std::string &name = spec.argv.front();
    if (name.find('/') != std::string::npos)
        return name;
    const std::string path = searchPath(environment);
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const std::filesystem::path folder =
            std::filesystem::path(spec.workingFolder) / path.substr(begin, end - begin);
        if (isProgram((folder / name).string()))
            return (folder / name).string();
        begin = end + 1;
    }
    return {};
}

tl::unexpected<Error> explain(const LaunchSpec &spec, const Failure &failure)
{
    const std::string program = "cannot start '" + spec.argv.front() + "'";
    switch (failure.step) {
    case Step::AgentGone:
        return makeError(ErrorCode::Unavailable, program + ": the agent is gone");
    case Step::EnterFolder:
        return makeErrnoError(program + " in the folder " + spec.workingFolder, failure.errnoValue);
    case Step::Execute:
        break;
    }
    auto error = makeErrnoError(program, failure.errnoValue);
    if (failure.errnoValue == ENOEXEC)
        error.value().message +=
            " (start the script with a line such as \"#!/bin/sh\", or name its interpreter in the command)";
    else if (failure.errnoValue == EACCES)
        error.value().message += " (is it executable? try chmod +x, or name its interpreter in the command)";
    return error;
}

}  // namespace

Expected<RankProcess> RankLauncher::start(const LaunchSpec &spec, int rank, const RankSurroundings &surroundings) const
{
    const bool isForked = hasLoaded(spec);
    const std::string program = findProgram(spec, surroundings.environment);
    if (program.empty())
        return explain(spec, {Step::Execute, ENOENT});
    auto opened = openRegularFile(surroundings.logFile, O_WRONLY | O_APPEND | O_CREAT);
    if (!opened)
        return tl::unexpected(opened.error());
    const FileDescriptor log = std::move(*opened);
    const FileDescriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null)
        return makeErrnoError("cannot open /dev/null", errno);
    std::array<int, 2> fds{-1, -1};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot start rank " + std::to_string(rank), errno);
    const FileDescriptor failureRead(fds[0]);
    FileDescriptor failureWrite(fds[1]);

    std::vector<std::string> argv = spec.argv;
    std::vector<std::string> environment = fullEnvironment(surroundings.environment);
    const std::vector<char *> argvPointers = execPointers(argv);
    const std::vector<char *> environmentPointers = execPointers(environment);
    const CpuSet cpus(spec.cpus.empty() ? std::vector<int>() : spec.cpus[spec.indexOf(rank)]);
    const auto added = environmentPointers.end() - 1 - static_cast<std::ptrdiff_t>(surroundings.environment.size());
    const RankStart start{program.c_str(),
                          argvPointers.data(),
                          environmentPointers.data(),
                          spec.workingFolder.c_str(),
                          null.get(),
                          log.get(),
                          failureWrite.get(),
                          ::getpid(),
                          isForked ? this : nullptr,
                          &*added,
                          surroundings.kept,
                          spec.umask.value_or(ownUmask()),
                          cpus.get(),
                          cpus.bytes()};

    // Without exec, fork handlers of libraries must run.
    const pid_t pid = isForked ? ::fork() : ::_Fork();
    if (pid == 0)
        becomeRank(start);
    if (pid < 0)
        return makeErrnoError("cannot start rank " + std::to_string(rank), errno);
    ::setpgid(pid, pid);  // the child does it too: whichever is first, it is never seen in our group
    failureWrite.reset();

    // Our child keeps its pid until we wait for it, so the start time is its own.
    const auto stat = process::readProcessStat(pid);
    Failure failure{};
    ssize_t got = 0;
    do {
        got = ::read(failureRead.get(), &failure, sizeof failure);
    } while (got < 0 && errno == EINTR);
    if (got == static_cast<ssize_t>(sizeof failure)) {
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return explain(spec, failure);
    }

    RankProcess process;
    process.rank = rank;
    process.identity = {pid, stat ? stat->startTime : 0};
    process.alive = true;
    process.isForked = isForked;
    return process;
}

}  // namespace sweepscope::launch
