#include "protocol/enginestarter.h"

#include "base/detachedprogram.h"
#include "base/files.h"
#include "base/workspaceaccess.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::protocol {

namespace {

/// Returns the last line that is not blank in the log from `start` on.
std::string lastLine(const std::filesystem::path &log, std::uintmax_t start)
{
    std::ifstream file(log, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(start));
    std::string last;
    for (std::string line; std::getline(file, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            last = line;
    }
    return last;
}

}  // namespace

EngineStarter::EngineStarter(std::filesystem::path program, int idleExitSeconds)
    : m_program(std::move(program)), m_idleExitSeconds(idleExitSeconds)
{}

Expected<void> EngineStarter::start(const std::filesystem::path &workspaceRoot, bool asks)
{
    m_workspace.root = workspaceRoot;
    m_failure.reset();
    if (Expected<void> made = makeWorkspaceFolder(workspaceRoot); !made)
        return made;
    const std::string log = m_workspace.engineLog().string();
    if (::access(workspaceRoot.c_str(), W_OK | X_OK) != 0)
        return makeErrnoError("the workspace folder " + workspaceRoot.string()
                                  + " is not writable; choose another one with --workspace",
                              errno);
    std::error_code error;
    if (std::filesystem::exists(log, error) && !std::filesystem::is_regular_file(log, error))
        return makeError(ErrorCode::BadInput, log + " is not a file; remove it");
    const std::uintmax_t size = std::filesystem::file_size(log, error);
    m_logStart = error ? 0 : size;
    std::vector<std::string> arguments{"serve", "--workspace", workspaceRoot.string(), "--idle-exit",
                                       std::to_string(m_idleExitSeconds)};
    if (asks)
        arguments.push_back("--ask");
    return spawn(log, arguments);
}

Expected<void> EngineStarter::startReader(const std::filesystem::path &workspaceRoot)
{
    m_workspace.root = workspaceRoot;
    m_failure.reset();
    if (::access(m_workspace.database().c_str(), R_OK) != 0)
        return makeErrnoError("there is no readable workspace in " + workspaceRoot.string(), errno);
    m_logStart = 0;
    return spawn("/dev/null", {"serve", "--workspace", workspaceRoot.string(), "--read-only"});
}

Expected<void> EngineStarter::spawn(const std::string &log, const std::vector<std::string> &arguments)
{
    DetachedProgram engine;
    engine.program = m_program;
    engine.arguments = arguments;
    engine.output = log;
    const Expected<pid_t> pid = startDetached(engine);
    if (!pid)
        return makeError(pid.error().code, "there is no engine: " + pid.error().message);
    m_pid = *pid;
    return {};
}

bool EngineStarter::isRunning()
{
    if (m_pid == 0)
        return false;
    int status = 0;
    const pid_t ended = ::waitpid(m_pid, &status, WNOHANG);
    if (ended == 0)
        return true;
    if (ended == m_pid && !(WIFEXITED(status) && WEXITSTATUS(status) == 0) && !otherEngineRuns())
        m_failure = describeFailure(status);
    m_pid = 0;
    return false;
}

std::optional<Error> EngineStarter::failure()
{
    isRunning();
    return m_failure;
}

Error EngineStarter::describeFailure(int waitStatus) const
{
    std::string said = lastLine(m_workspace.engineLog(), m_logStart);
    if (said.empty()) {
        said = WIFSIGNALED(waitStatus) ? "it was killed by signal " + std::to_string(WTERMSIG(waitStatus))
                                       : "it exited with code " + std::to_string(WEXITSTATUS(waitStatus));
    }
    // In a mirror the message is about the connection: there is no engine to start.
    std::error_code error;
    const bool isMirror = std::filesystem::exists(m_workspace.mirrorFile(), error);
    return {ErrorCode::Unavailable, (isMirror ? "" : "the engine did not start: ") + said};
}

bool EngineStarter::otherEngineRuns() const
{
    const Expected<std::string> text = readFile(m_workspace.lockFile(), 64);
    const long pid = text ? std::strtol(text->c_str(), nullptr, 10) : 0;
    return pid > 0 && pid != m_pid && ::kill(static_cast<pid_t>(pid), 0) == 0;
}

}  // namespace sweepscope::protocol
