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

/// Starts `sweepctl serve` for a workspace, in a session of its own, so that it outlives the caller, and tells why when
/// it ended at once. Its output goes to engine.log.
class EngineStarter {
public:
    /// `program` is sweepctl. An engine without clients and without work ends after `idleExitSeconds`.
    explicit EngineStarter(std::filesystem::path program, int idleExitSeconds = 30);

    /// Makes the workspace folder if it is not there. Does not wait for the engine.
    Expected<void> start(const std::filesystem::path &workspaceRoot);
    /// `sweepctl serve --read-only`, which leaves no trace in the workspace.
    Expected<void> startReader(const std::filesystem::path &workspaceRoot);

    /// True while the engine that start() started lives.
    bool isRunning();

    /// After it ended with an error: the last line that it wrote. Nothing when it runs, ended well, or found that
    /// another engine has this workspace (which will answer soon).
    std::optional<Error> failure();

private:
    Expected<void> spawn(const std::string &log, const std::vector<std::string> &arguments);
    Error describeFailure(int waitStatus) const;
    bool otherEngineRuns() const;

    std::filesystem::path m_program;
    int m_idleExitSeconds;
    WorkspaceLayout m_workspace;
    std::uintmax_t m_logStart = 0;  ///< what is in engine.log before is of former engines
    pid_t m_pid = 0;                ///< 0: none, or ended
    std::optional<Error> m_failure;
};

}  // namespace sweepscope::protocol
