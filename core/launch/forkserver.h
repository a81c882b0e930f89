#pragma once

#include "base/filedescriptor.h"
#include "launch/agentprocess.h"

#include <chrono>
#include <filesystem>
#include <span>
#include <sys/types.h>
#include <vector>

namespace sweepscope::launch {

/// A process of a program that loads slowly; once loaded it only forks. Each fork is the agent of an attempt, and forks
/// the attempt's ranks in turn. So libraries are loaded once for all attempts.
///
///     engine -- "PROGRAM fork-server" --- fork --- agent --- fork --- rank 0
///                                      \               \--- fork --- rank 1
///                                       \- fork --- agent ...
///
/// Apart from the agent's parent, the result is the same as with startAgent() and exec: process groups and sessions,
/// parent-death signals, descriptors, environment, and what /proc shows. It is an optimisation: if it fails, use
/// startAgent(). After a failure no agent of this attempt can begin here.
///
/// A ForkServer belongs to one thread; the server process ends with that thread.
class ForkServer {
public:
    /// A fork takes milliseconds; a server that takes longer than `patience` is stuck, and is killed.
    explicit ForkServer(std::filesystem::path program, std::chrono::milliseconds patience = std::chrono::seconds(2));
    ~ForkServer();
    ForkServer(const ForkServer &) = delete;
    ForkServer &operator=(const ForkServer &) = delete;

    /// Starts the server unless it runs; does not wait. Does nothing after repeated failures.
    void start();
    /// Starts the agent of an attempt whose folder contains launch.json. Unavailable while the server is loading or
    /// missing.
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
    Expected<void> sendRequest(const std::filesystem::path &attemptFolder, const std::vector<int> &descriptors);

    bool awaitReadable(int fd) const;

    std::filesystem::path m_program;
    std::chrono::milliseconds m_patience;
    File m_file;  ///< the file that was started
    pid_t m_pid = 0;
    FileDescriptor m_socket;
    bool m_ready = false;
    int m_failures = 0;
};

}  // namespace sweepscope::launch
