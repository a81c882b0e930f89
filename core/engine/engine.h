#pragma once

#include "base/clock.h"
#include "base/installation.h"
#include "base/workspacelayout.h"
#include "engine/agentlauncher.h"
#include "engine/alertsender.h"
#include "engine/changelistener.h"
#include "engine/databasebackup.h"
#include "engine/definitionchecks.h"
#include "engine/diskwatch.h"
#include "engine/enginedevices.h"
#include "engine/engineservice.h"
#include "engine/folderremoval.h"
#include "engine/inbox.h"
#include "engine/machinepool.h"
#include "engine/preparedsweep.h"
#include "engine/searchthread.h"
#include "engine/server.h"
#include "engine/store.h"
#include "engine/storereader.h"
#include "engine/sweepinserter.h"
#include "engine/sweepregistry.h"
#include "engine/workspacewatch.h"
#include "schedule/leasefolder.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace sweepscope::engine {

struct EngineSettings {
    std::filesystem::path workspace;
    std::optional<std::chrono::seconds> idleExit;  ///< end after this long without a client and without work
    Programs programs = Programs::installed();
    std::filesystem::path share = shareFolder();  ///< of this installation
    std::optional<mode_t> rankUmask;              ///< the user's; nullopt: ranks inherit ours
    DiskProbe diskProbe = diskSpaceOf;
};

/// The engine of one workspace: composes database, scheduler, devices, sweeps and server, drives the sweeps that have
/// not ended by a timer, and forwards client requests. Decisions are in SweepRun and Scheduler. Trials outlive the
/// engine.
class Engine : public QObject, private EngineService, private ChangeListener {
    Q_OBJECT

public:
    /// Takes over running attempts. AlreadyExists: another engine has this workspace.
    static Expected<std::unique_ptr<Engine>> start(const EngineSettings &settings);
    ~Engine() override;

Q_SIGNALS:
    void idle();                                 ///< idleExit has elapsed
    void workspaceLost(const std::string &why);  ///< deleted, and nothing runs in it any more; or another engine has it

private:
    Engine(EngineSettings settings, EngineLock lock, std::unique_ptr<Database> database, bool isChecked,
           std::vector<std::unique_ptr<device::Source>> sources);
    Expected<void> loadSweeps();
    /// Adds the runs of scripts that report without having been started here.
    void adoptRuns();
    /// An earlier engine was killed after it had stored a run, and before it looked after it.
    Expected<void> beginStoredRuns();
    Expected<AttemptRow> beginFound(const FoundRun &found, const sweep::SweepRecord &record,
                                    const sweep::SweepSpec &spec, TrialRow &trial);
    /// Starts polling the run.
    void noteRun(SweepRun &run);
    void sampleWhileNeeded();
    std::set<std::string> wantedMachines() const;
    void tick();
    void pollTrial(std::int64_t sweepId, int trial);
    void apply(const SearchThread::Answer &answer);
    void applyClockChange();
    void watchDisk(WallNs now);
    /// Starts at most one trial; the next one follows after waiting clients were served.
    void schedule(WallNs now);
    void retireEnded();
    void watchIdleness();
    /// Returns whether the workspace is in its place with its database. Notifies all clients if that changes.
    bool pollWorkspace();
    void watchWorkspace();
    void endDeleted();

    void settle() override;
    std::vector<std::int64_t> sweepIds() const override;
    const sweep::SweepRecord *sweep(std::int64_t id) const override;
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) override;
    protocol::DevicesChanged devices() const override;
    void launch(const std::string &toml, const std::string &baseFolder, QObject *client, Launched done) override;
    void edit(const protocol::EditRequest &request, QObject *client, Edited done) override;
    /// What keeps sweeps from being launched; empty: nothing does.
    std::vector<sweep::Problem> launchProblems();
    std::vector<sweep::Problem> machineProblems(const sweep::SweepSpec &spec);
    sweep::Capacity capacity() const;
    tl::expected<facts::Facts, std::vector<sweep::Problem>> redefine(const protocol::EditRequest &request,
                                                                     CheckedDefinition checked);
    Reply enqueue(std::int64_t sweepId, const std::map<std::string, std::string> &point) override;
    Reply continueTrials(std::int64_t sweepId, const std::vector<int> &trials,
                         const std::map<std::string, std::string> &changes) override;
    void join(const protocol::JoinRequest &request, QObject *client, Launched done) override;
    void importSweep(const protocol::ImportRequest &request, QObject *client, Launched done) override;
    void addPrepared(const std::shared_ptr<PreparedSweep> &prepared, const CheckResult &checked, const Launched &done);
    Expected<sweep::TrialHistory> history(std::int64_t sweepId, int trial) override;
    Reply control(std::int64_t sweepId, const sweep::Control &control) override;
    /// Archives or deletes a sweep that has ended.
    Reply keep(std::int64_t sweepId, sweep::Control::Action action);
    Reply remove(const sweep::SweepRecord &record);

    /// The record of a sweep, or of these trials, may be worth an alert.
    void watchForAlerts(std::int64_t sweepId, int first, int last);
    void sendAlerts();
    void sweepChanged(std::int64_t sweepId) override;
    void trialsChanged(std::int64_t sweepId, int first, int last) override;
    void devicesChanged() override;
    void note(const std::string &line) override;
    void announce(const facts::Fact &news);

    EngineSettings m_settings;
    WorkspaceLayout m_workspace;
    std::unique_ptr<Database> m_database;
    WorkspaceWatch m_place;
    StoreReader m_reader;
    Store m_store;
    EngineDevices m_devices;
    schedule::LeaseFolder m_leases;
    schedule::Scheduler m_scheduler;
    AttemptWatch m_watch;
    MachinePool m_machines;
    AgentLauncher m_launcher;
    DiskWatch m_disk;
    ClockChange m_clockChange;
    SearchThread m_search;
    SweepRegistry m_sweeps;
    DatabaseBackup m_backup;
    DefinitionChecks m_checks;
    SweepInserter m_inserter;
    Inbox m_inbox;
    FolderRemoval m_removal;
    AlertSender m_alerts;
    Server m_server;
    std::string m_syncProblem;
    QTimer m_tick;
    QTimer m_startNext;
    QTimer m_alertTimer;
    QTimer m_saveProgress;
    QTimer m_idle;
    QTimer m_workspaceTimer;
    QTimer m_devicesTimer;  ///< for clients that show devices while nothing runs
    std::optional<std::chrono::steady_clock::time_point> m_workspaceDeleted;
};

}  // namespace sweepscope::engine
