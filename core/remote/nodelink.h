#pragma once

#include "base/error.h"
#include "node/messages.h"
#include "remote/portableprograms.h"
#include "remote/ssh.h"

#include <QProcess>
#include <QStringList>

#include <chrono>
#include <optional>
#include <string>

namespace sweepscope::remote {

/// A node process on another machine, and the pipe to it. May be used on any one thread.
class NodeLink {
public:
    /// Starts it. `folder`: where its attempts are. Errors: ssh's, or what came instead of a greeting.
    static Expected<std::unique_ptr<NodeLink>> open(const Ssh &ssh, const std::string &programs,
                                                    const std::string &folder);
    ~NodeLink();

    const node::Welcome &welcome() const { return m_welcome; }
    void send(const node::Message &message, const std::string &payload = {});
    /// Waits for the next message; nullopt after `limit`. Unavailable: the connection broke.
    Expected<std::optional<node::Parcel>> next(std::chrono::milliseconds limit);
    /// Sends a request and waits for its answer. Drops other messages received meanwhile. Errors: those of next(),
    /// Timeout, and Unavailable with the reason of a refusal.
    template <typename Request>
    Expected<node::Done> ask(Request request, std::chrono::milliseconds limit)
    {
        request.job = ++m_lastJob;
        send(request);
        return awaitAnswer(limit);
    }

private:
    NodeLink() = default;
    Expected<node::Done> awaitAnswer(std::chrono::milliseconds limit);

    QProcess m_process;
    node::FrameParser m_parser{node::FrameParser::Begins::WithGreeting};
    node::Welcome m_welcome;
    std::int64_t m_lastJob = 0;
};

}  // namespace sweepscope::remote
