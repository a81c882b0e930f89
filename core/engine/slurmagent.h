#pragma once

#include "base/workspacelayout.h"
#include "engine/agenthost.h"
#include "engine/cluster.h"
#include "engine/idlejobs.h"
#include "engine/jobfiles.h"
#include "engine/machinepool.h"
#include "slurm/jobdesk.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// While one exists, the desk asks for the job.
class JobUse {
public:
    JobUse(const std::shared_ptr<Cluster> &cluster, std::string name) : m_cluster(cluster), m_name(std::move(name)) {}
    ~JobUse();
    JobUse(const JobUse &) = delete;
    JobUse &operator=(const JobUse &) = delete;

private:
    std::weak_ptr<Cluster> m_cluster;  ///< which may keep this
    std::string m_name;
};

/// The agent is the process of a job, on a node whose processes are not seen here. It lives until Slurm says that its job has
/// ended; a job that is not seen in Slurm's answers for a while has not ended. Its end in events.jsonl counts at once.
class SlurmAgent : public AgentHost {
public:
    struct Submission {
        schedule::JobSize size;
        bool mayExist = false;  ///< an earlier engine may have submitted it
    };
    struct Attempt {
        std::string machine;  ///< whose cluster it is
        AttemptLayout files;  ///< in the workspace; the first agent's, if there is one on each of several nodes
        std::string id;
        int ranks = 1;                           ///< on all nodes
        int node = 0;                            ///< of the job, on which the agent runs
        std::shared_ptr<JobUse> use{};           ///< shared by the agents of a job
        std::optional<Submission> submission{};  ///< what is left to do before its job exists
        bool hasJob = true;                      ///< false: its engine was killed before it submitted one
        std::string host{};    ///< the name of the job that was to run it, if that had run another one before
        std::string hostId{};  ///< set if its own job waits in the queue, too: whichever begins it
    };
    SlurmAgent(MachinePool &machines, std::shared_ptr<Cluster> cluster, std::unique_ptr<JobFiles> files,
               Attempt attempt);

    bool isReachable() const override { return m_files->isReachable(); }
    facts::Fact lost() override;
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
    bool hasEnded() const;
    bool hasEndedForAWhile() const;
    void submit(const JobFiles::Place &place);
    bool continueJob(const JobFiles::Place &place, const schedule::JobSize &size);
    void offerJob();
    void tryIdleJob(const slurm::JobNews &news);
    void settleOffer();

    MachinePool &m_machines;
    std::shared_ptr<Cluster> m_cluster;
    std::unique_ptr<JobFiles> m_files;
    Attempt m_attempt;
    std::string m_name;
    std::optional<schedule::JobSize> m_size;  ///< of the job, if it was submitted or taken over from here
    int m_attempts = 1;                       ///< that the job has run, with this one
    std::optional<Time> m_handedOver;
    std::optional<Time> m_found;
    /// A job that had become idle while the own one waits.
    struct Offer {
        IdleJob job;
        Time since;
    };
    std::optional<Offer> m_offer;
    std::optional<JobFiles::Place> m_place;  ///< known once its job was submitted from here
    bool m_isAskedToEnd = false;
    bool m_isFound = false;
    bool m_isWithdrawn = false;
    bool m_asksToSave = false;          ///< from here
    mutable std::optional<Time> m_end;  ///< when Slurm was first seen to say that it has ended
    std::optional<Time> m_explains;     ///< since then
    mutable facts::Fact m_runs;         ///< as which job
};

}  // namespace sweepscope::engine
