#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sweepscope::train {

/// Notices a rank that is gone or frozen, within seconds, while a collective would wait for half an hour. A thread of
/// each rank talks over TCP, in a star:
///
///     rank 1 ----beat---->            a byte in both directions every quarter of a second
///     rank 2 <---beat---- rank 0      silent for longer than the timeout: lost; rank 0 tells the others which one
///     rank 3 ----bye----->            a rank that has finished; a connection closed without it: lost
///
/// Silence counts only while this process runs: if all ranks are frozen together and continue later, no rank is
/// lost.
class PeerWatch {
public:
    struct Place {
        int rank = 0;
        int size = 1;
        std::chrono::milliseconds timeout{10'000};
        /// Called by the watching thread with lost()'s sentence when this process is still there ten seconds after: its
        /// main thread hangs where nothing reaches it (in a GPU's queue).
        std::function<void(const std::string &)> onStuck{};
    };

    /// For rank 0. `loopback`: all ranks are on this machine.
    static Expected<std::unique_ptr<PeerWatch>> serve(const Place &place, bool loopback);
    /// For the other ranks; `address` is rank 0's address().
    static Expected<std::unique_ptr<PeerWatch>> join(const Place &place, const std::string &address);

    /// Says goodbye.
    ~PeerWatch();
    PeerWatch(const PeerWatch &) = delete;
    PeerWatch &operator=(const PeerWatch &) = delete;

    /// For rank 0, from the start until everybodyIsHere(): a rank that has not joined after `limit` is lost, too. It
    /// came to the meeting place, and died or was frozen before it got here.
    void expectAll(std::chrono::milliseconds limit);
    void everybodyIsHere();

    /// "host:port", for the others.
    const std::string &address() const { return m_address; }

    /// Calls `end` on a new thread as soon as a rank is lost; immediately if one already is.
    void whenLost(std::function<void()> end);

    /// "rank 2 has not responded for 10 s: …" once it is so. Any thread.
    std::optional<std::string> lost() const;
    /// The same, after giving a loss that another channel has just noticed a moment to arrive here.
    std::optional<std::string> awaitLost(std::chrono::milliseconds moment) const;

private:
    struct Peer {
        FileDescriptor socket;
        int rank = -1;  ///< -1: has not said yet
        std::chrono::milliseconds silence{0};
        std::string received{};
        bool left = false;
    };

    explicit PeerWatch(const Place &place) : m_place(place) {}
    void start();
    void run();
    void accept();
    void receive(Peer &peer);
    bool processMessage(Peer &peer);
    void beat(std::chrono::milliseconds awake);
    void missAbsent(std::chrono::milliseconds awake);
    void announce(int rank, const std::string &what);

    Place m_place;
    FileDescriptor m_listener;
    FileDescriptor m_wake;
    std::string m_address;
    std::vector<Peer> m_peers;
    mutable std::mutex m_mutex;
    std::optional<std::string> m_lost;
    std::function<void()> m_whenLost;
    std::chrono::milliseconds m_sinceLost{0};
    std::atomic<std::int64_t> m_joinLimit{0};  ///< milliseconds for ranks to join; 0: no rank is expected
    std::chrono::milliseconds m_sinceStart{0};
    std::atomic<bool> m_ending{false};
    std::thread m_thread;
};

}  // namespace sweepscope::train
