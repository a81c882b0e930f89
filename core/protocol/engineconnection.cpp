#include "protocol/engineconnection.h"

#include "base/filelock.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/privatefolder.h"
#include "base/user.h"
#include "base/workspacelayout.h"
#include "protocol/randomid.h"
#include "protocol/storedstate.h"

#include <QCoreApplication>
#include <QDir>

#include <chrono>
#include <unistd.h>
#include <utility>

namespace sweepscope::protocol {

namespace {

using namespace std::chrono_literals;
constexpr auto lookPause = 50ms;
constexpr auto retryWhileStarting = 50ms;
constexpr auto retryWhenGone = 1s;
constexpr auto retryAfterFailedStart = 5s;
/// An engine with a million trials needs time before it listens; one that ended is detected immediately.
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

EngineConnection::EngineConnection(EngineClient *owner)
    : q(owner), clientId(randomId()), starter(executableFolder() / "sweepctl")
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
        protocol::Hello hello{protocol::version, QCoreApplication::applicationName(),
                              QCoreApplication::applicationPid(), workspace, wantsTrials};
        hello.client = clientId;
        send(hello);
    });
    QObject::connect(&heartbeat, &Heartbeat::due, q, [this] {
        if (understandsPing && socket.state() == QLocalSocket::ConnectedState)
            send(protocol::Ping{});
    });
    sendLooks.setSingleShot(true);
    sendLooks.setInterval(lookPause);
    QObject::connect(&sendLooks, &QTimer::timeout, q, [this] {
        const std::set<protocol::LookRequest::Attempt> attempts = std::exchange(looks, {});
        if (live)
            send(protocol::LookRequest{{attempts.begin(), attempts.end()}});
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

void EngineConnection::connectTo(const QString &newWorkspace, bool start, const QString &address)
{
    giveUp({}, {});
    failUnanswered();
    state = StateMirror();
    workspace = QDir(newWorkspace).absolutePath();
    startEngine = start;
    isFirstStart = true;
    wasServed = false;
    metEndingEngine = false;
    errorText.clear();
    notInstalledOn.clear();
    mirror = !address.isEmpty();
    mirrored = address;
    loadState();
    tryConnect();
}

/// Of a workspace on another machine, which may not be reachable.
void EngineConnection::loadState()
{
    storedAt = 0;
    std::optional<StoredState> stored = storedState(WorkspaceLayout{toPath(workspace)}.mirrorState());
    if (!stored)
        return;
    mirror = true;
    mirrored = stored->workspace;
    storedAt = stored->time;
    state = std::move(stored->state);
    announceState();
}

void EngineConnection::tryConnect()
{
    if (socket.state() != QLocalSocket::UnconnectedState)
        return;
    // The engine may have created the folder meanwhile: the socket's name depends on the canonical path.
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

/// Another user's process must not learn the content of a sweep. Returns false if the connection was closed.
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

/// Looks for an engine, and starts one if there is none.
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

/// Later, as any answer: the caller does not have the job's id yet.
void EngineConnection::fail(std::uint64_t job, facts::Fact reason)
{
    QMetaObject::invokeMethod(
        q, [this, job, reason = std::move(reason)] { Q_EMIT q->requestFailed(job, reason); }, Qt::QueuedConnection);
}

void EngineConnection::send(const protocol::Message &message)
{
    socket.write(frame(protocol::encode(message)));
}

void EngineConnection::send(const protocol::Message &request, std::uint64_t job)
{
    const QByteArray bytes = frame(protocol::encode(request));
    unanswered.emplace(job, bytes);
    socket.write(bytes);
}

/// The engine answers those that it has carried out, and does not carry them out again.
void EngineConnection::repeatUnanswered()
{
    for (const auto &[job, bytes] : unanswered)
        socket.write(bytes);
}

void EngineConnection::failUnanswered()
{
    for (const auto &[job, bytes] : std::exchange(unanswered, {}))
        fail(job, facts::Code::NotAnswered);
}

void EngineConnection::readFrames()
{
    heartbeat.heard();
    frames.append(socket.readAll());
    for (;;) {  // giveUp() empties `frames`, which ends this loop too
        Expected<std::optional<QByteArray>> payload = frames.next();
        if (payload && !*payload)
            return;
        Expected<protocol::Message> message =
            payload ? protocol::decode(**payload) : Expected<protocol::Message>(tl::unexpected<Error>(payload.error()));
        if (!message) {
            giveUp(QString::fromStdString(message.error().message), retryWhenGone);
            return;
        }
        std::visit([this](auto &&content) { handle(std::move(content)); }, std::move(*message));
    }
}

void EngineConnection::connectionBroke()
{
    if (closing)
        return;
    readFrames();  // a refusal may precede the end
    if (retry.isActive())
        return;
    if (startEngine && !wasServed && !std::exchange(metEndingEngine, true)) {
        heartbeat.stop();
        retry.start(0ms);  // an idle engine has just ended: start the next one
        return;
    }
    const bool wasReader = atReader;  // a reader ends when an engine starts
    giveUp(EngineClient::tr("The engine of %1 ended.").arg(workspace), startEngine || wasReader ? 0ms : retryWhenGone);
}

void EngineConnection::notReachable()
{
    if (closing)
        return;
    if (startEngine && readOnly && !atReader) {
        atReader = true;  // a reader starts nothing that would continue a sweep
        retry.start(0ms);
        return;
    }
    if (!startEngine) {
        giveUp(whyNobodyAnswers(workspace), retryWhenGone);
        return;
    }
    std::error_code error;
    if (wasServed && !std::filesystem::exists(toPath(workspace), error)) {
        // A new folder in its place would be empty, and would block a workspace that comes back.
        startDeadline.reset();
        giveUp(EngineClient::tr("The workspace folder %1 is gone: it was deleted or moved, or its disk is not mounted.")
                   .arg(workspace),
               retryWhenGone);
        return;
    }
    if (startDeadline && served && !starter.isRunning())
        startDeadline.reset();  // its connection broke a moment before it ended
    if (!startDeadline) {
        startOne();  // regardless of an engine that we started before
    } else if (const std::optional<Error> failure = starter.failure()) {
        startDeadline.reset();
        giveUp(QString::fromStdString(failure->message), retryAfterFailedStart);
    } else if (startDeadline->hasExpired()) {
        startDeadline.reset();
        const bool isElsewhere = !mirror && !atReader && isLocked(WorkspaceLayout{toPath(workspace)}.lockFile());
        giveUp(mirror ? EngineClient::tr("%1 has not answered yet").arg(mirrored)
               : isElsewhere
                   ? EngineClient::tr("%1 Set XDG_RUNTIME_DIR as for the engine, or end that process and try "
                                      "again.")
                         .arg(whyNobodyAnswers(workspace))
                   : EngineClient::tr("The engine of %1 does not respond; see engine.log there.").arg(workspace),
               retryAfterFailedStart);
    } else if (!atReader && !starter.isRunning()) {
        // It yielded to another engine that cannot be reached: one that was killed may exist a moment longer.
        (void)starter.start(toPath(workspace));  // its error is reported when the deadline has passed
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
    if (const Expected<void> started =
            atReader ? starter.startReader(folder) : starter.start(folder, std::exchange(isFirstStart, false));
        !started) {
        startDeadline.reset();
        giveUp(QString::fromStdString(started.error().message), retryAfterFailedStart);
        return;
    }
    retry.start(retryWhileStarting);
}

/// Closes the connection, reports it once, and retries after `retryIn`. An empty reason: silently, and without retry.
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

void EngineConnection::sendWatch()
{
    if (live && understandsWatch)
        send(protocol::WatchRequest{watchesDevices});
}

/// A page asks with each refresh; one message a moment is enough.
void EngineConnection::look(const protocol::LookRequest::Attempt &attempt)
{
    if (!mirror || attempt.attempt < 1)
        return;
    looks.insert(attempt);
    if (!sendLooks.isActive())
        sendLooks.start();
}

void EngineConnection::handle(protocol::FilesArrived &&arrived)
{
    if (!live)
        return;
    Q_EMIT q->trialsChanged(arrived.sweepId, arrived.trial, arrived.trial);
    Q_EMIT q->filesArrived(arrived.sweepId, arrived.trial);
}

void EngineConnection::handle(protocol::Hello &&hello)
{
    understandsWatch = hello.watch;
    understandsPing = hello.ping;
    mirror = hello.mirror;
    mirrored = hello.workspace;
    home = hello.home;
    incomingInstance = hello.instance;
    if (!understandsPing)
        heartbeat.stop();
    if (hello.version != protocol::version)
        handle(protocol::Refusal{
            EngineClient::tr("The engine speaks version %1 of the protocol and this program version %2; "
                             "end the older one and start it again.")
                .arg(hello.version)
                .arg(protocol::version)});
}

void EngineConnection::handle(protocol::Refusal &&refusal)
{
    notInstalledOn = refusal.notInstalledOn;
    giveUp(refusal.message, retryAfterFailedStart);
}

void EngineConnection::handle(protocol::Launched &&launched)
{
    unanswered.erase(launched.job);
    Q_EMIT q->sweepLaunched(launched.job, launched.sweepId);
}

void EngineConnection::handle(protocol::DefinitionRefused &&refused)
{
    unanswered.erase(refused.job);
    Q_EMIT q->sweepRefused(refused.job, refused.problems);
}

void EngineConnection::handle(protocol::Done &&done)
{
    unanswered.erase(done.job);
    Q_EMIT q->requestDone(done.job, done.reply);
}

void EngineConnection::handle(protocol::HistoryAnswer &&answer)
{
    unanswered.erase(answer.job);
    Q_EMIT q->historyArrived(answer.job, answer.sweepId, answer.trial, answer.history);
}

void EngineConnection::handle(protocol::Failed &&failed)
{
    unanswered.erase(failed.job);
    Q_EMIT q->requestFailed(failed.job, failed.reason);
}

void EngineConnection::handle(protocol::SweepChanged &&changed)
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

void EngineConnection::handle(protocol::TrialsChanged &&changed)
{
    const std::int64_t sweepId = changed.sweepId;
    (live ? state : incoming).apply(std::move(changed), [this, sweepId](int first, int last) {
        if (live)
            Q_EMIT q->trialsChanged(sweepId, first, last);
    });
}

void EngineConnection::handle(protocol::SweepRemoved &&removed)
{
    (live ? state : incoming).apply(removed);
    if (live)
        Q_EMIT q->sweepsChanged();
}

void EngineConnection::handle(protocol::DevicesChanged &&changed)
{
    (live ? state : incoming).apply(std::move(changed));
    if (live)
        Q_EMIT q->devicesChanged();
}

void EngineConnection::rejectClientMessage()
{
    giveUp(EngineClient::tr("The engine sent a message that only clients send; the connection was closed."),
           retryWhenGone);
}

void EngineConnection::handle(protocol::Ready &&)
{
    if (live)
        return;
    live = true;
    served = true;
    wasServed = true;
    errorText.clear();
    notInstalledOn.clear();
    state = std::exchange(incoming, StateMirror());
    if (watchesDevices)
        sendWatch();
    if (instance != 0 && incomingInstance == instance)
        repeatUnanswered();
    else
        failUnanswered();
    instance = incomingInstance;
    storedAt = 0;
    Q_EMIT q->connected();
    announceState();
}

void EngineConnection::announceState()
{
    Q_EMIT q->sweepsChanged();
    for (const sweep::SweepRecord &sweep : std::vector<sweep::SweepRecord>(state.sweeps())) {
        const std::vector<sweep::TrialRecord> &trials = state.trials(sweep.id);
        if (!trials.empty())
            Q_EMIT q->trialsChanged(sweep.id, trials.front().number, trials.back().number);
    }
    Q_EMIT q->devicesChanged();
}

}  // namespace sweepscope::protocol
