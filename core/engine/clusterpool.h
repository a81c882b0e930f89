#pragma once

#include "base/workspacelayout.h"
#include "schedule/scheduler.h"
#include "slurm/jobdesk.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace sweepscope::engine {

/// The cluster of this machine, if machines.toml has [localhost.slurm]: trials that would run here are submitted to it.
class ClusterPool {
public:
    /// `changed` is called when something about the cluster is new.
    ClusterPool(WorkspaceLayout workspace, schedule::Scheduler &scheduler, std::function<void()> changed);

    /// Reads machines.toml again if it has changed, and tells the scheduler what is known.
    void poll();
    /// Whether trials of this machine are jobs.
    bool isHere() const { return m_isHere; }
    const slurm::Settings &settings() const { return m_settings; }
    /// Also if the table was removed: jobs go on to their end.
    slurm::JobDesk &desk();
    /// Slurm refused a job: none is submitted for a while, which grows.
    void noteRefusal(const facts::Fact &reason);
    void noteStart() { m_pause = std::chrono::seconds(0); }

private:
    using Time = std::chrono::steady_clock::time_point;
    bool readMachinesFile();
    void updateScheduler();

    WorkspaceLayout m_workspace;
    schedule::Scheduler &m_scheduler;
    std::function<void()> m_changed;
    bool m_isHere = false;
    slurm::Settings m_settings;
    std::unique_ptr<slurm::JobDesk> m_desk;
    facts::Fact m_refusal;
    std::chrono::seconds m_pause{0};  ///< after the last refusal
    Time m_refusesUntil{};
    Time m_nextRead{};
    std::filesystem::file_time_type m_readTime{};
};

}  // namespace sweepscope::engine
