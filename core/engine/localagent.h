#pragma once

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "engine/agenthost.h"

#include <string>

namespace sweepscope::engine {

/// The agent is a process of this machine.
class LocalAgent : public AgentHost {
public:
    LocalAgent(AttemptLayout files, std::string attemptId, int ranks);

    std::optional<launch::AgentLife> life(const launch::ProcessIdentity &agent) const override;
    std::uint64_t looks() const override { return m_looks; }
    std::optional<std::uint64_t> activity(const launch::ProcessIdentity &agent) const override;
    void signal(const launch::ProcessIdentity &agent, int signal) override;
    /// Withdraws launch.json. An agent that was just starting appears within a few seconds, or finds no file.
    AgentFound find(WallNs now) override;
    void found(const launch::ProcessIdentity &agent) override;
    bool needsRecovery(const launch::ProcessIdentity &agent) const override;
    std::optional<node::Recovery> recover(const launch::ProcessIdentity &agent) override;
    void moveWaits(WallNs change) override;
    Expected<void> write(const std::string &name, const std::string &content) override;

private:
    AttemptLayout m_files;
    std::string m_attemptId;
    int m_ranks;
    mutable std::uint64_t m_looks = 0;
    std::optional<WallNs> m_withdrawn;  ///< since then
};

}  // namespace sweepscope::engine
