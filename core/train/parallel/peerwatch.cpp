#include "train/parallel/peerwatch.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sweepscope::train {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds interval{250};
constexpr milliseconds patience{10'000};

// One byte each, some followed by a rank as 4 bytes of the sender's order (both ends run the same program).
constexpr char hello = 'H';     // + rank
constexpr char beating = 'B';   // still here
constexpr char goodbye = 'Q';   // done, the end of this connection means nothing
constexpr char lostRank = 'L';  // + rank: rank 0 tells whom it lost
constexpr char goneRank = 'G';  // + rank: the same, its connection ended

std::string message(char kind, int rank)
{
    const auto number = static_cast<std::int32_t>(rank);
    std::string bytes(1 + sizeof number, kind);
    std::memcpy(bytes.data() + 1, &number, sizeof number);
    return bytes;
}

/// A full buffer means that the other side has not read for long; it will be found silent.
void sendTo(int socket, const std::string &bytes)
{
    static_cast<void>(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

std::string silentText(int rank, milliseconds timeout)
{
    return "rank " + std::to_string(rank) + " has not responded for "
           + std::to_string(std::chrono::ceil<std::chrono::seconds>(timeout).count())
           + " s: it is stopped, or disconnected from the others";
}

std::string goneText(int rank)
{
    return "rank " + std::to_string(rank) + " is gone; see its log";
}

std::string ownHost(bool loopback)
{
    std::array<char, 256> name{};
    if (loopback || ::gethostname(name.data(), name.size() - 1) != 0)
        return "127.0.0.1";
    return name.data();
}

}  // namespace

Expected<std::unique_ptr<PeerWatch>> PeerWatch::serve(const Place &place, bool loopback)
{
    std::unique_ptr<PeerWatch> watch(new PeerWatch(place));
    watch->m_listener = FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(loopback ? INADDR_LOOPBACK : INADDR_ANY);
    socklen_t length = sizeof address;
    auto *generic = reinterpret_cast<sockaddr *>(&address);
    if (!watch->m_listener || ::bind(watch->m_listener.get(), generic, length) != 0
        || ::listen(watch->m_listener.get(), 128) != 0 || ::getsockname(watch->m_listener.get(), generic, &length) != 0)
        return makeErrnoError("cannot listen for the other ranks' heartbeats", errno);
    watch->m_address = ownHost(loopback) + ":" + std::to_string(ntohs(address.sin_port));
    watch->start();
    return watch;
}

Expected<std::unique_ptr<PeerWatch>> PeerWatch::join(const Place &place, const std::string &address)
{
    std::unique_ptr<PeerWatch> watch(new PeerWatch(place));
    const std::size_t colon = address.rfind(':');
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    if (colon == std::string::npos
        || ::getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), &hints, &found) != 0)
        return makeError(ErrorCode::Unavailable, "cannot find rank 0's heartbeat at " + address);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket || ::connect(socket.get(), found->ai_addr, found->ai_addrlen) != 0)
        return makeErrnoError("cannot reach rank 0's heartbeat at " + address, errno);
    sendTo(socket.get(), message(hello, place.rank));
    watch->m_address = address;
    watch->m_peers.push_back({std::move(socket), 0});
    watch->start();
    return watch;
}

void PeerWatch::start()
{
    m_wake = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    // Signals are the main thread's: SIGTERM must interrupt that one.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    m_thread = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

PeerWatch::~PeerWatch()
{
    if (!m_thread.joinable())
        return;  // it could not be set up
    // Relaxed: the eventfd's system calls order it.
    m_ending.store(true, std::memory_order_relaxed);
    const std::uint64_t one = 1;
    static_cast<void>(::write(m_wake.get(), &one, sizeof one));
    m_thread.join();
    for (const Peer &peer : m_peers)
        sendTo(peer.socket.get(), std::string(1, goodbye));
}

// Relaxed, both: a beat sooner or later does not matter.
void PeerWatch::expectAll(milliseconds limit)
{
    m_joinLimit.store(limit.count(), std::memory_order_relaxed);
}

void PeerWatch::everybodyIsHere()
{
    m_joinLimit.store(0, std::memory_order_relaxed);
}

/// The call may hang in what it ends, and this thread is what ends the process then.
void PeerWatch::whenLost(std::function<void()> end)
{
    const std::lock_guard lock(m_mutex);
    if (m_lost)
        std::thread(std::move(end)).detach();
    else
        m_whenLost = std::move(end);
}

std::optional<std::string> PeerWatch::lost() const
{
    const std::lock_guard lock(m_mutex);
    return m_lost;
}

std::optional<std::string> PeerWatch::awaitLost(milliseconds moment) const
{
    const Clock::time_point end = Clock::now() + moment;
    std::optional<std::string> answer = lost();
    while (!answer && Clock::now() < end) {
        std::this_thread::sleep_for(milliseconds(5));
        answer = lost();
    }
    return answer;
}

void PeerWatch::run()
{
    Clock::time_point last = Clock::now();
    while (!m_ending.load(std::memory_order_relaxed)) {
        std::vector<pollfd> polled{{m_wake.get(), POLLIN, 0}, {m_listener.get(), POLLIN, 0}};
        for (const Peer &peer : m_peers)
            polled.push_back({peer.left ? -1 : peer.socket.get(), POLLIN, 0});
        const auto sinceBeat = std::chrono::duration_cast<milliseconds>(Clock::now() - last);
        const milliseconds left = std::max(milliseconds(0), interval - sinceBeat);
        if (::poll(polled.data(), polled.size(), static_cast<int>(left.count())) > 0) {
            for (std::size_t i = 0; i + 2 < polled.size(); ++i) {
                if (polled[i + 2].revents != 0)
                    receive(m_peers[i]);
            }
            if (polled[1].revents != 0)
                accept();
        }
        const auto awake = std::chrono::duration_cast<milliseconds>(Clock::now() - last);
        if (awake >= interval) {
            // A longer pause was this process's own sleep, which says nothing about the others.
            beat(std::min(awake, 2 * interval));
            last = Clock::now();
        }
    }
}

void PeerWatch::accept()
{
    FileDescriptor socket(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket)
        m_peers.push_back({std::move(socket)});
}

void PeerWatch::receive(Peer &peer)
{
    std::array<char, 512> bytes{};
    const ssize_t got = ::recv(peer.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        peer.left = true;
        if (peer.rank >= 0)
            announce(peer.rank, goneText(peer.rank));
        return;
    }
    peer.silence = milliseconds(0);
    peer.received.append(bytes.data(), static_cast<std::size_t>(got));
    while (processMessage(peer)) {
    }
}

/// One message from what was received; false when none is whole.
bool PeerWatch::processMessage(Peer &peer)
{
    if (peer.received.empty())
        return false;
    const char kind = peer.received.front();
    if (kind == beating || kind == goodbye) {
        peer.received.erase(0, 1);
        peer.left = peer.left || kind == goodbye;
        return true;
    }
    std::int32_t rank = 0;
    if (peer.received.size() < 1 + sizeof rank)
        return false;
    std::memcpy(&rank, peer.received.data() + 1, sizeof rank);
    peer.received.erase(0, 1 + sizeof rank);
    if (rank < 0 || rank >= m_place.size)
        peer.left = true;  // not one of ours
    else if (kind == hello)
        peer.rank = rank;
    else if (kind == lostRank)
        announce(rank, silentText(rank, m_place.timeout));
    else if (kind == goneRank)
        announce(rank, goneText(rank));
    else
        peer.left = true;
    return true;
}

void PeerWatch::missAbsent(milliseconds awake)
{
    const milliseconds limit(m_joinLimit.load(std::memory_order_relaxed));
    m_sinceStart += awake;
    if (limit.count() == 0 || m_sinceStart <= limit)
        return;
    for (int rank = 1; rank < m_place.size; ++rank) {
        if (std::none_of(m_peers.begin(), m_peers.end(), [rank](const Peer &peer) { return peer.rank == rank; }))
            announce(rank, "rank " + std::to_string(rank) + " started, but has not joined the others within "
                               + std::to_string(std::chrono::ceil<std::chrono::seconds>(limit).count()) + " s");
    }
}

void PeerWatch::beat(milliseconds awake)
{
    missAbsent(awake);
    for (Peer &peer : m_peers) {
        if (peer.left)
            continue;
        sendTo(peer.socket.get(), std::string(1, beating));
        peer.silence += awake;
        if (peer.rank >= 0 && peer.silence > m_place.timeout)
            announce(peer.rank, silentText(peer.rank, m_place.timeout));
    }
    const std::optional<std::string> gone = lost();
    if (!gone || !m_place.onStuck)
        return;
    m_sinceLost += awake;
    if (m_sinceLost > patience)
        m_place.onStuck(*gone);
}

void PeerWatch::announce(int rank, const std::string &what)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_lost)
            return;
        m_lost = what;
        if (m_whenLost)
            std::thread(m_whenLost).detach();
    }
    if (m_place.rank != 0)
        return;
    const char kind = what == goneText(rank) ? goneRank : lostRank;
    for (const Peer &peer : m_peers) {
        if (!peer.left)
            sendTo(peer.socket.get(), message(kind, rank));
    }
}

}  // namespace sweepscope::train
