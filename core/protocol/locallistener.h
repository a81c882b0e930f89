#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "base/samefile.h"

#include <QObject>
#include <QSocketNotifier>

#include <filesystem>
#include <memory>
#include <optional>

class QLocalSocket;

namespace sweepscope::protocol {

/// Listens on a local socket. Only this user's processes can connect: the folder is private, and the peer's user id is
/// checked.
class LocalListener : public QObject {
    Q_OBJECT

public:
    explicit LocalListener(QObject *parent = nullptr) : QObject(parent) {}
    /// Removes the socket, unless another process has replaced it.
    ~LocalListener() override;

    /// Replaces an existing socket: the caller holds the lock of what it serves, so the socket's owner is dead.
    Expected<void> listen(const std::filesystem::path &socketPath);

Q_SIGNALS:
    /// The receiver owns `socket`.
    void accepted(QLocalSocket *socket);
    void note(const QString &line);

private:
    void acceptClients();

    FileDescriptor m_socket;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::filesystem::path m_path;
    std::optional<FileIdentity> m_file;
};

}  // namespace sweepscope::protocol
