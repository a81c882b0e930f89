#include "protocol/engineclient.h"

#include "protocol/engineconnection.h"

#include <QEventLoop>
#include <QTimer>

namespace sweepscope::protocol {

EngineClient::EngineClient(QObject *parent) : QObject(parent), d(std::make_unique<EngineConnection>(this))
{
    qRegisterMetaType<std::vector<sweep::Problem>>();
}

EngineClient::~EngineClient() = default;

void EngineClient::connectToWorkspace(const QString &workspace, bool startEngine, const QString &address)
{
    d->connectTo(workspace, startEngine, address);
}

bool EngineClient::connectAndWait(const QString &workspace, bool startEngine, int timeoutMs)
{
    QEventLoop loop;
    QTimer deadline;
    deadline.setSingleShot(true);
    connect(&deadline, &QTimer::timeout, &loop, [this, &loop] {
        d->errorText = tr("The engine of %1 did not answer in time.").arg(d->workspace);
        loop.quit();
    });
    connect(this, &EngineClient::connected, &loop, &QEventLoop::quit);
    connect(this, &EngineClient::disconnected, &loop, &QEventLoop::quit);
    deadline.start(timeoutMs);
    // Queued in the loop: a failure may be known immediately, before exec() would run.
    QMetaObject::invokeMethod(
        &loop, [this, workspace, startEngine] { d->connectTo(workspace, startEngine, {}); }, Qt::QueuedConnection);
    loop.exec();
    return d->live;
}

void EngineClient::setReadOnly(bool readOnly)
{
    if (d->readOnly == readOnly)
        return;
    d->readOnly = readOnly;
    if (!readOnly)
        d->leaveReader();
    Q_EMIT readOnlyChanged(readOnly);
}

bool EngineClient::isReadOnly() const
{
    return d->readOnly;
}

void EngineClient::leaveOutTrials()
{
    d->wantsTrials = false;
}

QString EngineClient::errorText() const
{
    return d->errorText;
}

WallNs EngineClient::storedAt() const
{
    return d->storedAt;
}

QString EngineClient::notInstalledOn() const
{
    return d->notInstalledOn;
}

bool EngineClient::isConnected() const
{
    return d->live;
}

bool EngineClient::isSilent() const
{
    return d->heartbeat.isSilent();
}

bool EngineClient::isReading() const
{
    return d->isReading();
}

QString EngineClient::workspace() const
{
    return d->workspace;
}
const std::vector<sweep::SweepRecord> &EngineClient::sweeps() const
{
    return d->state.sweeps();
}
const sweep::SweepRecord *EngineClient::sweep(std::int64_t id) const
{
    return d->state.sweep(id);
}
const std::vector<sweep::TrialRecord> &EngineClient::trials(std::int64_t id) const
{
    return d->state.trials(id);
}
const std::vector<DeviceStatus> &EngineClient::devices() const
{
    return d->state.devices();
}

const std::vector<MachineStatus> &EngineClient::machines() const
{
    return d->state.machines();
}

const std::vector<DeviceStatus> &EngineClient::allDevices() const
{
    return d->state.allDevices();
}
QString EngineClient::devicesNote() const
{
    return d->state.devicesNote();
}

void EngineClient::watchDevices(bool watch)
{
    if (d->watchesDevices == watch)
        return;
    d->watchesDevices = watch;
    d->sendWatch();
}

bool EngineClient::isMirror() const
{
    return d->mirror;
}

QString EngineClient::workspaceName() const
{
    return d->mirror ? d->mirrored : d->workspace;
}

void EngineClient::look(std::int64_t sweepId, int trial, int attempt, bool whole) const
{
    d->look({sweepId, trial, attempt, whole});
}

std::uint64_t EngineClient::launchSweep(const QString &toml, const QString &baseFolder)
{
    return d->request(protocol::LaunchRequest{0, toml, d->mirror ? d->home : baseFolder});
}

std::uint64_t EngineClient::control(std::int64_t sweepId, const sweep::Control &control)
{
    return d->request(protocol::ControlRequest{0, sweepId, control});
}

std::uint64_t EngineClient::editSweep(std::int64_t sweepId, const QString &toml, bool dryRun)
{
    return d->request(protocol::EditRequest{0, sweepId, toml, false, dryRun});
}

std::uint64_t EngineClient::undoEdit(std::int64_t sweepId, bool dryRun)
{
    return d->request(protocol::EditRequest{0, sweepId, {}, true, dryRun});
}

std::uint64_t EngineClient::enqueueTrial(std::int64_t sweepId, const std::map<std::string, std::string> &point)
{
    return d->request(protocol::EnqueueRequest{0, sweepId, point});
}

std::uint64_t EngineClient::continueTrials(std::int64_t sweepId, const std::vector<int> &trials,
                                           const std::map<std::string, std::string> &changes)
{
    return d->request(protocol::ContinueRequest{0, sweepId, trials, changes});
}

std::uint64_t EngineClient::joinSweeps(const std::vector<std::int64_t> &sweepIds, const QString &name,
                                       const QString &objective)
{
    return d->request(protocol::JoinRequest{0, sweepIds, name, objective});
}

std::uint64_t EngineClient::importSweep(const QString &folder)
{
    return d->request(protocol::ImportRequest{0, folder});
}

std::uint64_t EngineClient::requestHistory(std::int64_t sweepId, int trial)
{
    return d->request(protocol::HistoryRequest{0, sweepId, trial});
}

std::uint64_t EngineClient::stopSweep(std::int64_t sweepId)
{
    return control(sweepId, {});
}

}  // namespace sweepscope::protocol
