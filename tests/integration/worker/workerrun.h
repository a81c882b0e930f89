#pragma once

#include "series/feedseries.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope {

/// One rank that has ended.
struct RankResult {
    int exitCode = -1;  ///< 128 + signal if a signal ended it, as in a shell
    std::string log;    ///< stdout and stderr, as the agent would record them

    std::string lastLine() const;
};

/// Real ranks of the real worker, with rings as the agent creates them, in a temporary folder. The destructor ends
/// running ranks.
class WorkerRun {
public:
    struct Options {
        int ranks = 1;
        bool launched = true;       ///< torchrun's environment and rings; false: neither
        bool attemptFolder = true;  ///< rendezvous in the attempt folder; false: TCP
        std::map<std::string, std::string> environment{};
    };

    WorkerRun(const std::vector<std::string> &arguments, const Options &options);
    ~WorkerRun();
    WorkerRun(const WorkerRun &) = delete;
    WorkerRun &operator=(const WorkerRun &) = delete;

    /// Waits for all ranks. A rank that still runs after `deadline` is killed and fails the test.
    std::vector<RankResult> wait(std::chrono::seconds deadline = std::chrono::seconds(90));
    /// Waits until rank 0 has reported `steps` steps.
    void waitForSteps(std::int64_t steps);
    /// Waits until `rank` has reported an event of this kind.
    void waitForEvent(int rank, feed::EventKind kind);
    /// Waits until `rank` has reported an event that contains `text`, and returns its text.
    std::string waitForEvent(int rank, const std::string &text);
    /// Waits until SIGSTOP has stopped all ranks.
    void waitUntilStopped() const;
    void signal(int rank, int signalNumber) const;
    /// Writes the request for a trace as the engine does.
    void requestTrace(int steps) const;
    const std::filesystem::path &folder() const { return m_folder; }
    /// Writes the request to the rings by which the agent ends a trial.
    void requestStop();

    /// Returns everything that `rank` reported so far.
    series::FeedSeries reported(int rank);

private:
    struct Ring;
    std::filesystem::path m_folder;
    std::vector<pid_t> m_pids;
    std::vector<Ring> m_rings;

    void drain();
    std::filesystem::path file(const char *ending, int rank) const;
};

}  // namespace sweepscope
