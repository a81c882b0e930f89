#include "remote/nodelink.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

constexpr std::chrono::milliseconds greetingLimit = 20s;
constexpr int exitLimit = 2000;  // ms

}  // namespace

Expected<std::unique_ptr<NodeLink>> NodeLink::open(const Ssh &ssh, const std::string &programs,
                                                   const std::string &folder)
{
    std::unique_ptr<NodeLink> link(new NodeLink);
    const std::string command = "exec " + shellWord(programs + "/sweepscope-node") + " " + shellWord(folder);
    link->m_process.start(u"ssh"_s, ssh.arguments(inShell(command)));
    auto first = link->next(greetingLimit);
    if (!first)
        return tl::unexpected(first.error());
    const auto *welcome = *first ? std::get_if<node::Welcome>(&(*first)->message) : nullptr;
    if (welcome == nullptr)
        return makeError(ErrorCode::Timeout, "the node process of " + toString(ssh.target()) + " does not answer");
    link->m_welcome = *welcome;
    return link;
}

NodeLink::~NodeLink()
{
    m_process.closeWriteChannel();
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(exitLimit)) {
        m_process.kill();
        m_process.waitForFinished(exitLimit);
    }
}

void NodeLink::send(const node::Message &message, const std::string &payload)
{
    m_process.write(QByteArray::fromStdString(node::bytesOf({message, payload})));
    m_process.waitForBytesWritten(exitLimit);
}

Expected<std::optional<node::Parcel>> NodeLink::next(std::chrono::milliseconds limit)
{
    QElapsedTimer elapsed;
    elapsed.start();
    while (true) {
        Expected<std::optional<node::Frame>> frame = m_parser.next();
        if (!frame)
            return tl::unexpected(frame.error());
        if (*frame)
            return node::parcelIn(std::move(**frame)).map([](node::Parcel &&parcel) {
                return std::optional(std::move(parcel));
            });
        const auto rest = static_cast<int>(limit.count() - elapsed.elapsed());
        if (rest <= 0)
            return std::nullopt;
        m_process.waitForReadyRead(rest);
        const QByteArray bytes = m_process.readAllStandardOutput();
        m_parser.append({bytes.data(), static_cast<std::size_t>(bytes.size())});
        if (bytes.isEmpty() && m_process.state() == QProcess::NotRunning) {
            const std::string message = sshMessage(m_process.readAllStandardError());
            return makeError(ErrorCode::Unavailable, message.empty() ? "the connection broke" : message);
        }
    }
}

Expected<node::Done> NodeLink::awaitAnswer(std::chrono::milliseconds limit)
{
    QElapsedTimer elapsed;
    elapsed.start();
    while (elapsed.elapsed() < limit.count()) {
        auto parcel = next(limit - std::chrono::milliseconds(elapsed.elapsed()));
        if (!parcel)
            return tl::unexpected(parcel.error());
        if (!*parcel)
            break;
        const auto *done = std::get_if<node::Done>(&(*parcel)->message);
        if (done != nullptr && done->job == m_lastJob)
            return *done;
        const auto *failed = std::get_if<node::Failed>(&(*parcel)->message);
        if (failed != nullptr && failed->job == m_lastJob)
            return makeError(ErrorCode::Unavailable, failed->message.empty() ? failed->fact : failed->message);
    }
    return makeError(ErrorCode::Timeout, "the node process does not answer");
}

}  // namespace sweepscope::remote
