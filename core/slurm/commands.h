#pragma once

#include "base/error.h"
#include "slurm/batchjob.h"
#include "slurm/cluster.h"
#include "slurm/jobs.h"
#include "slurm/submission.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sweepscope::slurm {

struct Output {
    int exitCode = 0;
    std::string output;
    std::string errors;
};
/// Runs a program, on this machine or another one, with this standard input. An error: it did not run, or not to its end.
using Runner = std::function<Expected<Output>(const std::vector<std::string> &command, const std::string &input,
                                              std::chrono::milliseconds limit)>;

/// Slurm's programs. Each function runs one of them and waits for it. Unavailable: no controller answers; NotFound: Slurm is
/// not installed; Timeout.
class Commands {
public:
    explicit Commands(Runner runner) : m_run(std::move(runner)) {}

    SubmitAnswer submit(const BatchJob &job, const Settings &settings) const;
    /// Asks whether and when it would start, without submitting it.
    TestAnswer test(const BatchJob &job, const Settings &settings) const;
    /// All jobs of ours of this user, with those that ended during the last minutes (MinJobAge).
    Expected<std::vector<Job>> queue() const;
    /// Slurm remembers it for some minutes after its end. NotFound.
    Expected<Job> show(const std::string &job) const;
    /// From the accounting database, which many clusters lack (Unsupported).
    Expected<std::vector<Job>> accounted(const std::vector<std::string> &names) const;
    /// Ends jobs: pending ones at once, others with SIGTERM to the agent and all ranks, and SIGKILL after KillWait.
    Expected<void> cancel(const std::vector<std::string> &jobs) const;
    /// Sends a signal to the agent of a running job ("USR2", "TERM"), and not to its ranks. A job that does not run ignores it.
    Expected<void> signal(const std::string &job, const std::string &name) const;

    /// The partition of these settings, or the default one. NotFound.
    Expected<Partition> partition(const Settings &settings) const;
    /// Runs another program of Slurm's, and returns what it printed; an error with its message if it failed.
    Expected<std::string> ask(const std::vector<std::string> &command) const;

private:
    Expected<Output> run(const std::vector<std::string> &command, const std::string &input = {}) const;

    Runner m_run;
};

}  // namespace sweepscope::slurm
