#include "protocol/engineconnection.h"

#include "base/filelock.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/privatefolder.h"
#include "base/user.h"
#include "base/workspacelayout.h"

#include <QCoreApplication>
#include <QDir>

#include <chrono>
#include <unistd.h>
#include <utility>

namespace sweepscope::protocol {

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

EngineConnection::EngineConnection(EngineClient *owner) : q(owner), starter(executableFolder() / "sweepctl")
{
    retry.setSingleShot(true);
    QObject::connect(&retry, &QTimer::timeout, q, [this] { tryConnect(); });
    QObject::connect(&socket, &QLocalSocket::connected, q, [this] {
        if (!peerIsOurs())
            return;
        startDeadline.reset();
        frames.clear();
        incoming = StateMirror();
        understandsPing = false;
        heartbeat.start();
        send(protocol::Hello{protocol::version, QCoreApplication::applicationName(), QCoreApplication::applicationPid(),
                             workspace, wantsTrials});
    });
    QObject::connect(&heartbeat, &Heartbeat::due, q, [this] {
        if (understandsPing && socket.state() == QLocalSocket::ConnectedState)
            send(protocol::Ping{});
    });
    QObject::connect(&heartbeat, &Heartbeat::silentChanged, q, &EngineClient::silentChanged);
    QObject::connect(&socket, &QLocalSocket::readyRead, q, [this] { readFrames(); });
    QObject::connect(&socket, &QLocalSocket::disconnected, q, [this] { connectionBroke(); });
    QObject::connect(&socket, &QLocalSocket::errorOccurred, q, [this](QLocalSocket::LocalSocketError error) {
        if (error != QLocalSocket::PeerClosedError)
            notReachable();
    });
}

EngineConnection::~EngineConnection()
{
    closing = true;
    socket.abort();
}

void EngineConnection::connectTo(const QString &newWorkspace, bool start)
{
    giveUp({}, {});
    state = StateMirror();
    workspace = QDir(newWorkspace).absolutePath();
    startEngine = start;
    wasServed = false;
    errorText.clear();
    tryConnect();
}

void EngineConnection::tryConnect()
{
    if (socket.state() != QLocalSocket::UnconnectedState)
        return;
    // The engine may have made the folder since: the socket's name is of the canonical path.
    const std::filesystem::path path =
        atReader ? readerSocketPath(toPath(workspace)) : engineSocketPath(toPath(workspace));
    const Expected<void> folder = checkPrivateFolder(path.parent_path());
    if (!folder && folder.error().code != ErrorCode::NotFound) {
        giveUp(EngineClient::tr("The engine of %1 cannot be reached safely: %2.")
                   .arg(workspace, QString::fromStdString(folder.error().message)),
               retryAfterFailedStart);
        return;
    }
    socket.connectToServer(QString::fromStdString(path.string()));
}

/// Another user's process must not learn what a sweep holds. False: the connection is closed.
bool EngineConnection::peerIsOurs()
{
    const std::optional<uid_t> peer = peerUser(static_cast<int>(socket.socketDescriptor()));
    if (peer == ::geteuid())
        return true;
    giveUp(EngineClient::tr("%1 is not the engine of %2: it belongs to user %3. Remove it.")
               .arg(socket.fullServerName(), workspace,
                    peer ? QString::fromStdString(describeUser(*peer)) : EngineClient::tr("unknown")),
           retryAfterFailedStart);
    return false;
}

/// An engine is looked for, and started where none is.
void EngineConnection::leaveReader()
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

std::uint64_t EngineConnection::request(const protocol::Message &message, std::uint64_t job)
{
    const bool mayAsk = !readOnly || std::holds_alternative<protocol::HistoryRequest>(message);
    if (live && mayAsk) {
        send(message);
    } else {
        // The answer comes as a signal, as always: the caller does not have the job's id yet.
        QMetaObject::invokeMethod(
            q,
            [this, job, mayAsk] {
                Q_EMIT q->requestFailed(
                    job,
                    mayAsk ? facts::Fact(facts::Code::NotConnected).with(facts::Field::Detail, errorText.toStdString())
                           : facts::Fact(facts::Code::WindowIsReadOnly));
            },
            Qt::QueuedConnection);
    }
    return job;
}

void EngineConnection::send(const protocol::Message &message)
{
    socket.write(frame(protocol::encode(message)));
}

void EngineConnection::readFrames()
{
    heartbeat.heard();
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

void EngineConnection::connectionBroke()
{
    if (closing)
        return;
    readFrames();  // a refusal may lie in front of the end
    if (retry.isActive())
        return;
    const bool wasReader = atReader;  // it ends when an engine comes
    giveUp(EngineClient::tr("The engine of %1 ended.").arg(workspace), startEngine || wasReader ? 0ms : retryWhenGone);
}

void EngineConnection::notReachable()
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
    std::error_code error;
    if (wasServed && !std::filesystem::exists(toPath(workspace), error)) {
        // Another one in its place would be empty, and would be in the way of one that comes back.
        startDeadline.reset();
        giveUp(EngineClient::tr("The workspace folder %1 is gone: it was deleted or moved, or its disk is not mounted.")
                   .arg(workspace),
               retryWhenGone);
        return;
    }
    if (startDeadline && served && !starter.isRunning())
        startDeadline.reset();  // its connection broke a moment before it was gone itself
    if (!startDeadline) {
        startOne();  // whatever became of an engine that we started before
    } else if (const std::optional<Error> failure = starter.failure()) {
        startDeadline.reset();
        giveUp(QString::fromStdString(failure->message), retryAfterFailedStart);
    } else if (startDeadline->hasExpired()) {
        startDeadline.reset();
        giveUp(EngineClient::tr("The engine of %1 does not answer; see engine.log there.").arg(workspace),
               retryAfterFailedStart);
    } else if (!atReader && !starter.isRunning()) {
        // It gave way to another one, which nobody reaches: one that was killed is still there for a moment.
        (void)starter.start(toPath(workspace));  // what is wrong with it is told when the deadline is over
        retry.start(retryWhenGone);
    } else {
        retry.start(retryWhileStarting);
    }
}

void EngineConnection::startOne()
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

/// Close the connection, tell it once, and try again after `retryIn`. An empty reason: silently, and not again.
void EngineConnection::giveUp(const QString &reason, std::chrono::milliseconds retryIn)
{
    const bool news = live || reason != errorText;
    live = false;
    heartbeat.stop();
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

void EngineConnection::tellWatch()
{
    if (live && understandsWatch)
        send(protocol::WatchRequest{watchesDevices});
}

void EngineConnection::take(protocol::Hello &&hello)
{
    understandsWatch = hello.watch;
    understandsPing = hello.ping;
    if (!understandsPing)
        heartbeat.stop();
    if (hello.version != protocol::version)
        take(protocol::Refusal{
            EngineClient::tr("The engine speaks version %1 of the protocol and this program version %2; "
                             "end the older one and start it again.")
                .arg(hello.version)
                .arg(protocol::version)});
}

void EngineConnection::take(protocol::Refusal &&refusal)
{
    giveUp(refusal.message, retryAfterFailedStart);
}

void EngineConnection::take(protocol::Launched &&launched)
{
    Q_EMIT q->sweepLaunched(launched.job, launched.sweepId);
}

void EngineConnection::take(protocol::DefinitionRefused &&refused)
{
    Q_EMIT q->sweepRefused(refused.job, refused.problems);
}

void EngineConnection::take(protocol::Done &&done)
{
    Q_EMIT q->requestDone(done.job, done.reply);
}

void EngineConnection::take(protocol::HistoryAnswer &&answer)
{
    Q_EMIT q->historyArrived(answer.job, answer.sweepId, answer.trial, answer.history);
}

void EngineConnection::take(protocol::Failed &&failed)
{
    Q_EMIT q->requestFailed(failed.job, failed.reason);
}

void EngineConnection::take(protocol::SweepChanged &&changed)
{
    const std::int64_t id = changed.sweep.id;
    const int total = changed.sweep.trialsTotal;
    const bool isShorter = (live ? state : incoming).apply(std::move(changed));
    if (!live)
        return;
    Q_EMIT q->sweepsChanged();
    if (isShorter)
        Q_EMIT q->trialsChanged(id, total, total);
}

void EngineConnection::take(protocol::TrialsChanged &&changed)
{
    const std::int64_t sweepId = changed.sweepId;
    (live ? state : incoming).apply(std::move(changed), [this, sweepId](int first, int last) {
        if (live)
            Q_EMIT q->trialsChanged(sweepId, first, last);
    });
}

void EngineConnection::take(protocol::SweepRemoved &&removed)
{
    (live ? state : incoming).apply(removed);
    if (live)
        Q_EMIT q->sweepsChanged();
}

void EngineConnection::take(protocol::DevicesChanged &&changed)
{
    (live ? state : incoming).apply(std::move(changed));
    if (live)
        Q_EMIT q->devicesChanged();
}

void EngineConnection::takeClientMessage()
{
    giveUp(EngineClient::tr("The engine sent a message that only clients send; the connection was closed."),
           retryWhenGone);
}

void EngineConnection::take(protocol::Ready &&)
{
    if (live)
        return;
    live = true;
    served = true;
    wasServed = true;
    errorText.clear();
    state = std::exchange(incoming, StateMirror());
    if (watchesDevices)
        tellWatch();
    Q_EMIT q->connected();
    Q_EMIT q->sweepsChanged();
    for (const sweep::SweepRecord &sweep : std::vector<sweep::SweepRecord>(state.sweeps())) {
        const std::vector<sweep::TrialRecord> &trials = state.trials(sweep.id);
        if (!trials.empty())
            Q_EMIT q->trialsChanged(sweep.id, trials.front().number, trials.back().number);
    }
    Q_EMIT q->devicesChanged();
}

}  // namespace sweepscope::protocol
