#pragma once

#include "protocol/engineclient.h"
#include "protocol/framereader.h"
#include "protocol/locallistener.h"
#include "protocol/messages.h"
#include "remote/filefetcher.h"
#include "remote/mirrorfolder.h"
#include "remote/portableprograms.h"
#include "remote/ssh.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

class QLocalSocket;

namespace sweepscope::remote {

/// Serves a mirror: windows connect to it as to an engine. It passes their messages to the engine on the other machine, over
/// one relay per client, and fetches the files that they show. It ends when the connection breaks; a window that is still
/// open starts the next one.
class MirrorServer : public QObject {
    Q_OBJECT

public:
    /// Connects, which takes a moment, and listens. Errors are ssh's own words.
    static Expected<std::unique_ptr<MirrorServer>> start(const MirrorFolder &mirror, Questions questions,
                                                         const PortablePrograms &programs);
    ~MirrorServer() override;

    /// For windows that are opened without a connection.
    Expected<void> storeState() const;

Q_SIGNALS:
    void done(const QString &why);

private:
    struct Client {
        QLocalSocket *socket = nullptr;
        QProcess *relay = nullptr;
        protocol::FrameReader fromClient{};
        protocol::FrameReader fromEngine{};
        QByteArray noise{};  ///< of the shell, before the relay's greeting
        bool isGreeted = false;
        bool isKnown = false;  ///< the engine's hello has passed
    };

    MirrorServer(MirrorFolder mirror, Questions questions);
    Expected<void> connectAndListen(const PortablePrograms &programs);
    Expected<std::string> remoteFolder();
    void serve(QLocalSocket *socket);
    void passToEngine(Client &client);
    void passToClient(Client &client);
    void refuse(Client &client, const QString &why, const QString &notInstalledOn = {});
    void drop(Client *client);
    void followRunning(qint64 sweepId, int first, int last);
    void want(const protocol::LookRequest::Attempt &attempt);
    void announce(const QString &folder);
    void leaveIfIdle();
    void tellClients(const protocol::Message &message);

    MirrorFolder m_mirror;
    Ssh m_ssh;
    protocol::LocalListener m_listener;
    std::vector<std::unique_ptr<Client>> m_clients;
    protocol::EngineClient m_self;  ///< knows which attempts run
    std::set<std::pair<qint64, int>> m_arrived;
    QTimer m_sendArrived;
    QTimer m_idle;
    int m_idleChecks = 0;
    bool m_wasServed = false;  ///< m_self knows the workspace
    std::string m_home;        ///< the user's folder there
    std::unique_ptr<FileFetcher> m_fetcher;
};

/// The first line that `sweepctl relay` writes. Its number changes if older windows would misunderstand what follows.
inline constexpr const char *relayGreeting = "sweepscope-relay 1\n";

}  // namespace sweepscope::remote
