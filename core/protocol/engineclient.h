#pragma once

#include "protocol/devicestatus.h"
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

/// What a window or a command knows of the engine of one workspace, and asks of it. Messages: docs/protocol.md.
/// After `connected` comes the whole state (sweepsChanged, trialsChanged for each sweep, devicesChanged), then changes.
/// All signals are emitted on the thread of this object; nothing here blocks, except connectAndWait for command lines.
class EngineClient : public QObject {
    Q_OBJECT

public:
    explicit EngineClient(QObject *parent = nullptr);
    ~EngineClient() override;

    /// Connect to the engine of `workspace`; starts one (`sweepctl serve`, beside this program) when none runs and
    /// `startEngine` says so. Reconnects (and starts again) by itself when the line breaks.
    void connectToWorkspace(const QString &workspace, bool startEngine);
    /// For command lines: blocks until the first whole state is there. False: see errorText().
    bool connectAndWait(const QString &workspace, bool startEngine, int timeoutMs);
    /// Looks on only: starts no engine, and whatever would change something is refused with requestFailed.
    void setReadOnly(bool readOnly);
    bool isReadOnly() const;
    /// Before connecting: trials() stays empty. For who needs the sweeps alone, of which there are few.
    void leaveOutTrials();
    QString errorText() const;
    bool isConnected() const;
    /// The line is there, and an engine at its other end that hangs.
    bool isSilent() const;
    /// Connected to what only reads the workspace: no engine runs, and nothing goes on.
    bool isReading() const;

    QString workspace() const;
    const std::vector<sweep::SweepRecord> &sweeps() const;
    const sweep::SweepRecord *sweep(std::int64_t id) const;
    /// In order of their number; empty for an unknown sweep.
    const std::vector<sweep::TrialRecord> &trials(std::int64_t sweepId) const;
    const std::vector<DeviceStatus> &devices() const;
    QString devicesNote() const;

    /// Somebody looks at what the devices do: the engine reads them until this is called with false, also where no sweep
    /// runs. Changes nothing, so who looks on only may ask too; one that only reads the workspace has nothing to read.
    void watchDevices(bool watch);

    /// Start a sweep. `baseFolder` is absolute, relative paths in it start there. Answer: sweepLaunched or sweepRefused
    /// with the same job id.
    std::uint64_t launchSweep(const QString &toml, const QString &baseFolder);
    /// Stop, pause, retry, …. Answer: requestDone (and what has changed), or requestFailed.
    std::uint64_t control(std::int64_t sweepId, const sweep::Control &control);
    /// A new definition; `dryRun`: only say what it would do. Answer: requestDone, or sweepRefused with its problems.
    std::uint64_t editSweep(std::int64_t sweepId, const QString &toml, bool dryRun);
    /// Back to the definition before the last edit. Answers as editSweep().
    std::uint64_t undoEdit(std::int64_t sweepId, bool dryRun);
    /// One more trial, of this point: texts by parameter. Answer: requestDone or requestFailed.
    std::uint64_t enqueueTrial(std::int64_t sweepId, const std::map<std::string, std::string> &point);
    /// How a trial got where it is, and what its attempts ran. Answer: historyArrived or requestFailed.
    std::uint64_t askHistory(std::int64_t sweepId, int trial);
    /// Running trials are stopped now, waiting ones are not started.
    std::uint64_t stopSweep(std::int64_t sweepId);

Q_SIGNALS:
    void connected();
    /// The line broke, or could not be made; the reason is a sentence. The last known state stays readable meanwhile.
    void disconnected(const QString &reason);
    void readOnlyChanged(bool readOnly);
    /// The engine has not answered for ten seconds, though the line is there; or it answers again. What is asked of it
    /// meanwhile is done when it does. Over with the line.
    void silentChanged(bool silent);
    void sweepsChanged();  ///< some sweep's record is new or different, or gone
    void trialsChanged(qint64 sweepId, int firstNumber,
                       int lastNumber);  ///< records of this range are new or different
    void devicesChanged();
    void sweepLaunched(quint64 job, qint64 sweepId);
    void sweepRefused(quint64 job, const std::vector<sweepscope::sweep::Problem> &problems);
    void historyArrived(quint64 job, qint64 sweepId, int trial, const sweepscope::sweep::TrialHistory &history);
    /// What was done, and what happens to running trials.
    void requestDone(quint64 job, const sweepscope::facts::Facts &reply);
    void requestFailed(quint64 job, const sweepscope::facts::Fact &reason);

private:
    std::unique_ptr<EngineConnection> d;
};

}  // namespace sweepscope::protocol
