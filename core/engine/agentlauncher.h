#pragma once

#include "base/workspacelayout.h"
#include "engine/agenthost.h"
#include "engine/attemptgroup.h"
#include "engine/attemptlaunch.h"
#include "engine/attemptlauncher.h"
#include "engine/attemptwatch.h"
#include "engine/energylog.h"
#include "engine/machinepool.h"
#include "engine/slurmagent.h"
#include "engine/sourcelog.h"
#include "launch/agentprocess.h"
#include "launch/forkserver.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>

namespace sweepscope::engine {

/// Runs attempts as agents on this machine and on others, and creates a folder for each. An attempt is watched as long as its observer
/// exists.
class AgentLauncher : public AttemptLauncher {
public:
    /// `rankUmask`: the umask of ranks; nullopt: that of this process. `machines` starts attempts on other machines and
    /// as jobs.
    AgentLauncher(Programs programs, WorkspaceLayout workspace, std::optional<mode_t> rankUmask, AttemptWatch &watch,
                  MachinePool &machines);

    /// Never reuses an existing folder, even if a restored database does not know it.
    int nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const override;
    std::string makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const override;
    Expected<std::optional<launch::ProcessIdentity>>
    start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
          const std::string &attemptId, const schedule::Allocation &devices, std::span<const int> leases) override;
    std::unique_ptr<AttemptObserver> observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                             const sweep::TrialRecord &trial, const AttemptRow &attempt,
                                             ReportedPast past) override;
    std::vector<std::vector<int>> cpusOf(const sweep::SweepRecord &sweep, const AttemptRow &attempt) const override;
    /// Writes launch.json for an attempt that reports without having been started here, and records its code if it has just begun.
    Expected<void> describe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                            const sweep::TrialRecord &trial, const std::string &attemptId);
    /// Measures the energy of the attempt.
    void noteEnd(const AttemptRow &attempt, WallNs ended) override { m_energy.end(attempt.id, ended); }
    EnergyUse energyUse(const sweep::SweepRecord &sweep) override;
    /// Indexes and compresses the attempt's logs. If the program cannot start, the logs stay unchanged.
    void tidyAfter(const sweep::SweepRecord &sweep, int trial, int attempt) const override;

private:
    /// An attempt whose first part has been started, and not the others.
    struct Beginning {
        launch::LaunchSpec launch;  ///< of all parts
        schedule::Allocation devices;
        std::string masterAddress;
    };
    Expected<launch::LaunchSpec> beginGroup(const launch::LaunchSpec &whole, const schedule::Allocation &devices,
                                            const std::vector<AttemptPart> &parts);
    Expected<std::int64_t> startElsewhere(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                                          launch::LaunchSpec launch, const AttemptLayout &files,
                                          const schedule::Allocation &devices);
    std::unique_ptr<AttemptObserver> observeGroup(const AttemptMonitor::Attempt &attempt,
                                                  const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                                                  const std::vector<AttemptPart> &parts);
    std::unique_ptr<AgentHost> hostOf(const AttemptMonitor::Attempt &attempt, const std::string &machine,
                                      std::optional<std::int64_t> start = std::nullopt);
    std::string relativeFolder(const AttemptLayout &attempt) const;
    std::unique_ptr<AttemptObserver> observeJob(const AttemptMonitor::Attempt &attempt, const sweep::SweepRecord &sweep,
                                                const sweep::SweepSpec &spec, const sweep::TrialRecord &trial);
    int prepareJob(SlurmAgent::Attempt &job, bool hasAgent, const sweep::DevicesSection &devices);
    std::unique_ptr<JobFiles> filesOfJob(const SlurmAgent::Attempt &job, const AttemptPart &part, int nodes,
                                         const sweep::TrialRecord &trial);
    AttemptLayout files(const sweep::SweepRecord &sweep, int trial, int attempt) const;

    Programs m_programs;
    WorkspaceLayout m_workspace;
    std::optional<mode_t> m_rankUmask;
    SourceLog m_sources;
    EnergyLog m_energy;
    launch::ForkServer m_forkServer;  ///< of the built-in worker
    AttemptWatch &m_watch;
    MachinePool &m_machines;
    std::map<std::string, schedule::JobSize> m_toSubmit;  ///< by attempt id, until it is observed
    std::map<std::string, std::int64_t> m_starting;       ///< requests to other machines, by attempt id
    std::map<std::string, Beginning> m_beginning;         ///< by attempt id
    std::set<std::vector<std::string>> m_connected;       ///< machines that were found to reach each other
};

}  // namespace sweepscope::engine
