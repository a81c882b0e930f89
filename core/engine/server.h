#pragma once

#include "base/error.h"
#include "engine/clientconnection.h"
#include "engine/engineservice.h"
#include "protocol/locallistener.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <vector>

namespace sweepscope::engine {

/// Listens on the workspace's socket and keeps every client up to date.
class Server : public QObject {
    Q_OBJECT

public:
    Server(EngineService &service, QString workspace, QObject *parent = nullptr);
    ~Server() override;

    /// See LocalListener; the caller holds the workspace's lock.
    Expected<void> listen(const std::filesystem::path &socketPath) { return m_listener.listen(socketPath); }
    int clientCount() const { return static_cast<int>(m_clients.size()); }
    /// Returns whether any client shows device activity.
    bool isWatchingDevices() const;

    // Sent to clients within a tenth of a second, together with other changes.
    void sweepChanged(std::int64_t sweepId);
    void sweepRemoved(std::int64_t sweepId);
    void trialsChanged(std::int64_t sweepId, int first, int last);
    void devicesChanged();
    /// Sends news that no client requested to all of them immediately.
    void announce(const facts::Fact &news);

Q_SIGNALS:
    void clientsChanged();
    void watchChanged();
    void note(const QString &line);

private:
    void serve(QLocalSocket *socket);
    void drop(ClientConnection *client);
    void replaceConnectionsOf(const ClientConnection &client);
    void flushSoon();

    ClientConnection::Shared m_engine;
    protocol::LocalListener m_listener;
    QTimer m_flush;
    std::vector<ClientConnection *> m_clients;
};

}  // namespace sweepscope::engine
