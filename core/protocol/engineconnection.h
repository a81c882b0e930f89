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
#include <filesystem>
#include <optional>

namespace sweepscope::protocol {

/// An EngineClient's connection to its engine over a local socket: made, kept, and made again. What arrives becomes the
/// client's state and signals.
class EngineConnection {
public:
    explicit EngineConnection(EngineClient *owner);
    ~EngineConnection();

    void leaveReader();
    void connectTo(const QString &workspace, bool startEngine);
    void tryConnect();
    bool isReading() const { return live && atReader; }
    std::uint64_t request(const protocol::Message &message, std::uint64_t job);
    void tellWatch();

    EngineClient *q;
    QString workspace;
    bool startEngine = false;
    bool wantsTrials = true;
    bool readOnly = false;
    bool watchesDevices = false;
    bool live = false;  ///< the whole state is there
    QString errorText;
    StateMirror state;
    Heartbeat heartbeat;
    std::uint64_t lastJob = 0;

private:
    void send(const protocol::Message &message);
    bool peerIsOurs();
    void readFrames();
    void connectionBroke();
    void notReachable();
    void startOne();
    void giveUp(const QString &reason, std::chrono::milliseconds retryIn);

    void take(protocol::Hello &&hello);
    void take(protocol::Refusal &&refusal);
    void take(protocol::Launched &&launched);
    void take(protocol::DefinitionRefused &&refused);
    void take(protocol::Done &&done);
    void take(protocol::HistoryAnswer &&answer);
    void take(protocol::Failed &&failed);
    void take(protocol::SweepChanged &&changed);
    void take(protocol::TrialsChanged &&changed);
    void take(protocol::SweepRemoved &&removed);
    void take(protocol::DevicesChanged &&changed);
    void take(protocol::Ready &&);
    void take(protocol::Pong &&) {}  // that anything came is the answer
    void takeClientMessage();
    template <typename Unexpected>
    void take(Unexpected &&)
    {
        takeClientMessage();
    }

    QLocalSocket socket;
    QTimer retry;
    FrameReader frames;
    StateMirror incoming;  ///< the whole state until Ready: a reconnect shows no half of it
    EngineStarter starter;
    std::optional<QDeadlineTimer> startDeadline;
    bool understandsWatch = false;  ///< an older engine does not
    bool understandsPing = false;   ///< nor this
    bool atReader = false;          ///< what is spoken to, or looked for, only reads
    bool served = false;     ///< an engine has answered since the last one was started: its end is no failed start
    bool wasServed = false;  ///< of this workspace, by whichever engine
    bool closing = false;    ///< we close the socket: its signals mean nothing
};

}  // namespace sweepscope::protocol
