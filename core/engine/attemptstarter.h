#pragma once

#include "base/workspacelayout.h"
#include "engine/attemptlaunch.h"
#include "engine/sourcelog.h"
#include "launch/agentprocess.h"
#include "launch/forkserver.h"

#include <optional>
#include <span>
#include <sys/types.h>

namespace sweepscope::engine {

/// Makes the folder of an attempt and starts its agent.
class AttemptStarter {
public:
    /// `rankUmask`: the umask of ranks; nullopt: that of this process.
    AttemptStarter(Programs programs, WorkspaceLayout workspace, std::optional<mode_t> rankUmask = {});

    /// The number of the next attempt: a folder that is there already (of a database that was put back) is never
    /// reused.
    int nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const;
    /// No other attempt of any workspace has this id.
    static std::string makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt);

    AttemptLayout files(const sweep::SweepRecord &sweep, int trial, int attempt) const;
    Expected<launch::ProcessIdentity> start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                            const sweep::TrialRecord &trial, const std::string &attemptId,
                                            const schedule::Allocation &devices, std::span<const int> leases);

    /// After an agent that was killed: index and compress its logs. Where that cannot begin, they stay as they are.
    void tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const;

private:
    Expected<launch::ProcessIdentity> startAgent(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                 const std::filesystem::path &attemptFolder,
                                                 std::span<const int> leases);

    Programs m_programs;
    WorkspaceLayout m_workspace;
    std::optional<mode_t> m_rankUmask;
    std::unique_ptr<SourceLog> m_sources;
    launch::ForkServer m_forkServer;  ///< of the built-in worker
};

}  // namespace sweepscope::engine
