#pragma once

#include "slurm/settings.h"

#include <chrono>
#include <string>
#include <vector>

namespace sweepscope::slurm {

/// An attempt as a job: on one node, or with an agent on each of several.
struct BatchJob {
    std::string name;    ///< from jobName()
    std::string folder;  ///< of the attempt, absolute there; it exists and has launch.json, with gpus_of_job
    std::vector<std::string> command;  ///< the agent and its arguments; its folder is the job's working directory
    int gpus = 0;                      ///< on each node
    int cpus = 0;                      ///< on each node; 0: the cluster's default
    std::string setup;                 ///< shell commands that set up the environment of trials
    bool slurmEnvironment = false;     ///< ranks see SLURM_ variables, by which frameworks take over signals and ranks
    /// Of the agents of further nodes, below `folder`, which the first one has. Empty: one node.
    std::vector<std::string> otherFolders{};
    /// On one node: how long the job waits for another attempt, whose folder appears in AttemptLayout::nextOfJob(). It waits only
    /// after an attempt that took less than ten minutes and was not asked to end. 0: it ends with the first attempt.
    std::chrono::seconds lingers{0};
};

/// The prefix of all names of ours.
inline constexpr const char *jobPrefix = "sweepscope-";
/// Returns a name that no other attempt has. Attempts have unique names; other characters than letters, digits, '-', '_' and
/// '.' become their code.
std::string jobName(const std::string &attempt);

/// Returns the time before the wall time's end at which the agent is asked to save a checkpoint. Slurm's clock has a
/// resolution of a minute, so it may come as much earlier.
std::chrono::seconds checkpointTime(const Settings &settings);

/// Returns the arguments of sbatch. They come before the user's SBATCH_ variables.
std::vector<std::string> sbatchArguments(const BatchJob &job, const Settings &settings);
/// Returns the script, for sbatch's standard input. On one node it becomes the agent, so that the job ends with it and Slurm's
/// signals reach it and nothing else: USR2 asks for a checkpoint. One that lingers passes signals on. On several nodes, it starts the agents with srun, and appends the
/// signals that it gets to AttemptLayout::jobSignals(): srun would send them to the ranks, too.
std::string batchScript(const BatchJob &job, const Settings &settings);

}  // namespace sweepscope::slurm
