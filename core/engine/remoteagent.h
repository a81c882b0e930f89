#pragma once

#include "engine/agenthost.h"
#include "engine/machinepool.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// The agent is a process of another machine.
class RemoteAgent : public AgentHost {
public:
    struct Attempt {
        std::string machine;
        std::string folder;  ///< relative to the workspace
        std::string id;
        int ranks = 1;
        std::optional<launch::ProcessIdentity> agent{};
        std::optional<std::int64_t> start{};  ///< the request that starts it, if this engine made it
    };
    RemoteAgent(MachinePool &machines, Attempt attempt);

    void withdraw(bool isUrgent) override;
    bool isReachable() const override;
    facts::Fact lost() override;
    void giveUp(const launch::ProcessIdentity &agent) override;
    std::optional<launch::AgentLife> life(const launch::ProcessIdentity &agent) const override;
    std::uint64_t looks() const override;
    std::optional<std::uint64_t> activity(const launch::ProcessIdentity &agent) const override;
    void signal(const launch::ProcessIdentity &agent, int signal) override;
    AgentFound find(WallNs now) override;
    void found(const launch::ProcessIdentity &agent) override;
    bool needsRecovery(const launch::ProcessIdentity &agent) const override;
    std::optional<node::Recovery> recover(const launch::ProcessIdentity &agent) override;
    void ended() override;
    Expected<void> write(const std::string &name, const std::string &content) override;

private:
    MachinePool &m_machines;
    Attempt m_attempt;
    std::optional<std::int64_t> m_withdrawal;
    std::optional<std::int64_t> m_recovery;
    bool m_isCancelled = false;  ///< nothing of it was sent to the machine
};

}  // namespace sweepscope::engine
