#pragma once

#include <chrono>
#include <optional>

namespace sweepscope::slurm {

/// How often the queue is asked. Administrators ask for one call for all jobs, every 10 seconds at most.
struct PollPolicy {
    std::chrono::milliseconds shortest{10'000};
    std::chrono::milliseconds longest{300'000};
    std::chrono::milliseconds longestAfterFailure{30'000};  ///< a controller that hung for a moment answers again soon
};

struct PollState {
    std::chrono::milliseconds sinceLast{0};  ///< since the last call ended
    std::chrono::milliseconds took{0};       ///< the last call
    int failures = 0;                        ///< calls without an answer since the last one with an answer
    bool hasChanged = false;                 ///< a job was submitted, or is known to have changed: people wait for this
};

/// Returns the time until the next call; 0 if it is due, nullopt if there are no jobs to ask for. The interval grows with the
/// number of jobs and the duration of calls, so that slurmctld spends at most 2% of its time on them. It doubles with each failure, up to `longestAfterFailure`.
/// After a change it is at most 2 seconds, or five times the duration of the last call.
std::optional<std::chrono::milliseconds> untilNextPoll(const PollState &state, int jobs, const PollPolicy &policy = {});

}  // namespace sweepscope::slurm
