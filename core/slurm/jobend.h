#pragma once

#include "facts/fact.h"
#include "slurm/jobs.h"

#include <chrono>

namespace sweepscope::slurm {

/// Why a job ended, as Slurm says. What the ranks did is in the attempt's files, which come first.
struct JobEnd {
    facts::Fact fact;              ///< none if it completed
    bool isTrialsFault = false;    ///< it counts as a failure of the trial
    bool isToBeContinued = false;  ///< by another attempt, whose number of retries stays: it ran out of time or nodes
};
/// Of a job that has ended.
JobEnd endOf(const Job &job);

/// Returns why Slurm asked the agent of a job for a checkpoint, which then ended as completed: JobTimeLimit or JobPreempted.
/// `before`: checkpointTime() of its submission.
facts::Fact checkpointCause(const Job &job, std::chrono::seconds before);

}  // namespace sweepscope::slurm
