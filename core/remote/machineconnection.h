#pragma once

#include "node/messages.h"
#include "remote/filestream.h"
#include "remote/machines.h"
#include "remote/portableprograms.h"
#include "remote/ssh.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sweepscope::remote {

/// What is known of a machine now.
struct MachineStatus {
    using Time = std::chrono::steady_clock::time_point;
    bool isConnected = false;
    std::string problem{};                   ///< why not; empty before the first attempt to connect has ended
    Time since{};                            ///< when that changed
    node::Welcome welcome{};                 ///< of the last connection
    std::optional<node::Machine> devices{};  ///< as last reported
    node::Disk disk{};                       ///< the same
    std::int64_t clockOffset = 0;            ///< its clock minus ours, in ns
    std::int64_t clockError = 0;             ///< how wrong that may be; 0: not known yet
};

/// Returns what was written to the file, from its beginning.
Expected<QByteArray> contentOf(int file);

/// Where an attempt is prepared there. Used on a thread of the connection.
struct Site {
    const Ssh &ssh;
    std::string base;                      ///< the folder for all that Sweepscope keeps there
    std::string root;                      ///< of the copy of this workspace
    const std::atomic<bool> &isCancelled;  ///< the engine ends
    std::string python{};                  ///< from which `import sweepscope` works

    /// Unpacks a tar archive as base/`kind`/`name`, read-only, unless that is there. `name` must stand for the content.
    /// Returns the folder.
    Expected<std::string> bring(const std::string &kind, const std::string &name,
                                const std::function<Expected<QByteArray>()> &archive) const;
    /// Whether the machine's setup works there, and has its Python: asked until it does, then no more on this connection.
    Expected<void> checkEnvironment(const Machine &machine, bool needsPython) const;
    std::shared_ptr<std::set<bool>> working =
        std::make_shared<std::set<bool>>();  ///< the answers that were good: needsPython
};

/// The connection of an engine to a machine on which its trials run. A separate thread connects, copies programs,
/// repeats requests until they are answered, and reconnects when the connection breaks. Attempts keep running
/// meanwhile. No function blocks.
class MachineConnection {
public:
    struct Place {
        std::filesystem::path workspace;
        std::filesystem::path share;  ///< share/sweepscope of this installation
    };
    using Answer = tl::expected<node::Done, node::Failed>;
    /// Returns the request that starts an attempt, after it has brought what that needs. May take minutes; called on
    /// another thread, and again if it failed because the connection broke.
    using Prepare = std::function<Expected<node::Start>(const Site &)>;

    MachineConnection(Machine machine, Place place);
    ~MachineConnection();
    /// Ends the connection; isDone() after a moment. Attempts go on.
    void end();
    bool isDone() const { return m_isDone; }
    MachineConnection(const MachineConnection &) = delete;
    MachineConnection &operator=(const MachineConnection &) = delete;

    const Machine &machine() const { return m_machine; }
    bool isConnected() const;
    /// Files of attempts that have ended are still coming, or requests are not answered.
    bool isBusy() const;
    MachineStatus status() const;

    /// Starts an attempt, and copies its files from then on. Returns the number of the request.
    std::int64_t start(Prepare prepare);
    /// Forgets a start that has not been sent yet: nothing of it happens there. Returns false if it was sent.
    bool cancelStart(std::int64_t request);
    /// Signal, Recover, Withdraw or Write; each may be done twice.
    std::int64_t post(node::Message request, std::string payload = {});
    /// Returns the answer, once; that of a Signal or Write is dropped.
    std::optional<Answer> takeAnswer(std::int64_t request);

    /// Copies the files of an attempt, and reports its agent's life, if that is a process of the machine.
    void follow(const std::string &folder, std::optional<node::Process> agent);
    /// The attempt is over: what is left of its files is copied, now or by a later connection, and then nothing more.
    void finish(const std::string &folder);
    /// The attempt was given up: its agent is killed when the machine is back.
    void giveUp(const std::string &folder, const node::Process &agent);
    /// The files of a sweep (SweepRecord::folder) are removed there, now or by a later connection.
    void discard(const std::string &sweepFolder);
    /// Whether the agent was seen to have ended, and all files have come.
    bool isLevel(const std::string &folder) const;
    /// nullopt: not known since the connection was made.
    std::optional<node::Life> life(const std::string &folder) const;
    /// How often the node process has reported on the agent.
    std::uint64_t looks(const std::string &folder) const;

private:
    struct Request {
        node::Message message{};
        std::string payload{};
        Prepare prepare{};  ///< makes the message
        bool isSent = false;
    };
    struct Followed {
        std::optional<node::Process> agent{};
        bool isAnnounced = false;  ///< on this connection
        bool isFinishing = false;
        bool isLevel = false;
        std::optional<node::Life> life{};
        std::uint64_t looks = 0;
    };
    struct Outgoing {
        std::vector<std::string> unfollow{};
        std::vector<std::pair<std::string, std::optional<node::Process>>> follow{};
        std::vector<node::Parcel> requests{};
        bool hasDiscarded = false;
    };
    struct Session;

    void run();
    Expected<void> connectAndServe();
    Expected<std::string> bringReporter(const Site &site) const;
    Expected<void> killGivenUp(NodeLink &link);
    void removeDiscarded(const Site &site);
    Outgoing takeOutgoing(Session &session);
    static void send(Session &session, const Outgoing &outgoing);
    Expected<void> prepareNext(Session &session);
    Expected<void> handle(Session &session, const node::Parcel &parcel);
    void answer(std::int64_t request, Answer answer);
    void setProblem(const std::string &problem);
    void readUnfinished();
    void writeUnfinished() const;
    std::filesystem::path hostFile(const char *name) const;

    Machine m_machine;
    Place m_place;
    mutable std::mutex m_mutex;  ///< guards everything that follows, except the thread
    std::condition_variable m_wake;
    std::atomic<bool> m_isDone = false;
    std::atomic<bool> m_isEnding = false;  ///< read without it, as is m_isDone
    MachineStatus m_status;
    std::int64_t m_lastRequest = 0;
    std::map<std::int64_t, Request> m_requests;  ///< not answered yet
    std::map<std::int64_t, Answer> m_answers;
    std::map<std::string, Followed> m_followed;  ///< by folder
    std::vector<std::string> m_toUnfollow;
    bool m_hasDiscarded = true;  ///< the file "discarded" may have lines
    std::thread m_thread;
};

}  // namespace sweepscope::remote
