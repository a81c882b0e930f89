#pragma once

#include "series/feedseries.h"
#include "ui/plot/devicefeed.h"
#include "ui/plot/trialsource.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace sweepscope::ui {

/// What was measured of an attempt on all of its machines, rather than reported by its ranks: CPU and memory of their
/// processes, and the load of its devices.
class AttemptReadings {
public:
    /// Nothing is measured until update().
    AttemptReadings() = default;
    explicit AttemptReadings(const TrialSource &source) { update(source); }

    /// The same attempt, with newer data about it.
    void update(const TrialSource &source);
    /// Reads new samples; returns true if there were any, or if problem() has changed. `maxBytes`: of each file.
    bool poll(std::uint64_t maxBytes);

    /// E.g. (0, "cpu"); null if it was never sampled.
    const series::Series *ofRank(int rank, std::string_view quantity) const;
    /// E.g. ("GPU-…@gpu1", "utilization"); null if it was never sampled.
    const series::Series *ofDevice(const std::string &device, std::string_view quantity) const;
    /// When a process was last sampled; 0 if never.
    WallNs newestOfRanks() const;

    /// Why a file cannot be read; empty if all can.
    std::string problem() const;
    /// The files that grow while the attempt runs.
    std::vector<std::filesystem::path> files() const;

private:
    void findAgents();

    /// Written by the agent on one machine.
    struct Host {
        std::filesystem::path file;
        series::FeedSeries series;
        std::string problem{};
    };
    struct Machine {
        std::filesystem::path file;
        DeviceFeed devices;
        std::string problem{};
    };
    AttemptLayout m_attempt;
    int m_ranks = 0;
    bool m_hasEnded = false;
    std::deque<Host> m_hosts;
    std::deque<Machine> m_machines;
};

/// Keeps the error of reading a file in `problem`. Returns true if there was anything new, or if the problem has changed.
bool storeResult(const Expected<bool> &result, std::string &problem);

}  // namespace sweepscope::ui
