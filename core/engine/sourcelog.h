#pragma once

#include "base/clock.h"
#include "sweep/trialhistory.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sweepscope::engine {

using sweep::SourceState;

/// Keeps sources.jsonl in each sweep's folder: the code with which attempts began, as git's revision and as a snapshot.
/// Runs git on a thread while attempts begin, and appends a line if the code is new; no attempt waits for it.
class SourceLog {
public:
    enum class Snapshot { Taken, NotTaken };

    /// A folder in which attempts of a sweep begin.
    struct Place {
        std::filesystem::path log;     ///< the sweep's sources.jsonl
        std::string sweep;             ///< the name of the sweep's folder, which owns the snapshots
        std::filesystem::path folder;  ///< the attempts' working directory
        Snapshot snapshot = Snapshot::Taken;

        auto operator<=>(const Place &) const = default;
    };

    /// Between two checks of a folder.
    struct Pause {
        int factor = 9;  ///< times as long as the last check took, within these limits
        std::chrono::milliseconds least{0};
        std::chrono::milliseconds most = std::chrono::minutes(1);
    };

    /// `store`: WorkspaceLayout::codeStore().
    explicit SourceLog(std::filesystem::path store) : SourceLog(std::move(store), Pause()) {}
    SourceLog(std::filesystem::path store, Pause pause);
    /// Checks folders that wait for the end of a pause, for at most five seconds.
    ~SourceLog();
    SourceLog(const SourceLog &) = delete;
    SourceLog &operator=(const SourceLog &) = delete;

    /// Call when an attempt begins. Returns immediately. The folder is checked now, or after the pause.
    void record(const Place &place, WallNs now);

private:
    using Time = std::chrono::steady_clock::time_point;

    struct Watched {
        std::optional<WallNs> began{};  ///< the first attempt since the last check; nullopt: there is none
        Time notBefore{};
        std::optional<SourceState> state{};  ///< as last recorded
    };

    void work();
    std::optional<SourceState> examine(const Place &place) const;
    void forgetOldest();

    std::filesystem::path m_store;
    Pause m_pause;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::condition_variable m_ended;
    std::map<Place, Watched> m_watched;
    bool m_ending = false;
    bool m_hasEnded = false;
    std::atomic<bool> m_cancelled = false;  ///< read by the thread while it has no lock
    std::thread m_thread;                   ///< the last member: it uses the others
};

/// Returns the state of `folder` recorded when an attempt began there at `time`; nullopt if unknown.
std::optional<SourceState> sourceAt(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs time);

/// The lines of the logs of several sweeps as one log.
std::string mergedSources(const std::vector<std::filesystem::path> &logs);

/// Parses the output of `git status --porcelain=v2 --branch`.
SourceState sourceStateFrom(const std::string &untrustedStatus);

}  // namespace sweepscope::engine
