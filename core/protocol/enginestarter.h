#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::protocol {

/// Starts `sweepctl serve` for a workspace in a new session, so that it outlives the caller, and reports why it ended
/// if it fails immediately. Its output goes to engine.log.
class EngineStarter {
public:
    /// `program` is sweepctl. An engine without clients and without work ends after `idleExitSeconds`.
    explicit EngineStarter(std::filesystem::path program, int idleExitSeconds = 30);

    /// Creates the workspace folder if needed. Does not wait for the engine. `asks`: a person waits for it, so ssh may ask
    /// questions if the workspace is on another machine.
    Expected<void> start(const std::filesystem::path &workspaceRoot, bool asks = false);
    /// `sweepctl serve --read-only`, which leaves no trace in the workspace.
    Expected<void> startReader(const std::filesystem::path &workspaceRoot);

    /// Returns true while the engine started by start() is alive.
    bool isRunning();

    /// Returns the last line of its output after it ended with an error; nullopt if it runs, ended normally, or found
    /// that another engine has this workspace (which will answer soon).
    std::optional<Error> failure();

private:
    Expected<void> spawn(const std::string &log, const std::vector<std::string> &arguments);
    Error describeFailure(int waitStatus) const;
    bool otherEngineRuns() const;

    std::filesystem::path m_program;
    int m_idleExitSeconds;
    WorkspaceLayout m_workspace;
    std::uintmax_t m_logStart = 0;  ///< earlier content of engine.log belongs to former engines
    pid_t m_pid = 0;                ///< 0: none, or ended
    std::optional<Error> m_failure;
};

}  // namespace sweepscope::protocol
