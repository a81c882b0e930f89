#include "client/engineclient.h"

#include "base/filelock.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/workspacelayout.h"
#include "client/enginestarter.h"
#include "client/framereader.h"
#include "client/statemirror.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QEventLoop>
#include <QLocalSocket>
#include <QTimer>

#include <chrono>
#include <optional>
#include <utility>

namespace sweepscope::client {

namespace {

using namespace std::chrono_literals;
constexpr auto retryWhileStarting = 50ms;
constexpr auto retryWhenGone = 1s;
constexpr auto retryAfterFailedStart = 5s;
/// An engine with a million trials needs a while until it listens; one that ended says so at once.
constexpr auto patienceWithStart = 20s;

std::filesystem::path toPath(const QString &path)
{
    return path.toStdString();
}

QString whyNobodyAnswers(const QString &workspace)
{
    const WorkspaceLayout layout{workspace.toStdString()};
    if (!isLocked(layout.lockFile()))
        return EngineClient::tr("No engine runs for the workspace %1.").arg(workspace);
    constexpr std::uint64_t longestPid = 64;
    const std::string pid = readFile(layout.lockFile(), longestPid).value_or(std::string());
    return EngineClient::tr("The engine of %1 (process %2) does not listen at %3: it is still starting, or was started "
                            "with another XDG_RUNTIME_DIR or by another user.")
        .arg(workspace, QString::fromStdString(pid).trimmed(),
             QString::fromStdString(engineSocketPath(layout.root).string()));
}

}  // namespace

class EngineClient::Private {
public:
    explicit Private(EngineClient *owner);
    ~Private();

    void leaveReader();
    void connectTo(const QString &workspace, bool startEngine);
    void tryConnect();
    bool isReading() const { return live && atReader; }
    std::uint64_t request(const protocol::Message &message, std::uint64_t job);

    EngineClient *q;
    QString workspace;
    bool startEngine = false;
    bool wantsTrials = true;
    bool readOnly = false;
    bool live = false;  ///< the whole state is there
    QString errorText;
    StateMirror state;
    std::uint64_t lastJob = 0;

private:
    void send(const protocol::Message &message);
    void readFrames();
    void lineBroke();
    void notReachable();
    void startOne();
    void giveUp(const QString &reason, std::chrono::milliseconds retryIn);

    void take(protocol::Hello &&hello);
    void take(protocol::Refusal &&refusal);
    void take(protocol::Launched &&launched);
    void take(protocol::DefinitionRefused &&refused);
    void take(protocol::Done &&done);
    void take(protocol::HistoryAnswer &&answer);
    void take(protocol::Failed &&failed);
    void take(protocol::SweepChanged &&changed);
    void take(protocol::TrialsChanged &&changed);
    void take(protocol::SweepRemoved &&removed);
    void take(protocol::DevicesChanged &&changed);
    void take(protocol::Ready &&);
    template <typename Unexpected>
    void take(Unexpected &&)
    {
        giveUp(EngineClient::tr("The engine sent a message that only clients send; the line was closed."),
               retryWhenGone);
    }

    QLocalSocket socket;
    QTimer retry;
    FrameReader frames;
    StateMirror incoming;  ///< the whole state until Ready: a reconnect shows no half of it
    EngineStarter starter;
    std::optional<QDeadlineTimer> startDeadline;
    bool atReader = false;  ///< what is spoken to, or looked for, only reads
    bool served = false;    ///< an engine has answered since the last one was started: its end is no failed start
    bool closing = false;   ///< we close the socket: its signals mean nothing
};

EngineClient::Private::Private(EngineClient *owner) : q(owner), starter(executableFolder() / "sweepctl")
{
    retry.setSingleShot(true);
    QObject::connect(&retry, &QTimer::timeout, q, [this] { tryConnect(); });
    QObject::connect(&socket, &QLocalSocket::connected, q, [this] {
        startDeadline.reset();
        frames.clear();
        incoming = StateMirror();
        send(protocol::Hello{protocol::version, QCoreApplication::applicationName(), QCoreApplication::applicationPid(),
                             workspace, wantsTrials});
    });
    QObject::connect(&socket, &QLocalSocket::readyRead, q, [this] { readFrames(); });
    QObject::connect(&socket, &QLocalSocket::disconnected, q, [this] { lineBroke(); });
    QObject::connect(&socket, &QLocalSocket::errorOccurred, q, [this](QLocalSocket::LocalSocketError error) {
        if (error != QLocalSocket::PeerClosedError)
            notReachable();
    });
}

EngineClient::Private::~Private()
{
    closing = true;
    socket.abort();
}

void EngineClient::Private::connectTo(const QString &newWorkspace, bool start)
{
    giveUp({}, {});
    state = StateMirror();
    workspace = QDir(newWorkspace).absolutePath();
    startEngine = start;
    errorText.clear();
    tryConnect();
}

void EngineClient::Private::tryConnect()
{
    if (socket.state() != QLocalSocket::UnconnectedState)
        return;
    // The engine may have made the folder since: the socket's name is of the canonical path.
    const std::filesystem::path path =
        atReader ? readerSocketPath(toPath(workspace)) : engineSocketPath(toPath(workspace));
    socket.connectToServer(QString::fromStdString(path.string()));
}

/// An engine is looked for, and started where none is.
void EngineClient::Private::leaveReader()
{
    const bool wasReader = std::exchange(atReader, false);
    if (wasReader) {
        startDeadline.reset();
        closing = true;
        socket.abort();
        closing = false;
    }
    if (startEngine && (wasReader || !live))
        retry.start(0ms);
}

std::uint64_t EngineClient::Private::request(const protocol::Message &message, std::uint64_t job)
{
    const bool mayAsk = !readOnly || std::holds_alternative<protocol::HistoryRequest>(message);
    if (live && mayAsk) {
        send(message);
    } else {
        // The answer comes as a signal, as always: the caller does not have the job's id yet.
        QMetaObject::invokeMethod(
            q,
            [this, job, mayAsk] {
                Q_EMIT q->requestFailed(job, mayAsk
                                                 ? EngineClient::tr("There is no line to the engine: %1").arg(errorText)
                                                 : EngineClient::tr("Nothing was done: this window is read-only."));
            },
            Qt::QueuedConnection);
    }
    return job;
}

void EngineClient::Private::send(const protocol::Message &message)
{
    socket.write(frame(protocol::encode(message)));
}

void EngineClient::Private::readFrames()
{
    frames.append(socket.readAll());
    for (;;) {  // giving up empties `frames`, which ends this too
        Expected<std::optional<QByteArray>> payload = frames.next();
        if (payload && !*payload)
            return;
        Expected<protocol::Message> message =
            payload ? protocol::decode(**payload) : Expected<protocol::Message>(tl::unexpected<Error>(payload.error()));
        if (!message) {
            giveUp(QString::fromStdString(message.error().message), retryWhenGone);
            return;
        }
        std::visit([this](auto &&content) { take(std::move(content)); }, std::move(*message));
    }
}

void EngineClient::Private::lineBroke()
{
    if (closing)
        return;
    readFrames();  // a refusal may lie in front of the end
    if (retry.isActive())
        return;
    const bool wasReader = atReader;  // it ends when an engine comes
    giveUp(EngineClient::tr("The engine of %1 ended.").arg(workspace), startEngine || wasReader ? 0ms : retryWhenGone);
}

void EngineClient::Private::notReachable()
{
    if (closing)
        return;
    if (startEngine && readOnly && !atReader) {
        atReader = true;  // nothing is started that would go on with anything
        retry.start(0ms);
        return;
    }
    if (!startEngine) {
        giveUp(whyNobodyAnswers(workspace), retryWhenGone);
        return;
    }
    if (startDeadline && served && !starter.isRunning())
        startDeadline.reset();  // its line broke a moment before it was gone itself
    if (!startDeadline) {
        startOne();  // whatever became of an engine that we started before
    } else if (const std::optional<Error> failure = starter.failure()) {
        startDeadline.reset();
        giveUp(QString::fromStdString(failure->message), retryAfterFailedStart);
    } else if (startDeadline->hasExpired()) {
        startDeadline.reset();
        giveUp(EngineClient::tr("The engine of %1 does not answer; see engine.log there.").arg(workspace),
               retryAfterFailedStart);
    } else {
        retry.start(retryWhileStarting);
    }
}

void EngineClient::Private::startOne()
{
    startDeadline = QDeadlineTimer(patienceWithStart);
    if (starter.isRunning()) {
        retry.start(retryWhileStarting);
        return;
    }
    served = false;
    const std::filesystem::path folder = toPath(workspace);
    if (const Expected<void> started = atReader ? starter.startReader(folder) : starter.start(folder); !started) {
        startDeadline.reset();
        giveUp(QString::fromStdString(started.error().message), retryAfterFailedStart);
        return;
    }
    retry.start(retryWhileStarting);
}

/// Close the line, tell it once, and try again after `retryIn`. An empty reason: silently, and not again.
void EngineClient::Private::giveUp(const QString &reason, std::chrono::milliseconds retryIn)
{
    const bool news = live || reason != errorText;
    live = false;
    closing = true;
    socket.abort();
    closing = false;
    frames.clear();
    retry.stop();
    atReader = false;
    if (reason.isEmpty())
        return;
    errorText = reason;
    retry.start(retryIn);
    if (news)
        Q_EMIT q->disconnected(reason);
}

void EngineClient::Private::take(protocol::Hello &&hello)
{
    if (hello.version != protocol::version)
        take(protocol::Refusal{
            EngineClient::tr("The engine speaks version %1 of the protocol and this program version %2; "
                             "end the older one and start it again.")
                .arg(hello.version)
                .arg(protocol::version)});
}

void EngineClient::Private::take(protocol::Refusal &&refusal)
{
    giveUp(refusal.message, retryAfterFailedStart);
}

void EngineClient::Private::take(protocol::Launched &&launched)
{
    Q_EMIT q->sweepLaunched(launched.job, launched.sweepId);
}

void EngineClient::Private::take(protocol::DefinitionRefused &&refused)
{
    Q_EMIT q->sweepRefused(refused.job, refused.problems);
}

void EngineClient::Private::take(protocol::Done &&done)
{
    Q_EMIT q->requestDone(done.job, done.message);
}

void EngineClient::Private::take(protocol::HistoryAnswer &&answer)
{
    Q_EMIT q->historyArrived(answer.job, answer.sweepId, answer.trial, answer.history);
}

void EngineClient::Private::take(protocol::Failed &&failed)
{
    Q_EMIT q->requestFailed(failed.job, failed.message);
}

void EngineClient::Private::take(protocol::SweepChanged &&changed)
{
    (live ? state : incoming).apply(std::move(changed));
    if (live)
        Q_EMIT q->sweepsChanged();
}

void EngineClient::Private::take(protocol::TrialsChanged &&changed)
{
    const std::int64_t sweepId = changed.sweepId;
    (live ? state : incoming).apply(std::move(changed), [this, sweepId](int first, int last) {
        if (live)
            Q_EMIT q->trialsChanged(sweepId, first, last);
    });
}

void EngineClient::Private::take(protocol::SweepRemoved &&removed)
{
    (live ? state : incoming).apply(removed);
    if (live)
        Q_EMIT q->sweepsChanged();
}

void EngineClient::Private::take(protocol::DevicesChanged &&changed)
{
    (live ? state : incoming).apply(std::move(changed));
    if (live)
        Q_EMIT q->devicesChanged();
}

void EngineClient::Private::take(protocol::Ready &&)
{
    if (live)
        return;
    live = true;
    served = true;
    errorText.clear();
    state = std::exchange(incoming, StateMirror());
    Q_EMIT q->connected();
    Q_EMIT q->sweepsChanged();
    for (const sweep::SweepRecord &sweep : std::vector<sweep::SweepRecord>(state.sweeps())) {
        const std::vector<sweep::TrialRecord> &trials = state.trials(sweep.id);
        if (!trials.empty())
            Q_EMIT q->trialsChanged(sweep.id, trials.front().number, trials.back().number);
    }
    Q_EMIT q->devicesChanged();
}

EngineClient::EngineClient(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this))
{
    qRegisterMetaType<std::vector<sweep::Problem>>();
}

EngineClient::~EngineClient() = default;

void EngineClient::connectToWorkspace(const QString &workspace, bool startEngine)
{
    d->connectTo(workspace, startEngine);
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
    // From inside the loop: a failure may be known at once, before exec() would run.
    QMetaObject::invokeMethod(
        &loop, [this, workspace, startEngine] { d->connectTo(workspace, startEngine); }, Qt::QueuedConnection);
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
bool EngineClient::isConnected() const
{
    return d->live;
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
QString EngineClient::devicesNote() const
{
    return d->state.devicesNote();
}

std::uint64_t EngineClient::launchSweep(const QString &toml, const QString &baseFolder)
{
    const std::uint64_t job = ++d->lastJob;
    return d->request(protocol::LaunchRequest{job, toml, baseFolder}, job);
}

std::uint64_t EngineClient::control(std::int64_t sweepId, const sweep::Control &control)
{
    const std::uint64_t job = ++d->lastJob;
    return d->request(protocol::ControlRequest{job, sweepId, control}, job);
}

std::uint64_t EngineClient::editSweep(std::int64_t sweepId, const QString &toml, bool dryRun)
{
    const std::uint64_t job = ++d->lastJob;
    return d->request(protocol::EditRequest{job, sweepId, toml, false, dryRun}, job);
}

std::uint64_t EngineClient::undoEdit(std::int64_t sweepId, bool dryRun)
{
    const std::uint64_t job = ++d->lastJob;
    return d->request(protocol::EditRequest{job, sweepId, {}, true, dryRun}, job);
}

std::uint64_t EngineClient::enqueueTrial(std::int64_t sweepId, const std::map<std::string, std::string> &point)
{
    const std::uint64_t job = ++d->lastJob;
    return d->request(protocol::EnqueueRequest{job, sweepId, point}, job);
}

std::uint64_t EngineClient::askHistory(std::int64_t sweepId, int trial)
{
    const std::uint64_t job = ++d->lastJob;
    return d->request(protocol::HistoryRequest{job, sweepId, trial}, job);
}

std::uint64_t EngineClient::stopSweep(std::int64_t sweepId)
{
    return control(sweepId, {});
}

}  // namespace sweepscope::client
