#pragma once

#include "facts/fact.h"
#include "slurm/commands.h"
#include "slurm/polling.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::slurm {

/// What is known of an attempt's jobs.
struct JobNews {
    JobView view{};
    std::vector<Job> jobs{};   ///< all with its name, if a submission was repeated
    facts::Fact problem{};     ///< why it has no job yet, or why nothing is known; None: no problem
    bool isRefused = false;    ///< it is not submitted again
    bool isTooLarge = false;   ///< that is so because of what it asks for
    bool isToBegin = false;    ///< it has no known job, and is submitted, perhaps again, if none is found
    bool isSubmitted = false;  ///< sbatch was called for it, by this desk or perhaps by an earlier one
    std::int64_t asked = 0;    ///< when the queue was asked for the last time, seconds since 1970
};

/// What is known of the cluster.
struct ClusterNews {
    bool isKnown = false;   ///< it has answered
    facts::Fact problem{};  ///< why it does not; None: it does, or was not asked yet
    bool hasGpus = false;   ///< in the partition of the settings
};

/// The jobs of a workspace on one cluster. A thread of its own submits, signals and cancels them, one at a time, and asks for
/// all of them at once. What fails is tried again until it is done. All functions return at once. Jobs outlive the desk.
class JobDesk {
public:
    /// `settings`: for the question which partition has GPUs.
    JobDesk(Runner runner, Settings settings, PollPolicy policy = {});
    /// Waits a second for a program of Slurm's that runs; it ends with this process otherwise.
    ~JobDesk();
    JobDesk(const JobDesk &) = delete;
    JobDesk &operator=(const JobDesk &) = delete;

    /// For the question whether there are GPUs.
    void useSettings(const Settings &settings);
    /// Submits the job of an attempt, once. Call after it was recorded that this was to be done. `mayExist`: an earlier engine
    /// may have done so: its name is looked up first.
    void submit(BatchJob job, Settings settings, bool mayExist);
    /// Asks for jobs with this name, of an attempt that has begun.
    void follow(const std::string &name);
    /// It is over: nothing is asked any more. Cancelling it goes on.
    void forget(const std::string &name);
    JobNews newsOf(const std::string &name) const;
    ClusterNews cluster() const;

    /// Asks for all jobs soon: something has changed.
    void hurry();
    /// Does now what failed before: the cluster may answer again.
    void retry();
    /// Sends a signal ("USR2", "TERM") to the agent of a running job.
    void signal(const std::string &name, const std::string &signal);
    /// Cancels its job, if there is one, and submits none.
    void cancel(const std::string &name);

private:
    struct State;
    std::shared_ptr<State> m_state;
};

}  // namespace sweepscope::slurm
