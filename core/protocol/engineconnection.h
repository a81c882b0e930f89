#pragma once

#include "protocol/engineclient.h"
#include "protocol/enginestarter.h"
#include "protocol/framereader.h"
#include "protocol/heartbeat.h"
#include "protocol/statemirror.h"

#include <QDeadlineTimer>
#include <QLocalSocket>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

namespace sweepscope::protocol {

/// An EngineClient's connection to its engine over a local socket: connects, maintains and reconnects. Received
/// messages become the client's state and signals.
class EngineConnection {
public:
    explicit EngineConnection(EngineClient *owner);
    ~EngineConnection();

    void leaveReader();
    void connectTo(const QString &workspace, bool startEngine, const QString &address);
    void tryConnect();
    bool isReading() const { return live && atReader; }
    /// Sends a request under a new job id, which is returned, or fails it if that is impossible.
    template <typename Request>
    std::uint64_t request(Request request)
    {
        request.job = ++lastJob;
        if (readOnly && !std::is_same_v<Request, HistoryRequest>)
            fail(request.job, facts::Code::WindowIsReadOnly);
        else if (!live)
            fail(request.job,
                 facts::Fact(facts::Code::NotConnected).with(facts::Field::Detail, errorText.toStdString()));
        else
            send(request, request.job);
        return request.job;
    }
    void sendWatch();
    void look(const protocol::LookRequest::Attempt &attempt);

    EngineClient *q;
    QString workspace;
    bool startEngine = false;
    bool isFirstStart = true;  ///< since connectTo(): a person waits
    bool wantsTrials = true;
    bool readOnly = false;
    bool watchesDevices = false;
    bool mirror = false;  ///< LookRequest is understood
    QString mirrored;     ///< the address of the workspace then
    QString home;         ///< the user's folder over there
    bool live = false;    ///< the complete state has arrived
    QString errorText;
    QString notInstalledOn;  ///< see Refusal
    WallNs storedAt = 0;     ///< the time of `state`, if that was stored
    StateMirror state;
    Heartbeat heartbeat;

private:
    void send(const protocol::Message &message);
    void send(const protocol::Message &request, std::uint64_t job);
    void repeatUnanswered();
    void failUnanswered();
    void fail(std::uint64_t job, facts::Fact reason);
    bool peerIsOurs();
    void readFrames();
    void connectionBroke();
    void notReachable();
    void startOne();
    void loadState();
    void announceState();
    void giveUp(const QString &reason, std::chrono::milliseconds retryIn);

    void handle(protocol::Hello &&hello);
    void handle(protocol::Refusal &&refusal);
    void handle(protocol::Launched &&launched);
    void handle(protocol::DefinitionRefused &&refused);
    void handle(protocol::Done &&done);
    void handle(protocol::HistoryAnswer &&answer);
    void handle(protocol::Failed &&failed);
    void handle(protocol::SweepChanged &&changed);
    void handle(protocol::TrialsChanged &&changed);
    void handle(protocol::SweepRemoved &&removed);
    void handle(protocol::DevicesChanged &&changed);
    void handle(protocol::FilesArrived &&arrived);
    void handle(protocol::Ready &&);
    void handle(protocol::Pong &&) {}  // any message is a sufficient answer
    void rejectClientMessage();
    template <typename Unexpected>
    void handle(Unexpected &&)
    {
        rejectClientMessage();
    }

    const std::uint64_t clientId;
    std::uint64_t lastJob = 0;
    std::map<std::uint64_t, QByteArray> unanswered;  ///< frames by job
    std::uint64_t instance = 0;                      ///< of the engine that got them; see Hello
    std::uint64_t incomingInstance = 0;
    QLocalSocket socket;
    QTimer retry;
    QTimer sendLooks;
    std::set<protocol::LookRequest::Attempt> looks;  ///< to be sent
    FrameReader frames;
    StateMirror incoming;  ///< receives the complete state until Ready, so that a reconnect never shows half of it
    EngineStarter starter;
    std::optional<QDeadlineTimer> startDeadline;
    bool understandsWatch = false;  ///< an older engine does not
    bool understandsPing = false;   ///< nor this
    bool atReader = false;          ///< connected to, or looking for, a read-only server
    bool served = false;            ///< an engine has answered since the last start: its end is no failed start
    bool wasServed = false;         ///< of this workspace, by any engine
    bool metEndingEngine = false;   ///< since connectTo(): it closed the connection before it answered
    bool closing = false;           ///< we are closing the socket: ignore its signals
};

}  // namespace sweepscope::protocol
