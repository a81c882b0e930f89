#pragma once

#include "engine/engineservice.h"
#include "engine/numberranges.h"
#include "protocol/framereader.h"
#include "protocol/messages.h"

#include <QLocalSocket>
#include <QObject>

#include <map>
#include <set>

namespace sweepscope::engine {

/// One client of the engine. What it has not been told yet is kept as numbers, not as messages: when there is room in
/// the line, the newest records go out. The whole state at the start is nothing else: everything is untold.
class ClientConnection : public QObject {
    Q_OBJECT

public:
    /// Takes the socket.
    ClientConnection(QLocalSocket *socket, EngineService &service, QString workspace, QObject *parent);

    void sweepChanged(std::int64_t sweepId);
    void sweepRemoved(std::int64_t sweepId);
    void announce(const facts::Fact &news);
    void trialsChanged(std::int64_t sweepId, int first, int last);
    void devicesChanged();
    /// Whether somebody looks at what the devices do.
    bool watchesDevices() const { return m_watchesDevices; }
    /// Send what is untold, as far as the line takes it; the rest follows by itself.
    void flush();

Q_SIGNALS:
    void closed();
    void watchChanged();
    void note(const QString &line);

private:
    void readFrames();
    void refuse(const QString &reason);
    void send(const protocol::Message &message);
    bool lineIsFull() const;
    void flushSweeps();
    /// False when the line is full.
    bool flushTrials();
    void sendTrials(std::int64_t sweepId, int first, int last);

    void take(protocol::Hello &&hello);
    void take(protocol::LaunchRequest &&request);
    void take(protocol::ControlRequest &&request);
    void take(protocol::EditRequest &&request);
    void take(protocol::EnqueueRequest &&request);
    void take(protocol::HistoryRequest &&request);
    void take(protocol::WatchRequest &&request);
    void take(protocol::Ping &&);
    void answer(std::uint64_t job, const Reply &done);
    template <typename Unexpected>
    void take(Unexpected &&)
    {
        refuse(tr("This message is for clients, not for the engine."));
    }

    QLocalSocket *m_socket;
    EngineService &m_service;
    QString m_workspace;
    protocol::FrameReader m_frames;
    bool m_wantsTrials = true;
    bool m_watchesDevices = false;
    bool m_greeted = false;
    bool m_closing = false;
    std::set<std::int64_t> m_untoldSweeps;
    std::set<std::int64_t> m_untoldRemovals;
    std::map<std::int64_t, NumberRanges> m_untoldTrials;
    bool m_untoldDevices = false;
    bool m_untoldReady = false;
};

}  // namespace sweepscope::engine
