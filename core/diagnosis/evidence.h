#pragma once

#include "base/clock.h"
#include "feed/records.h"
#include "series/series.h"
#include "sweep/linktest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::diagnosis {

/// What a rank reported, by whichever worker or script.
struct RankEvidence {
    int rank = 0;
    std::vector<const series::Series *> curves;
    std::vector<feed::Event> events;
    bool isStopped = false;  ///< lives, and is stopped by a signal

    /// Null when it has not reported that, or nothing of it.
    const series::Series *find(std::string_view name) const;
    std::optional<std::int64_t> lastStep() const;
    std::optional<WallNs> lastTime() const;
};

/// A GPU at one time. What was not known then is empty.
struct GpuRow {
    WallNs time = 0;
    std::optional<double> utilization;  ///< per cent
    std::optional<double> memory;       ///< bytes
    std::optional<double> memoryTotal;
    std::optional<double> smClock;
    std::optional<double> smClockMax;
    std::optional<double> throttleReasons;  ///< NVML's bits
    std::optional<double> pcieGeneration;
    std::optional<double> pcieGenerationMax;
    std::optional<double> pcieWidth;
    std::optional<double> pcieWidthMax;
    std::optional<double> smActivity;    ///< per cent
    std::optional<double> dramActivity;  ///< per cent
    std::optional<double> foreignProcesses;
};

/// A GPU of the attempt, while it ran.
struct GpuEvidence {
    std::string id;
    int rank = 0;  ///< the rank that uses it
    bool simulated = false;
    std::vector<GpuRow> rows;  ///< in order of time
};

/// A share of a core, in per cent.
struct MonitorRow {
    WallNs time = 0;
    double cpuPercent = 0;
};

/// How the agent ended an attempt that reported no step any more.
struct HangEnd {
    WallNs time = 0;
    std::optional<int> rank;
    std::string sentence;
};

/// The objective of a trial that completed.
struct ObjectiveEvidence {
    std::string name;
    bool isReported = false;             ///< or no trial is compared by it
    std::vector<std::string> printed{};  ///< metrics in the output of rank 0, if the ranks reported none
    bool isNeeded = true;                ///< by more than the ranking of trials: the search, pruning or a stop rule
};

/// All that the rules may know of one attempt.
struct AttemptEvidence {
    int trial = 0;
    int attempt = 0;
    std::optional<WallNs> now;  ///< while it runs: when it was looked at
    std::vector<RankEvidence> ranks;
    std::vector<GpuEvidence> gpus;
    std::vector<MonitorRow> monitor;
    std::optional<HangEnd> hang;
    WallNs begin = 0;
    std::optional<sweep::LinkTest> links{};  ///< before its ranks began, if this attempt tested them
    std::optional<ObjectiveEvidence> objective{};
    std::string minimized{};  ///< the objective of the sweep, unless it is maximized
};

}  // namespace sweepscope::diagnosis
