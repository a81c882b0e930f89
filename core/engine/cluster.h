#pragma once

#include "engine/idlejobs.h"
#include "facts/fact.h"
#include "remote/slurmrunner.h"
#include "schedule/scheduler.h"
#include "slurm/jobdesk.h"

#include <memory>
#include <optional>

namespace sweepscope::engine {

/// A cluster of Slurm whose jobs are attempts.
class Cluster {
public:
    /// `login`: a login node elsewhere; nullopt: this machine is one.
    Cluster(const std::optional<remote::SshTarget> &login, slurm::Settings settings);
    /// What its login node runs ends first, because the desk waits for it.
    ~Cluster() { m_login.reset(); }
    Cluster(const Cluster &) = delete;
    Cluster &operator=(const Cluster &) = delete;

    void use(const remote::SshTarget &login);
    void use(const slurm::Settings &settings);
    const slurm::Settings &settings() const { return m_settings; }
    slurm::JobDesk &desk() { return m_desk; }
    IdleJobs &idleJobs() { return m_idleJobs; }

    schedule::Scheduler::Cluster offered() const;
    /// Why no job can be submitted now; None if one can.
    facts::Fact unavailable() const;

private:
    slurm::Settings m_settings;
    std::unique_ptr<remote::LoginNode> m_login;  ///< null: this machine
    slurm::JobDesk m_desk;
    IdleJobs m_idleJobs;
};

}  // namespace sweepscope::engine
