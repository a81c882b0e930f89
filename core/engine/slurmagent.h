#pragma once

#include "base/workspacelayout.h"
#include "engine/agenthost.h"
#include "engine/clusterpool.h"
#include "slurm/jobdesk.h"

#include <chrono>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// The agent is the process of a job, on a node whose processes are not seen here. It lives until Slurm says that its job has
/// ended; a job that is not seen in Slurm's answers for a while has not ended. Its end in events.jsonl counts at once.
class SlurmAgent : public AgentHost {
public:
    struct Attempt {
        AttemptLayout files;
        std::string id;
        int ranks = 1;
        bool hasJob = true;  ///< false: its engine was killed before it submitted one
    };
    SlurmAgent(ClusterPool &clusters, Attempt attempt);

    std::optional<launch::AgentLife> life(const launch::ProcessIdentity &agent) const override;
    std::uint64_t looks() const override { return 0; }
    std::optional<std::uint64_t> activity(const launch::ProcessIdentity & /*agent*/) const override
    {
        return std::nullopt;
    }
    void signal(const launch::ProcessIdentity &agent, int signal) override;
    AgentFound find(WallNs now) override;
    void found(const launch::ProcessIdentity &agent) override;
    bool needsRecovery(const launch::ProcessIdentity &agent) const override;
    std::optional<node::Recovery> recover(const launch::ProcessIdentity &agent) override;
    std::optional<AttemptVerdict> explain(const AttemptVerdict &byFiles, bool isRequested) override;
    std::optional<facts::Fact> waits() const override;
    void withdraw(bool isUrgent) override;
    WallNs readEvery() const override;
    void ended() override;
    Expected<void> write(const std::string &name, const std::string &content) override;

private:
    using Time = std::chrono::steady_clock::time_point;
    slurm::JobView job() const;
    std::string linked() const;
    bool hasEndedForAWhile() const;

    ClusterPool &m_clusters;
    Attempt m_attempt;
    std::string m_name;
    bool m_isFound = false;
    bool m_isWithdrawn = false;
    bool m_asksToSave = false;          ///< from here
    mutable std::optional<Time> m_end;  ///< when Slurm was first seen to say that it has ended
    std::optional<Time> m_explains;     ///< since then
    mutable facts::Fact m_runs;         ///< as which job
};

}  // namespace sweepscope::engine
