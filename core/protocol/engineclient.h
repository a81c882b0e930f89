#pragma once

#include "protocol/devicestatus.h"
#include "protocol/machinestatus.h"
#include "sweep/problem.h"
#include "sweep/records.h"
#include "sweep/trialhistory.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::protocol {

class EngineConnection;

/// A window's or command's view of the engine of one workspace, and its requests to it. Messages: docs/protocol.md.
/// After `connected` comes the complete state (sweepsChanged, trialsChanged for each sweep, devicesChanged), then
/// changes. All signals are emitted on this object's thread; no function blocks, except connectAndWait for command
/// lines.
class EngineClient : public QObject {
    Q_OBJECT

public:
    explicit EngineClient(QObject *parent = nullptr);
    ~EngineClient() override;

    /// Connects to the engine of `workspace`; with `startEngine`, starts one (`sweepctl serve`, next to this program)
    /// if none runs. Reconnects (and restarts) automatically when the connection breaks. `address`: of the workspace, if
    /// this folder mirrors one on another machine.
    void connectToWorkspace(const QString &workspace, bool startEngine, const QString &address = {});
    /// For command lines: blocks until the first complete state has arrived. Returns false on error: see errorText().
    bool connectAndWait(const QString &workspace, bool startEngine, int timeoutMs);
    /// Read-only mode: starts no engine, and refuses every changing request with requestFailed.
    void setReadOnly(bool readOnly);
    bool isReadOnly() const;
    /// Call before connecting: trials() stays empty. For callers that need only the sweeps, of which there are few.
    void leaveOutTrials();
    QString errorText() const;
    /// The time of what is known, if that was stored and there was no connection yet; otherwise 0.
    WallNs storedAt() const;
    /// The address of the workspace's machine if there is no connection because it has no Sweepscope; otherwise empty.
    QString notInstalledOn() const;
    bool isConnected() const;
    /// Returns whether the connection exists, but the engine does not respond.
    bool isSilent() const;
    /// Returns whether it is connected to a read-only server of the workspace: no engine runs, so nothing changes.
    bool isReading() const;

    /// Its folder on this machine.
    QString workspace() const;
    /// For people: its folder, or its address on another machine.
    QString workspaceName() const;
    const std::vector<sweep::SweepRecord> &sweeps() const;
    const sweep::SweepRecord *sweep(std::int64_t id) const;
    /// Ordered by number; empty for an unknown sweep.
    const std::vector<sweep::TrialRecord> &trials(std::int64_t sweepId) const;
    /// Of the engine's machine.
    const std::vector<DeviceStatus> &devices() const;
    /// The other machines of the workspace, by name.
    const std::vector<MachineStatus> &machines() const;
    /// Of all machines, for names: that of the engine first.
    const std::vector<DeviceStatus> &allDevices() const;
    QString devicesNote() const;

    /// Makes the engine read the devices even if no sweep runs, until called with false. Changes nothing, so it is
    /// allowed in read-only mode; a read-only server has no devices to read.
    void watchDevices(bool watch);

    /// Returns whether the workspace is on another machine: files come here when they are looked at.
    bool isMirror() const;
    /// Call for the attempts whose files are shown. Where they have to come from another machine they do, and trialsChanged
    /// follows. Long curves come with fewer points at first (base/thincopy.h). `whole`: all of them.
    void look(std::int64_t sweepId, int trial, int attempt, bool whole = false) const;

    /// Starts a sweep. `baseFolder` is absolute; relative paths in the definition refer to it, on another machine to the
    /// user's home folder there. Answered by
    /// sweepLaunched or sweepRefused with the same job id.
    std::uint64_t launchSweep(const QString &toml, const QString &baseFolder);
    /// Stops, pauses, retries, …. Answered by requestDone (with what has changed) or requestFailed.
    std::uint64_t control(std::int64_t sweepId, const sweep::Control &control);
    /// Replaces the definition; `dryRun`: only report what would change. Answered by requestDone, or sweepRefused with
    /// the problems.
    std::uint64_t editSweep(std::int64_t sweepId, const QString &toml, bool dryRun);
    /// Restores the definition before the last edit. Answered as editSweep().
    std::uint64_t undoEdit(std::int64_t sweepId, bool dryRun);
    /// Adds one trial at this point: strings by parameter. Answered by requestDone or requestFailed.
    std::uint64_t enqueueTrial(std::int64_t sweepId, const std::map<std::string, std::string> &point);
    /// Adds a trial for each of these that continues its checkpoint, with its parameters except `changes`: strings by
    /// parameter or, with the built-in worker, by setting. Answered by requestDone or requestFailed.
    std::uint64_t continueTrials(std::int64_t sweepId, const std::vector<int> &trials,
                                 const std::map<std::string, std::string> &changes);
    /// Adds a sweep that has the finished trials of these. `name` and `objective` may be empty: JoinRequest. Answered by
    /// sweepLaunched or sweepRefused with the same job id.
    std::uint64_t joinSweeps(const std::vector<std::int64_t> &sweepIds, const QString &name, const QString &objective);
    /// Adds the sweep that is stored in this folder (engine/studyimport.h). Answered as joinSweeps().
    std::uint64_t importSweep(const QString &folder);
    /// Requests a trial's history and what its attempts ran. Answered by historyArrived or requestFailed.
    std::uint64_t requestHistory(std::int64_t sweepId, int trial);
    /// Stops running trials now; waiting ones do not start.
    std::uint64_t stopSweep(std::int64_t sweepId);

Q_SIGNALS:
    void connected();
    /// The connection broke or failed; the reason is a sentence. The last known state stays readable meanwhile.
    void disconnected(const QString &reason);
    void readOnlyChanged(bool readOnly);
    /// The engine has not answered for ten seconds although the connection exists; or it answers again. It processes
    /// requests made meanwhile when it does. Ends with the connection.
    void silentChanged(bool silent);
    void sweepsChanged();  ///< some sweep's record is new, changed or removed
    void trialsChanged(qint64 sweepId, int firstNumber,
                       int lastNumber);  ///< records in this range are new or changed
    void devicesChanged();
    /// Files of this trial have come from the other machine; trialsChanged precedes it.
    void filesArrived(qint64 sweepId, int trial);
    void sweepLaunched(quint64 job, qint64 sweepId);
    void sweepRefused(quint64 job, const std::vector<sweepscope::sweep::Problem> &problems);
    void historyArrived(quint64 job, qint64 sweepId, int trial, const sweepscope::sweep::TrialHistory &history);
    /// Reports what was done, and what happens to running trials.
    void requestDone(quint64 job, const sweepscope::facts::Facts &reply);
    void requestFailed(quint64 job, const sweepscope::facts::Fact &reason);

private:
    std::unique_ptr<EngineConnection> d;
};

}  // namespace sweepscope::protocol
