#include "engine/clientconnection.h"

#include <QCoreApplication>
#include <QPointer>

#include <utility>

namespace sweepscope::engine {

namespace {
/// Stop writing to a socket above this many unsent bytes: the client does not read.
constexpr qint64 fullLineBytes = 1024 * 1024;
}  // namespace

ClientConnection::ClientConnection(QLocalSocket *socket, Shared &engine, QObject *parent)
    : QObject(parent), m_socket(socket), m_engine(engine), m_service(engine.service)
{
    m_socket->setParent(this);
    connect(m_socket, &QLocalSocket::readyRead, this, &ClientConnection::readFrames);
    m_socket->setReadBufferSize(protocol::maxFrameBytes);
    connect(m_socket, &QLocalSocket::bytesWritten, this, [this] {
        readFrames();
        flush();
    });
    connect(m_socket, &QLocalSocket::disconnected, this, &ClientConnection::closed);
}

void ClientConnection::sweepChanged(std::int64_t sweepId)
{
    if (m_greeted)
        m_pendingSweeps.insert(sweepId);
}

void ClientConnection::sweepRemoved(std::int64_t sweepId)
{
    m_pendingSweeps.erase(sweepId);
    m_pendingTrials.erase(sweepId);
    if (m_greeted)
        m_pendingRemovals.insert(sweepId);
}

void ClientConnection::announce(const facts::Fact &news)
{
    if (m_greeted && !m_closing)
        send(protocol::Failed{0, news});
}

void ClientConnection::trialsChanged(std::int64_t sweepId, int first, int last)
{
    if (m_greeted && m_wantsTrials)
        m_pendingTrials[sweepId].add(first, last);
}

void ClientConnection::devicesChanged()
{
    if (m_greeted)
        m_hasPendingDevices = true;
}

/// Stops reading requests from a client that does not read its answers once the socket's buffer is full.
void ClientConnection::readFrames()
{
    if (m_closing || lineIsFull())
        return;
    m_frames.append(m_socket->readAll());
    while (!m_closing && !lineIsFull()) {
        Expected<std::optional<QByteArray>> payload = m_frames.next();
        if (!payload) {
            refuse(QString::fromStdString(payload.error().message));
            return;
        }
        if (!*payload)
            return;
        Expected<protocol::Message> message = protocol::decode(**payload);
        if (!message) {
            refuse(QString::fromStdString(message.error().message));
            return;
        }
        if (!m_greeted && !std::holds_alternative<protocol::Hello>(*message)) {
            refuse(tr("The first message of a client must be its hello."));
            return;
        }
        std::visit([this](auto &&content) { handle(std::move(content)); }, std::move(*message));
    }
}

void ClientConnection::refuse(const QString &reason)
{
    m_closing = true;
    Q_EMIT note(tr("refused a client: %1").arg(reason));
    send(protocol::Refusal{reason});
    m_socket->disconnectFromServer();  // after everything written was sent
}

void ClientConnection::replace()
{
    m_closing = true;
    m_socket->abort();
}

void ClientConnection::send(const protocol::Message &message)
{
    m_service.settle();
    m_socket->write(protocol::frame(protocol::encode(message)));
}

bool ClientConnection::lineIsFull() const
{
    return m_socket->bytesToWrite() >= fullLineBytes;
}

void ClientConnection::flush()
{
    if (!m_greeted || m_closing)
        return;
    flushSweeps();
    if (!flushTrials())
        return;
    if (std::exchange(m_hasPendingDevices, false))
        send(m_service.devices());
    if (std::exchange(m_hasPendingReady, false))
        send(protocol::Ready{});
    m_socket->flush();  // now, rather than when the event loop is next idle
}

void ClientConnection::flushSweeps()
{
    for (const std::int64_t id : std::exchange(m_pendingRemovals, {}))
        send(protocol::SweepRemoved{id});
    for (const std::int64_t id : std::exchange(m_pendingSweeps, {})) {
        if (const sweep::SweepRecord *record = m_service.sweep(id))
            send(protocol::SweepChanged{*record});
    }
}

bool ClientConnection::flushTrials()
{
    while (!m_pendingTrials.empty()) {
        if (lineIsFull())
            return false;
        const auto place = m_pendingTrials.begin();
        const auto range = place->second.take(static_cast<int>(protocol::maxTrialsPerMessage));
        if (range)
            sendTrials(place->first, range->first, range->second);
        else
            m_pendingTrials.erase(place);
    }
    return true;
}

void ClientConnection::sendTrials(std::int64_t sweepId, int first, int last)
{
    Expected<std::vector<sweep::TrialRecord>> trials = m_service.trials(sweepId, first, last);
    if (!trials) {
        Q_EMIT note(QString::fromStdString(trials.error().message));
        return;
    }
    const QByteArray payload = protocol::encode(protocol::TrialsChanged{sweepId, std::move(*trials)});
    if (payload.size() <= static_cast<qsizetype>(protocol::maxFrameBytes)) {
        m_service.settle();
        m_socket->write(protocol::frame(payload));
    } else if (first < last) {
        const int middle = first + (last - first) / 2;
        sendTrials(sweepId, first, middle);
        sendTrials(sweepId, middle + 1, last);
    } else {
        Q_EMIT note(tr("trial %1 of sweep %2 is too large to send").arg(first).arg(sweepId));
    }
}

void ClientConnection::handle(protocol::Hello &&hello)
{
    if (m_greeted) {
        refuse(tr("A client may say hello only once."));
        return;
    }
    if (hello.version != protocol::version) {
        refuse(tr("%1 speaks version %2 of the protocol, but this engine (process %3) speaks version %4. Use programs "
                  "of the same release; end this engine to start a newer one. Trials continue meanwhile.")
                   .arg(hello.program)
                   .arg(hello.version)
                   .arg(QCoreApplication::applicationPid())
                   .arg(protocol::version));
        return;
    }
    m_greeted = true;
    m_client = hello.client;
    m_wantsTrials = hello.trials;
    Q_EMIT greeted();
    protocol::Hello ours{protocol::version, QCoreApplication::applicationName(), QCoreApplication::applicationPid(),
                         m_engine.workspace};
    ours.watch = true;
    ours.ping = true;
    ours.instance = m_engine.instance;
    send(ours);
    for (const std::int64_t id : m_service.sweepIds()) {
        m_pendingSweeps.insert(id);
        if (const sweep::SweepRecord *record = m_service.sweep(id);
            record != nullptr && record->trialsTotal > 0 && m_wantsTrials)
            m_pendingTrials[id].add(1, record->trialsTotal);
    }
    m_hasPendingDevices = true;
    m_hasPendingReady = true;
    flush();
}

void ClientConnection::handle(protocol::LaunchRequest &&request)
{
    if (!repeatAnswer(request.job))
        m_service.launch(request.toml.toStdString(), request.baseFolder.toStdString(), this,
                         answerNewSweep(request.job));
}

void ClientConnection::handle(protocol::JoinRequest &&request)
{
    if (!repeatAnswer(request.job))
        m_service.join(request, this, answerNewSweep(request.job));
}

void ClientConnection::handle(protocol::ImportRequest &&request)
{
    if (!repeatAnswer(request.job))
        m_service.importSweep(request, this, answerNewSweep(request.job));
}

EngineService::Launched ClientConnection::answerNewSweep(std::uint64_t job)
{
    return [self = QPointer(this), job](const auto &launched) {
        if (!self)
            return;
        self->flushSweeps();  // the client knows the sweep when it gets the answer
        if (launched)
            self->sendAnswer(job, protocol::Launched{job, *launched});
        else
            self->sendAnswer(job, protocol::DefinitionRefused{job, launched.error()});
    };
}

void ClientConnection::handle(protocol::ControlRequest &&request)
{
    if (!repeatAnswer(request.job))
        answer(request.job, m_service.control(request.sweepId, request.control));
}

void ClientConnection::handle(protocol::EnqueueRequest &&request)
{
    if (!repeatAnswer(request.job))
        answer(request.job, m_service.enqueue(request.sweepId, request.point));
}

void ClientConnection::handle(protocol::ContinueRequest &&request)
{
    if (!repeatAnswer(request.job))
        answer(request.job, m_service.continueTrials(request.sweepId, request.trials, request.changes));
}

void ClientConnection::handle(protocol::EditRequest &&request)
{
    if (repeatAnswer(request.job))
        return;
    m_service.edit(request, this, [self = QPointer(this), job = request.job](const auto &edited) {
        if (!self)
            return;
        self->flushSweeps();
        if (edited)
            self->sendAnswer(job, protocol::Done{job, *edited});
        else
            self->sendAnswer(job, protocol::DefinitionRefused{job, edited.error()});
    });
}

void ClientConnection::handle(protocol::HistoryRequest &&request)
{
    Expected<sweep::TrialHistory> history = m_service.history(request.sweepId, request.trial);
    if (!history) {
        send(protocol::Failed{
            request.job,
            facts::Fact(facts::Code::DatabaseProblem).with(facts::Field::Detail, history.error().message)});
        return;
    }
    const protocol::HistoryAnswer answer{request.job, request.sweepId, request.trial, std::move(*history)};
    if (protocol::encode(answer).size() <= static_cast<qsizetype>(protocol::maxFrameBytes))
        send(answer);
    else
        send(protocol::Failed{request.job,
                              facts::Fact(facts::Code::HistoryTooLarge).with(facts::Field::Trial, request.trial)});
}

void ClientConnection::handle(protocol::WatchRequest &&request)
{
    m_watchesDevices = request.devices;
    Q_EMIT watchChanged();
}

void ClientConnection::handle(protocol::Ping &&)
{
    m_socket->write(protocol::frame(protocol::encode(protocol::Pong{})));  // nothing in it must be on disk first
}

void ClientConnection::answer(std::uint64_t job, const Reply &done)
{
    flushSweeps();
    if (done)
        sendAnswer(job, protocol::Done{job, *done});
    else
        sendAnswer(job, protocol::Failed{job, done.error()});
}

void ClientConnection::sendAnswer(std::uint64_t job, const protocol::Message &message)
{
    const QByteArray payload = protocol::encode(message);
    if (m_client != 0)
        m_engine.answers.add(m_client, job, payload);
    m_service.settle();
    m_socket->write(protocol::frame(payload));
}

bool ClientConnection::repeatAnswer(std::uint64_t job)
{
    const QByteArray *payload = m_client == 0 ? nullptr : m_engine.answers.find(m_client, job);
    if (payload == nullptr)
        return false;
    flushSweeps();
    m_socket->write(protocol::frame(*payload));
    return true;
}

}  // namespace sweepscope::engine
