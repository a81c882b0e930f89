#pragma once

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "engine/agentlauncher.h"
#include "engine/changelistener.h"
#include "engine/databasebackup.h"
#include "engine/devicesampler.h"
#include "engine/diskwatch.h"
#include "engine/enginelock.h"
#include "engine/engineservice.h"
#include "engine/folderremoval.h"
#include "engine/gpuwatch.h"
#include "engine/server.h"
#include "engine/store.h"
#include "engine/storereader.h"
#include "engine/sweeprun.h"
#include "engine/workspacestate.h"
#include "schedule/leasefolder.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace sweepscope::engine {

struct EngineSettings {
    std::filesystem::path workspace;
    std::optional<std::chrono::seconds> idleExit;  ///< end after this long without a client and without work
    Programs programs = Programs::installed();
    std::optional<mode_t> rankUmask;  ///< the user's; nullopt: ranks inherit ours
    DiskProbe diskProbe = diskSpaceOf;
    std::function<void(const std::string &line)> log = [](const std::string &) {};
};

/// The engine of one workspace: composes lock, database, scheduler, device sampler and server, and turns the clock for
/// the sweeps that have not ended. Decisions are in SweepRun and Scheduler. Trials outlive it.
class Engine : public QObject, private EngineService, private ChangeListener {
    Q_OBJECT

public:
    /// Takes over what runs already. AlreadyExists: another engine has this workspace.
    static Expected<std::unique_ptr<Engine>> start(const EngineSettings &settings);
    ~Engine() override;

Q_SIGNALS:
    void idle();                                 ///< idleExit is over
    void workspaceLost(const std::string &why);  ///< deleted, and nothing runs in it any more; or another engine has it

private:
    Engine(EngineSettings settings, EngineLock lock, std::unique_ptr<Database> database, bool isChecked,
           std::vector<std::unique_ptr<device::Source>> sources);
    Expected<void> loadSweeps();
    Expected<SweepRun *> loadRun(const sweep::SweepRecord &record);
    SweepRun *addRun(const sweep::SweepRecord &record, sweep::SweepSpec spec, std::vector<TrialRow> trials,
                     const std::vector<AttemptRow> &openAttempts);
    void startSampler();
    void sampleWhileNeeded();
    void watchDevices();
    void tick();
    void look(std::int64_t sweepId, int trial);
    void heedClock();
    void watchDisk(WallNs now);
    /// At most one trial begins; the next one after whoever waits for the engine was served.
    void schedule(WallNs now);
    void addFoundDevices();
    void noteGpuChanges();
    void tellWhatIsInTheWay();
    std::set<pid_t> agents() const;
    void retireEnded();
    void watchIdleness();
    bool isWorkspaceDeleted() const { return m_workspaceState == WorkspaceState::Deleted; }
    /// True while the workspace is in its place with its database. Tells everybody when that changes.
    bool lookAtWorkspace();
    void saveRemovedDatabase();
    void watchWorkspace();
    void lockAgain();

    void settle() override;
    std::vector<std::int64_t> sweepIds() const override;
    const sweep::SweepRecord *sweep(std::int64_t id) const override;
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) override;
    protocol::DevicesChanged devices() const override;
    tl::expected<std::int64_t, std::vector<sweep::Problem>> launch(const std::string &toml,
                                                                   const std::string &baseFolder) override;
    tl::expected<facts::Facts, std::vector<sweep::Problem>> edit(const protocol::EditRequest &request) override;
    Reply enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point) override;
    Expected<sweep::TrialHistory> history(std::int64_t sweepId, int trial) override;
    Reply control(std::int64_t sweepId, const sweep::Control &control) override;
    Reply keep(std::int64_t sweepId, sweep::Control::Action action);
    Reply archive(sweep::SweepRecord record, bool archived);
    Reply deleteSweep(const sweep::SweepRecord &record);
    /// Also of a sweep that has ended, which is looked after again then.
    Expected<SweepRun *> runOf(std::int64_t sweepId);

    void sweepChanged(std::int64_t sweepId) override;
    void trialsChanged(std::int64_t sweepId, int first, int last) override;
    void devicesChanged() override;
    void note(const std::string &line) override;
    void tellProblem(const facts::Fact &problem);

    EngineSettings m_settings;
    WorkspaceLayout m_workspace;
    EngineLock m_lock;
    FileDescriptor m_databaseFile;  ///< not to be read: whether it still has a name
    std::unique_ptr<Database> m_database;
    StoreReader m_reader;
    Store m_store;
    std::vector<std::unique_ptr<device::Source>> m_sources;  ///< until the sampler takes them
    std::vector<device::Device> m_devices;
    DeviceRemarks m_remarks;
    schedule::LeaseFolder m_leases;
    schedule::Scheduler m_scheduler;
    GpuWatch m_gpuWatch;
    DeviceLook m_look;
    std::set<std::string> m_gpusGiven;
    std::chrono::steady_clock::time_point m_sampledSince{};  ///< without a break
    AttemptStarter m_starter;
    AttemptWatch m_watch;
    AgentLauncher m_launcher;
    DiskWatch m_disk;
    ClockChange m_clockChange;
    std::map<std::int64_t, sweep::SweepRecord> m_sweeps;
    std::map<std::int64_t, std::unique_ptr<SweepRun>> m_runs;  ///< those that have not ended; oldest first
    std::unique_ptr<DeviceSampler> m_sampler;
    DatabaseBackup m_backup;
    FolderRemoval m_removal;
    Server m_server;
    std::string m_syncProblem;
    QTimer m_tick;
    QTimer m_startNext;
    QTimer m_saveProgress;
    QTimer m_idle;
    QTimer m_lookAtWorkspace;
    QTimer m_lookAtDevices;  ///< for those who watch while nothing runs
    std::optional<std::chrono::steady_clock::time_point> m_workspaceDeleted;
    WorkspaceState m_workspaceState = WorkspaceState::Here;
    facts::Fact m_workspaceWarning;
};

}  // namespace sweepscope::engine
