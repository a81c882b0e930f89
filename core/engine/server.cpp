#include "engine/server.h"

#include "base/filedescriptor.h"
#include "base/privatefolder.h"
#include "base/user.h"
#include "engine/clientconnection.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
constexpr auto coalesceFor = 100ms;
constexpr auto pauseAfterFailure = 1s;

/// Binds the socket to its final path, with access only for this user from the start: QLocalServer would create it
/// under another name first, which stays if the engine is killed in between, and on destruction would remove whatever
/// has the path by then.
Expected<FileDescriptor> listeningSocket(const std::filesystem::path &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = path.string();
    if (name.size() >= sizeof address.sun_path)
        return makeError(ErrorCode::BadInput, "the path " + name + " is too long for a socket (at most "
                                                  + std::to_string(sizeof address.sun_path - 1)
                                                  + " bytes); set XDG_RUNTIME_DIR to a shorter one");
    std::copy(name.begin(), name.end(), address.sun_path);
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || ::fchmod(socket.get(), 0600) != 0)  // the mode of the socket that bind() creates
        return makeErrnoError("cannot create a socket", errno);
    if (::unlink(name.c_str()) != 0 && errno != ENOENT)
        return makeErrnoError("cannot remove the old socket " + name, errno);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
        || ::listen(socket.get(), SOMAXCONN) != 0)
        return makeErrnoError("cannot listen on " + name, errno);
    return socket;
}

}  // namespace

Server::Server(EngineService &service, QString workspace, QObject *parent)
    : QObject(parent), m_service(service), m_workspace(std::move(workspace))
{
    m_flush.setSingleShot(true);
    m_flush.setInterval(coalesceFor);
    connect(&m_flush, &QTimer::timeout, this, [this] {
        for (ClientConnection *client : m_clients)
            client->flush();
    });
}

Server::~Server()
{
    for (ClientConnection *client : m_clients)
        client->disconnect(this);
    m_notifier.reset();
    if (m_socketFile)
        removeIfStill(*m_socketFile, m_socketPath);  // unless a second reader of the workspace has taken over the path
}

Expected<void> Server::listen(const std::filesystem::path &socketPath)
{
    if (Expected<void> closed = makePrivateFolder(socketPath.parent_path()); !closed)
        return closed;
    Expected<FileDescriptor> socket = listeningSocket(socketPath);
    if (!socket)
        return tl::unexpected<Error>(socket.error());
    m_socketPath = socketPath;
    m_socketFile = identityOf(socketPath);
    m_socket = std::move(*socket);
    m_notifier = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &Server::acceptClients);
    return {};
}

void Server::acceptClients()
{
    for (;;) {
        FileDescriptor accepted(::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!accepted && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (!accepted && errno != EAGAIN) {
            Q_EMIT note(tr("a client must wait: %1").arg(qt_error_string(errno)));
            m_notifier->setEnabled(false);  // it would fire again immediately
            QTimer::singleShot(pauseAfterFailure, m_notifier.get(), [this] { m_notifier->setEnabled(true); });
        }
        if (!accepted)
            return;
        if (peerUser(accepted.get()) != ::geteuid()) {
            Q_EMIT note(tr("refused a client of another user"));
            continue;
        }
        auto *socket = new QLocalSocket;
        socket->setSocketDescriptor(accepted.release());
        auto *client = new ClientConnection(socket, m_service, m_workspace, this);
        m_clients.push_back(client);
        connect(client, &ClientConnection::closed, this, [this, client] { drop(client); });
        connect(client, &ClientConnection::watchChanged, this, &Server::watchChanged);
        connect(client, &ClientConnection::note, this, &Server::note);
        Q_EMIT clientsChanged();
    }
}

void Server::drop(ClientConnection *client)
{
    m_clients.erase(std::remove(m_clients.begin(), m_clients.end(), client), m_clients.end());
    client->deleteLater();
    Q_EMIT clientsChanged();
    if (client->watchesDevices())
        Q_EMIT watchChanged();
}

bool Server::isWatchingDevices() const
{
    return std::ranges::any_of(m_clients, &ClientConnection::watchesDevices);
}

void Server::sweepChanged(std::int64_t sweepId)
{
    for (ClientConnection *client : m_clients)
        client->sweepChanged(sweepId);
    flushSoon();
}

void Server::sweepRemoved(std::int64_t sweepId)
{
    for (ClientConnection *client : m_clients)
        client->sweepRemoved(sweepId);
    flushSoon();
}

void Server::trialsChanged(std::int64_t sweepId, int first, int last)
{
    for (ClientConnection *client : m_clients)
        client->trialsChanged(sweepId, first, last);
    flushSoon();
}

void Server::devicesChanged()
{
    for (ClientConnection *client : m_clients)
        client->devicesChanged();
    flushSoon();
}

void Server::announce(const facts::Fact &news)
{
    for (ClientConnection *client : m_clients)
        client->announce(news);
}

void Server::flushSoon()
{
    if (!m_flush.isActive() && !m_clients.empty())
        m_flush.start();
}

}  // namespace sweepscope::engine
