#include "engine/server.h"

#include "protocol/randomid.h"

#include <QLocalSocket>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
constexpr auto coalesceFor = 100ms;

}  // namespace

Server::Server(EngineService &service, QString workspace, QObject *parent)
    : QObject(parent), m_engine{service, std::move(workspace), protocol::randomId()}
{
    connect(&m_listener, &protocol::LocalListener::accepted, this, &Server::serve);
    connect(&m_listener, &protocol::LocalListener::note, this, &Server::note);
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
}

void Server::serve(QLocalSocket *socket)
{
    auto *client = new ClientConnection(socket, m_engine, this);
    m_clients.push_back(client);
    connect(client, &ClientConnection::greeted, this, [this, client] { replaceConnectionsOf(*client); });
    connect(client, &ClientConnection::closed, this, [this, client] { drop(client); });
    connect(client, &ClientConnection::watchChanged, this, &Server::watchChanged);
    connect(client, &ClientConnection::note, this, &Server::note);
    Q_EMIT clientsChanged();
}

void Server::drop(ClientConnection *client)
{
    m_clients.erase(std::remove(m_clients.begin(), m_clients.end(), client), m_clients.end());
    client->deleteLater();
    Q_EMIT clientsChanged();
    if (client->watchesDevices())
        Q_EMIT watchChanged();
}

/// A broken connection over ssh may seem to exist for minutes, and may have a launch in progress that the client repeats.
void Server::replaceConnectionsOf(const ClientConnection &client)
{
    if (client.client() == 0)
        return;
    for (ClientConnection *other : std::vector<ClientConnection *>(m_clients)) {
        if (other != &client && other->client() == client.client())
            other->replace();
    }
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
