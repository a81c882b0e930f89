#include "remote/mirrorserver.h"

#include "base/log.h"
#include "base/workspacelayout.h"
#include "protocol/storedstate.h"

#include <QLocalSocket>
#include <QRegularExpression>

#include <algorithm>
#include <chrono>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

constexpr std::chrono::milliseconds landingPatience = 30s;
constexpr auto arrivedPause = 300ms;
constexpr auto idleCheckEvery = 5s;
constexpr int mostIdleChecks = 6;
constexpr qsizetype mostNoise = 64 * 1024;
constexpr int notFound = 127;
constexpr int badUsage = 2;  ///< of a sweepctl that has no relay

QString relayCommand(const SshTarget &target)
{
    std::vector<std::string> arguments{"relay"};
    if (!target.folder.empty())
        arguments.insert(arguments.end(), {"--workspace", target.folder});
    return sweepctlThere(arguments);
}

/// `noise`: what the shell and the relay have written.
bool greetsInAnotherVersion(const QByteArray &noise)
{
    static const QRegularExpression pattern(u"^sweepscope-relay \\d+$"_s, QRegularExpression::MultilineOption);
    return pattern.match(QString::fromLatin1(noise)).hasMatch() && noise.endsWith('\n');
}

}  // namespace

Expected<std::unique_ptr<MirrorServer>> MirrorServer::start(const MirrorFolder &mirror, Questions questions,
                                                            const PortablePrograms &programs)
{
    std::unique_ptr<MirrorServer> server(new MirrorServer(mirror, questions));
    if (const Expected<void> connected = server->connectAndListen(programs); !connected)
        return makeError(connected.error().code, toString(mirror.target) + ": " + connected.error().message);
    return server;
}

MirrorServer::MirrorServer(MirrorFolder mirror, Questions questions)
    : m_mirror(std::move(mirror)), m_ssh(m_mirror.target, questions)
{
    connect(&m_listener, &protocol::LocalListener::accepted, this, &MirrorServer::serve);
    connect(&m_self, &protocol::EngineClient::trialsChanged, this, &MirrorServer::followRunning);
    connect(&m_self, &protocol::EngineClient::connected, this, [this] { m_wasServed = true; });
    m_sendArrived.setSingleShot(true);
    m_sendArrived.setInterval(arrivedPause);
    connect(&m_sendArrived, &QTimer::timeout, this, [this] {
        for (const auto &[sweepId, trial] : std::exchange(m_arrived, {}))
            tellClients(protocol::FilesArrived{sweepId, trial});
    });
    connect(&m_idle, &QTimer::timeout, this, &MirrorServer::leaveIfIdle);
}

MirrorServer::~MirrorServer()
{
    m_fetcher.reset();
    for (const auto &client : m_clients) {
        client->relay->disconnect(this);
        client->socket->disconnect(this);
        client->relay->kill();
        client->relay->waitForFinished(1000);
        delete client->relay;
        delete client->socket;
    }
}

Expected<void> MirrorServer::storeState() const
{
    return m_wasServed ? protocol::storeState(WorkspaceLayout{m_mirror.root}.mirrorState(), m_self) : Expected<void>();
}

Expected<void> MirrorServer::connectAndListen(const PortablePrograms &programs)
{
    if (const Expected<void> connected = m_ssh.connect(); !connected)
        return connected;
    const Expected<Ssh::Output> output = m_ssh.runScript(landingScript(programs, {}), landingPatience);
    if (!output)
        return tl::unexpected(output.error());
    const Expected<Landing> landing = landingIn(output->output.toStdString(), programs);
    if (!landing)
        return tl::unexpected(landing.error());
    if (const auto brought = bringPrograms(m_ssh, *landing, programs); !brought)
        return tl::unexpected(brought.error());
    const Expected<std::string> folder = remoteFolder();
    if (!folder)
        return tl::unexpected(folder.error());
    if (const Expected<void> listening = m_listener.listen(engineSocketPath(m_mirror.root)); !listening)
        return listening;
    // The fetcher reports on its own thread.
    const auto here = [this](auto function) {
        return [this, function](const std::string &text) {
            QMetaObject::invokeMethod(
                this, [function, text] { function(text); }, Qt::QueuedConnection);
        };
    };
    const FileFetcher::Reports reports{
        here([this](const std::string &attempt) { announce(QString::fromStdString(attempt)); }),
        here([this](const std::string &why) { Q_EMIT done(QString::fromStdString(why)); }),
        here([this](const std::string &why) {
            log(LogLevel::Warning, "mirror", why);
            tellClients(protocol::Failed{0, facts::Fact(facts::Code::FilesNotCopied).with(facts::Field::Detail, why)});
        })};
    m_fetcher =
        std::make_unique<FileFetcher>(m_ssh, FileFetcher::Place{landing->folder, *folder, m_mirror.root}, reports);
    m_self.connectToWorkspace(QString::fromStdString(m_mirror.root.string()), false);
    m_idle.start(idleCheckEvery);
    return {};
}

/// The workspace there, absolute. Remembers the home folder.
Expected<std::string> MirrorServer::remoteFolder()
{
    const std::string &given = m_mirror.target.folder;
    std::string place = "\"${SWEEPSCOPE_WORKSPACE:-${XDG_DATA_HOME:-$HOME/.local/share}/sweepscope/workspace}\"";
    if (given.starts_with('/'))
        place = shellWord(given);
    else if (!given.empty())
        place = "\"$HOME\"/" + shellWord(given);
    const Expected<Ssh::Output> output = m_ssh.runScript("printf '%s\\n' \"$HOME\" " + place + "\n", landingPatience);
    if (!output)
        return tl::unexpected(output.error());
    const QList<QByteArray> lines = output->output.trimmed().split('\n');
    if (lines.size() < 2 || !lines.back().startsWith('/'))
        return makeError(ErrorCode::Unsupported, "its home folder is unknown");
    m_home = lines[lines.size() - 2].toStdString();
    return lines.back().toStdString();
}

void MirrorServer::serve(QLocalSocket *socket)
{
    m_clients.push_back(std::make_unique<Client>());
    Client *client = m_clients.back().get();
    client->socket = socket;
    client->relay = new QProcess;
    connect(socket, &QLocalSocket::readyRead, this, [this, client] { passToEngine(*client); });
    // Later: it may be disconnected by a function that still uses the client.
    connect(
        socket, &QLocalSocket::disconnected, this, [this, client] { drop(client); }, Qt::QueuedConnection);
    connect(client->relay, &QProcess::readyReadStandardOutput, this, [this, client] { passToClient(*client); });
    connect(client->relay, &QProcess::finished, this, [this, client](int code) {
        passToClient(*client);
        const std::string said = sshMessage(client->relay->readAllStandardError());
        const QString there = QString::fromStdString(toString(m_mirror.target));
        if (!client->isGreeted && code == notFound)
            refuse(*client,
                   tr("Sweepscope is not installed on %1: sweepctl was not found in PATH. To run trials there without "
                      "installing it, see sweepctl machine add.")
                       .arg(there),
                   there);
        else if (!client->isGreeted && code == badUsage)
            refuse(*client, tr("Sweepscope on %1 is too old for this window. Update it there.").arg(there));
        else if (!client->isGreeted)
            refuse(*client, QString::fromStdString(said.empty() ? "the connection broke" : said));
        client->socket->disconnectFromServer();
    });
    client->relay->start(u"ssh"_s, m_ssh.arguments(relayCommand(m_mirror.target)));
    passToEngine(*client);
}

void MirrorServer::passToEngine(Client &client)
{
    client.fromClient.append(client.socket->readAll());
    while (true) {
        const Expected<std::optional<QByteArray>> payload = client.fromClient.next();
        if (!payload)
            return client.socket->abort();
        if (!*payload)
            return;
        constexpr qsizetype longestLook = 64 * 1024;
        const auto message = (*payload)->size() < longestLook && (*payload)->contains("look")
                                 ? protocol::decode(**payload)
                                 : Expected<protocol::Message>(protocol::Ping());
        const auto *look = message ? std::get_if<protocol::LookRequest>(&*message) : nullptr;
        if (look == nullptr) {
            client.relay->write(protocol::frame(**payload));
            continue;
        }
        for (const protocol::LookRequest::Attempt &attempt : look->attempts)
            want(attempt);
    }
}

void MirrorServer::passToClient(Client &client)
{
    QByteArray bytes = client.relay->readAllStandardOutput();
    if (!client.isGreeted) {
        client.noise += bytes;
        const qsizetype found = client.noise.indexOf(relayGreeting);
        if (found < 0 && greetsInAnotherVersion(client.noise))
            return refuse(client, tr("Sweepscope on %1 has a different version. Use the same release on both machines.")
                                      .arg(QString::fromStdString(toString(m_mirror.target))));
        if (found < 0 && client.noise.size() > mostNoise)
            return refuse(client, tr("%1 did not answer with Sweepscope's protocol.")
                                      .arg(QString::fromStdString(toString(m_mirror.target))));
        if (found < 0)
            return;
        client.isGreeted = true;
        bytes = client.noise.sliced(found + static_cast<qsizetype>(std::char_traits<char>::length(relayGreeting)));
        client.noise.clear();
    }
    client.fromEngine.append(bytes);
    while (true) {
        Expected<std::optional<QByteArray>> payload = client.fromEngine.next();
        if (!payload)
            return refuse(client, QString::fromStdString(payload.error().message));
        if (!*payload)
            return;
        if (!client.isKnown) {
            Expected<protocol::Message> message = protocol::decode(**payload);
            auto *hello = message ? std::get_if<protocol::Hello>(&*message) : nullptr;
            if (hello != nullptr) {
                hello->mirror = true;
                hello->home = QString::fromStdString(m_home);
                SshTarget named = m_mirror.target;
                named.folder = hello->workspace.toStdString();
                hello->workspace = QString::fromStdString(toString(named));
                **payload = protocol::encode(*hello);
            }
            client.isKnown = true;
        }
        client.socket->write(protocol::frame(**payload));
    }
}

void MirrorServer::refuse(Client &client, const QString &why, const QString &notInstalledOn)
{
    client.socket->write(protocol::frame(protocol::encode(protocol::Refusal{why, notInstalledOn})));
    client.socket->flush();
    client.socket->disconnectFromServer();
}

void MirrorServer::drop(Client *client)
{
    client->socket->disconnect(this);
    client->relay->disconnect(this);
    client->socket->deleteLater();
    client->relay->closeWriteChannel();
    client->relay->terminate();
    connect(client->relay, &QProcess::finished, client->relay, &QObject::deleteLater);
    if (client->relay->state() == QProcess::NotRunning)
        client->relay->deleteLater();
    std::erase_if(m_clients, [client](const auto &known) { return known.get() == client; });
}

/// One client is this object's own.
void MirrorServer::leaveIfIdle()
{
    m_idleChecks = m_clients.size() <= 1 ? m_idleChecks + 1 : 0;
    if (m_idleChecks >= mostIdleChecks)
        Q_EMIT done(tr("no client is connected"));
}

void MirrorServer::tellClients(const protocol::Message &message)
{
    const QByteArray frame = protocol::frame(protocol::encode(message));
    for (const auto &client : m_clients) {
        if (client->isKnown)
            client->socket->write(frame);
    }
}

void MirrorServer::followRunning(qint64 sweepId, int first, int last)
{
    const std::vector<sweep::TrialRecord> &trials = m_self.trials(sweepId);
    for (int number = std::max(first, 1); number <= last && number <= static_cast<int>(trials.size()); ++number) {
        const sweep::TrialRecord &trial = trials[static_cast<std::size_t>(number - 1)];
        if (trial.state == sweep::TrialState::Running && trial.attempts > 0)
            want({sweepId, number, trial.attempts, false});
    }
}

void MirrorServer::want(const protocol::LookRequest::Attempt &attempt)
{
    const sweep::SweepRecord *sweep = m_self.sweep(attempt.sweepId);
    if (sweep == nullptr)
        return;
    const std::filesystem::path path = WorkspaceLayout{}.attempt(sweep->folder, attempt.trial, attempt.attempt).folder;
    m_fetcher->want(path.string(), attempt.whole);
}

/// Windows read again what they show of the trial.
void MirrorServer::announce(const QString &folder)
{
    const QStringList parts = folder.split(u'/');  // sweeps/NAME/trials/0007/1
    if (parts.size() != 5)
        return;
    for (const sweep::SweepRecord &sweep : m_self.sweeps()) {
        if (parts[1] == QString::fromStdString(sweep.folder))
            m_arrived.emplace(sweep.id, parts[3].toInt());
    }
    if (!m_sendArrived.isActive())
        m_sendArrived.start();
}

}  // namespace sweepscope::remote
