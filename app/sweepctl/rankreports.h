#pragma once

#include "base/workspacelayout.h"
#include "feed/records.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

struct RankEvent {
    int rank = 0;
    feed::Event event;
};

/// What the ranks of an attempt have left besides metrics.
struct RankReports {
    std::vector<std::string> traces;  ///< paths of profiler traces, sorted
    std::vector<RankEvent> events;    ///< the last messages, warnings and errors, oldest first
};

/// Reads the attempt's folder and the feeds of its ranks. What cannot be read is missing.
RankReports readRankReports(const AttemptLayout &files, int ranks);

}  // namespace sweepscope::ctl
