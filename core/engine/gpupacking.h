#pragma once

#include "facts/fact.h"
#include "node/deviceremarks.h"
#include "schedule/packing.h"
#include "sweep/trialhistory.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sweepscope::engine {

/// Lets the trials of a sweep with devices.per_gpu = "auto" share GPUs: measures its running attempts, and remembers what
/// ended ones have measured, and which trials run alone. The history of the trials stores both for the next engine.
class GpuPacking {
public:
    /// `history`: of the sweep, which an earlier engine has written.
    explicit GpuPacking(const std::vector<sweep::HistoryEntry> &history);

    /// Returns the settings with which a trial gets or has GPUs now.
    schedule::GpuWishes wishesFor(int trial, const schedule::GpuWishes &wishes) const;
    /// Why a trial that starts now has its GPUs alone: AloneToMeasure or SharingDoesNotPay; None if it may share, or if
    /// its history says so already.
    facts::Fact whyAlone(int trial) const;
    /// SharingDoesNotPay; None otherwise.
    const facts::Fact &verdict() const { return m_ended.verdict(); }

    /// Of the running attempt of a trial.
    schedule::PackingMeter &meter(int trial) { return m_meters[trial]; }
    /// Whether the trial gets another attempt, alone, if this one runs out of memory.
    bool mayRerunAlone(int trial) const;
    /// Returns what the attempt has measured, for its history; None for nothing.
    facts::Fact measuredBy(int trial, bool isCompleted) const;
    /// The attempt has ended, and `measured` is in its history. `runsAlone`: so does the next one.
    void end(int trial, const facts::Fact &measured, bool runsAlone);

private:
    std::uint64_t peakBytes() const;

    schedule::PackingRecord m_ended;
    std::map<int, schedule::PackingMeter> m_meters;  ///< of running attempts, by trial
    std::set<int> m_alone;                           ///< trials that ran out of memory when they shared a GPU
};

/// Returns the memory that an attempt uses on a GPU, whose `ranks` ranks it has there, for each of them; nullopt if unknown.
/// `isOfAttempt`: whether a process is. `isAlone`: no other attempt has had the GPU since it began.
std::optional<std::uint64_t> memoryPerRank(const node::GpuSnapshot &seen, int ranks,
                                           const std::function<bool(pid_t)> &isOfAttempt, bool isAlone);

}  // namespace sweepscope::engine
