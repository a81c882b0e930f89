#pragma once

#include "engine/attemptverdict.h"
#include "slurm/jobs.h"

#include <chrono>
#include <optional>

namespace sweepscope::engine {

/// Returns the verdict about an attempt that ran as a job of Slurm. What its files say counts, and Slurm says why: a job that
/// ran out of time, was preempted or lost its node is to be continued, and one that was cancelled is stopped.
/// nullopt: Slurm has not said yet that the job ended. `isRequested`: its end, from here. `before`: slurm::checkpointTime().
std::optional<AttemptVerdict> verdictOfJob(const AttemptVerdict &byFiles, bool isRequested, const slurm::JobView &job,
                                           std::chrono::seconds before);

}  // namespace sweepscope::engine
