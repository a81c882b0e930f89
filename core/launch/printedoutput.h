#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "output/metricssection.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// What a rank printed in an attempt whose output was not read.
namespace sweepscope::launch {

/// The metrics that OutputFormat::Auto would find in this part of a log, in the order in which they were printed.
std::vector<std::string> printedMetrics(std::string_view untrustedText);

struct PrintedLog {
    int rank = 0;
    int worldSize = 1;
    std::string attemptId;
    std::filesystem::path log;
    std::filesystem::path times;  ///< of the log (base/logtimes.h); where it says nothing, points are from `started`
    WallNs started = 0;
};

/// Whether the feed has a point: a rank may have reported only events.
bool hasPoints(const std::filesystem::path &feed);

/// Writes the values that the agent would have reported from the log to `feed`, and returns their number. Creates no
/// feed without values, and keeps the events of one that has no points. AlreadyExists: it has some. Reads at most
/// mostLogBytes.
Expected<std::uint64_t> writeFeedOfLog(const output::MetricsSection &metrics, const PrintedLog &printed,
                                       const std::filesystem::path &feed);

inline constexpr std::int64_t mostLogBytes = 256 * 1024 * 1024;

}  // namespace sweepscope::launch
