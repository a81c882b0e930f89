#pragma once

#include "base/filedescriptor.h"
#include "node/attemptstart.h"
#include "node/filefollower.h"
#include "node/messages.h"
#include "node/reachability.h"
#include "node/sampling.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace sweepscope::node {

/// A node process: carries out requests of an engine on another machine, received over a pipe (messages.h). It has no
/// state that the next one needs. It exits when the pipe closes or the engine is silent; attempts keep running.
class Service {
public:
    struct Place {
        std::filesystem::path root;   ///< the folder that it serves; created if needed
        std::filesystem::path agent;  ///< the program
        std::string version;
        int input = 0;
        int output = 1;
        std::chrono::milliseconds silence = std::chrono::seconds(15);
    };
    explicit Service(Place place);

    /// Returns when the engine is gone. Corrupt: what came is no message.
    Expected<void> run();

private:
    using SteadyTime = std::chrono::steady_clock::time_point;
    struct Watched {
        std::optional<Process> agent;
        Life last{};
        bool isReported = false;
        std::int64_t recovering = 0;  ///< the job that is answered once the files are read
    };

    Expected<bool> read();
    void handle(Parcel &&parcel);
    void handle(const Ping &ping);
    void handle(const Start &start);
    void handle(const Signal &signal);
    void handle(const Recover &recover);
    void handle(const Withdraw &withdraw);
    void handle(const Write &write, const std::string &content);
    void handle(const Listen &listen);
    void handle(const Dial &dial);
    void handle(Follow &&follow);
    void handle(const Unfollow &unfollow);
    Welcome welcome() const;

    void scan();
    void reportLevel(const std::string &folder, Watched &watched);
    void reportLife(const std::string &folder, Watched &watched, std::optional<Life> life);
    void sendChunks();
    template <typename Message>
    void send(Message &&message);
    void answer(std::int64_t job, const Expected<void> &result);
    void flush();

    Place m_place;
    AttemptStart m_starts;
    FileFollower m_files;
    Sampling m_sampling;
    Reachability m_reachability;
    FrameParser m_parser;
    std::map<std::string, Watched> m_attempts;  ///< by folder
    std::string m_outgoing;
    std::size_t m_sent = 0;  ///< of m_outgoing
    std::int64_t m_credit = 0;
    SteadyTime m_heard;
    SteadyTime m_nextScan;
    bool m_isBroken = false;  ///< the engine does not read its pipe
};

}  // namespace sweepscope::node
