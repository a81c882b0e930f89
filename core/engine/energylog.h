#pragma once

#include "base/clock.h"
#include "base/workspacelayout.h"
#include "engine/energyuse.h"
#include "engine/gpuhistory.h"
#include "launch/energyfile.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sweepscope::engine {

/// Writes the energy of each attempt on GPUs to energy.jsonl of its sweep when it has ended, on a thread that reads the
/// recorded readings of its GPUs. An attempt with an unknown energy has no line.
class EnergyLog {
public:
    struct Attempt {
        std::string id;              ///< unique
        std::filesystem::path file;  ///< energy.jsonl of its sweep
        int trial = 0;
        int number = 0;
        std::vector<std::string> devices{};  ///< of all ranks, as TrialRecord::devices
        WallNs began = 0;
    };
    /// How long to wait for a reading after the end of an attempt.
    struct Patience {
        std::chrono::milliseconds here = std::chrono::seconds(3);
        std::chrono::milliseconds elsewhere = std::chrono::minutes(1);  ///< readings of other machines arrive later
    };

    explicit EnergyLog(WorkspaceLayout workspace) : EnergyLog(std::move(workspace), Patience()) {}
    EnergyLog(WorkspaceLayout workspace, Patience patience);
    /// Measures the attempts that have ended, without waiting for further readings.
    ~EnergyLog();
    EnergyLog(const EnergyLog &) = delete;
    EnergyLog &operator=(const EnergyLog &) = delete;

    /// The energy of attempts without GPUs, and of jobs, whose GPUs are unknown, is unknown.
    void begin(const Attempt &attempt);
    /// Ignores an attempt that has not begun.
    void end(const std::string &id, WallNs time);
    /// Returns what attempts have used whose `file` this is, those of earlier engines included.
    EnergyUse use(const std::filesystem::path &file);

private:
    using Time = std::chrono::steady_clock::time_point;
    using Holdings = std::vector<series::GpuHolding>;

    struct Holder {
        Attempt attempt;
        std::map<std::string, int> gpus;  ///< and the number of ranks on each
        std::optional<WallNs> ended{};
    };
    struct Measurement {
        Holder holder;
        std::map<std::string, Holdings> others;  ///< by GPU
        Time notBefore;
        Time deadline;
    };

    void work();
    bool isRead(const Measurement &measurement);
    std::optional<series::Energy> measure(const Measurement &measurement);
    GpuHistory &historyOf(const std::string &device);
    void forgetEnded();
    EnergyUse &useIn(const std::filesystem::path &file);
    void record(const Attempt &attempt, const std::optional<series::Energy> &energy);

    WorkspaceLayout m_workspace;
    Patience m_patience;
    std::map<std::string, GpuHistory> m_histories;  ///< by machine; only the thread uses it
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Holder> m_holders;  ///< those that run, and those that ended while one of them ran
    std::list<Measurement> m_waiting;
    std::map<std::filesystem::path, EnergyUse> m_uses;  ///< by energy.jsonl
    bool m_ending = false;
    std::thread m_thread;  ///< the last member: it uses the others
};

}  // namespace sweepscope::engine
