#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "base/samefile.h"
#include "engine/engineservice.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::engine {

class ClientConnection;

/// Listens on the workspace's socket and keeps every client up to date. Only this user's processes can connect: the
/// folder is private, and the peer's user id is checked.
class Server : public QObject {
    Q_OBJECT

public:
    Server(EngineService &service, QString workspace, QObject *parent = nullptr);
    ~Server() override;

    /// Replaces an existing socket: the caller holds the workspace's lock, so the socket's engine is dead.
    Expected<void> listen(const std::filesystem::path &socketPath);
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
    void acceptClients();
    void drop(ClientConnection *client);
    void flushSoon();

    EngineService &m_service;
    QString m_workspace;
    FileDescriptor m_socket;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::filesystem::path m_socketPath;
    std::optional<FileIdentity> m_socketFile;
    QTimer m_flush;
    std::vector<ClientConnection *> m_clients;
};

}  // namespace sweepscope::engine
