#pragma once

#include "base/filedescriptor.h"
#include "launch/agentprocess.h"

#include <chrono>
#include <filesystem>
#include <span>
#include <sys/types.h>
#include <vector>

namespace sweepscope::launch {

/// A process of a program that takes long to load, which has loaded and does nothing but fork: each fork is the agent of
/// an attempt, and forks the attempt's ranks in turn. So libraries are loaded once for all attempts.
///
///     engine -- "PROGRAM fork-server" --- fork --- agent --- fork --- rank 0
///                                      \               \--- fork --- rank 1
///                                       \- fork --- agent ...
///
/// All is as if the agent had been started by startAgent() and the ranks by exec: whose child is whose, process groups
/// and sessions, parent-death signals, descriptors, environment, what /proc shows. It is a gain and no need: whoever
/// gets no agent here starts one with startAgent(). Then this has none that still could begin.
///
/// One process asks for agents from one thread, whose end the server does not outlive.
class ForkServer {
public:
    /// A fork takes milliseconds; a server that takes longer than `patience` is stuck, and is ended.
    explicit ForkServer(std::filesystem::path program, std::chrono::milliseconds patience = std::chrono::seconds(2));
    ~ForkServer();
    ForkServer(const ForkServer &) = delete;
    ForkServer &operator=(const ForkServer &) = delete;

    /// Start it, unless it runs; does not wait. Not again after it proved useless.
    void start();
    /// The agent of an attempt whose folder holds launch.json. Unavailable while the server is loading or is not there.
    Expected<ProcessIdentity> startAgent(const std::filesystem::path &attemptFolder, std::span<const int> leases = {});

    pid_t pid() const { return m_pid; }  ///< 0: none

private:
    struct File {
        dev_t device = 0;
        ino_t inode = 0;
        bool operator==(const File &) const = default;
    };
    File programFile() const;
    bool spawn();
    bool ready();
    void end();
    Expected<ProcessIdentity> giveUp(const std::string &why);
    Expected<void> ask(const std::filesystem::path &attemptFolder, const std::vector<int> &descriptors);

    bool awaitReadable(int fd) const;

    std::filesystem::path m_program;
    std::chrono::milliseconds m_patience;
    File m_file;  ///< what was started
    pid_t m_pid = 0;
    FileDescriptor m_socket;
    bool m_ready = false;
    int m_failures = 0;
};

}  // namespace sweepscope::launch
