#pragma once

#include "engine/answers.h"
#include "engine/engineservice.h"
#include "engine/numberranges.h"
#include "protocol/framereader.h"
#include "protocol/messages.h"

#include <QLocalSocket>
#include <QObject>

#include <map>
#include <set>

namespace sweepscope::engine {

/// One client of the engine. Changes that it does not know yet are kept as numbers, not as messages: when the socket
/// has room, the newest records are sent. The initial state needs no special case: every record is unsent.
class ClientConnection : public QObject {
    Q_OBJECT

public:
    /// What all connections of an engine share.
    struct Shared {
        EngineService &service;
        QString workspace;
        std::uint64_t instance;  ///< see protocol::Hello
        Answers answers{};
    };

    /// Takes the socket.
    ClientConnection(QLocalSocket *socket, Shared &engine, QObject *parent);

    void sweepChanged(std::int64_t sweepId);
    void sweepRemoved(std::int64_t sweepId);
    void announce(const facts::Fact &news);
    void trialsChanged(std::int64_t sweepId, int first, int last);
    void devicesChanged();
    /// Returns whether the client shows device activity.
    bool watchesDevices() const { return m_watchesDevices; }
    /// See protocol::Hello; 0 before its hello.
    std::uint64_t client() const { return m_client; }
    /// The client has another connection.
    void replace();
    /// Sends unsent changes as far as the socket's buffer allows; the rest follows automatically.
    void flush();

Q_SIGNALS:
    void greeted();  ///< its hello has come
    void closed();
    void watchChanged();
    void note(const QString &line);

private:
    void readFrames();
    void refuse(const QString &reason);
    void send(const protocol::Message &message);
    bool lineIsFull() const;
    void flushSweeps();
    /// Returns false if the socket's buffer is full.
    bool flushTrials();
    void sendTrials(std::int64_t sweepId, int first, int last);

    void handle(protocol::Hello &&hello);
    void handle(protocol::LaunchRequest &&request);
    void handle(protocol::ControlRequest &&request);
    void handle(protocol::EditRequest &&request);
    void handle(protocol::EnqueueRequest &&request);
    void handle(protocol::ContinueRequest &&request);
    void handle(protocol::JoinRequest &&request);
    void handle(protocol::ImportRequest &&request);
    void handle(protocol::HistoryRequest &&request);
    void handle(protocol::WatchRequest &&request);
    void handle(protocol::Ping &&);
    void answer(std::uint64_t job, const Reply &done);
    EngineService::Launched answerNewSweep(std::uint64_t job);
    /// Sends an answer, and keeps it for a client that does not receive it.
    void sendAnswer(std::uint64_t job, const protocol::Message &message);
    /// Answers a request that was carried out before the client's connection broke. Returns false for a new one.
    bool repeatAnswer(std::uint64_t job);
    template <typename Unexpected>
    void handle(Unexpected &&)
    {
        refuse(tr("This message is for clients, not for the engine."));
    }

    QLocalSocket *m_socket;
    Shared &m_engine;
    EngineService &m_service;
    protocol::FrameReader m_frames;
    std::uint64_t m_client = 0;
    bool m_wantsTrials = true;
    bool m_watchesDevices = false;
    bool m_greeted = false;
    bool m_closing = false;
    std::set<std::int64_t> m_pendingSweeps;
    std::set<std::int64_t> m_pendingRemovals;
    std::map<std::int64_t, NumberRanges> m_pendingTrials;
    bool m_hasPendingDevices = false;
    bool m_hasPendingReady = false;
};

}  // namespace sweepscope::engine
