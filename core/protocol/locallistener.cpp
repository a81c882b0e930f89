#include "protocol/locallistener.h"

#include "base/privatefolder.h"
#include "base/user.h"

#include <QLocalSocket>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::protocol {

namespace {

using namespace std::chrono_literals;
constexpr auto pauseAfterFailure = 1s;

/// Binds the socket to its final path, with access only for this user from the start: QLocalServer would create it
/// under another name first, which stays if the process is killed in between, and on destruction would remove whatever
/// has the path by then.
Expected<FileDescriptor> listeningSocket(const std::filesystem::path &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = path.string();
    if (name.size() >= sizeof address.sun_path)
        return makeError(ErrorCode::BadInput, "the path " + name + " is too long for a socket (at most "
                                                  + std::to_string(sizeof address.sun_path - 1)
                                                  + " bytes); set XDG_RUNTIME_DIR to a shorter one");
    std::copy(name.begin(), name.end(), address.sun_path);
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || ::fchmod(socket.get(), 0600) != 0)  // the mode of the socket that bind() creates
        return makeErrnoError("cannot create a socket", errno);
    if (::unlink(name.c_str()) != 0 && errno != ENOENT)
        return makeErrnoError("cannot remove the old socket " + name, errno);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
        || ::listen(socket.get(), SOMAXCONN) != 0)
        return makeErrnoError("cannot listen on " + name, errno);
    return socket;
}

}  // namespace

LocalListener::~LocalListener()
{
    m_notifier.reset();
    if (m_file)
        removeIfStill(*m_file, m_path);  // unless a second reader of the workspace has taken over the path
}

Expected<void> LocalListener::listen(const std::filesystem::path &socketPath)
{
    if (Expected<void> closed = makePrivateFolder(socketPath.parent_path()); !closed)
        return closed;
    Expected<FileDescriptor> socket = listeningSocket(socketPath);
    if (!socket)
        return tl::unexpected<Error>(socket.error());
    m_path = socketPath;
    m_file = identityOf(socketPath);
    m_socket = std::move(*socket);
    m_notifier = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &LocalListener::acceptClients);
    return {};
}

void LocalListener::acceptClients()
{
    for (;;) {
        FileDescriptor descriptor(::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!descriptor && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (!descriptor && errno != EAGAIN) {
            Q_EMIT note(tr("a client must wait: %1").arg(qt_error_string(errno)));
            m_notifier->setEnabled(false);  // it would fire again immediately
            QTimer::singleShot(pauseAfterFailure, m_notifier.get(), [this] { m_notifier->setEnabled(true); });
        }
        if (!descriptor)
            return;
        if (peerUser(descriptor.get()) != ::geteuid()) {
            Q_EMIT note(tr("refused a client of another user"));
            continue;
        }
        auto *socket = new QLocalSocket;
        socket->setSocketDescriptor(descriptor.release());
        Q_EMIT accepted(socket);
    }
}

}  // namespace sweepscope::protocol
