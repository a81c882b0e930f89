#include "slurm/jobend.h"

#include "slurm/waitingreason.h"

#include <utility>

namespace sweepscope::slurm {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// Slurm calls jobs failed that never ran, too.
JobEnd failed(const Job &job)
{
    if (job.reason == "JobLaunchFailure" || job.reason == "SystemFailure" || job.reason == "BurstBufferOperation")
        return {Fact(Code::JobNotLaunched).with(Field::Detail, job.reason), false, false};
    const WaitingReason reason = classifyReason(job.reason);
    if (reason.code == Code::JobImpossible || reason.code == Code::JobNotAllowed)
        return {Fact(reason.code).with(Field::Detail, job.reason), false, false};
    Fact fact(Code::JobFailed);
    if (job.signal)
        fact = std::move(fact).with(Field::Signal, *job.signal);
    else if (job.exitCode)
        fact = std::move(fact).with(Field::ExitCode, *job.exitCode);
    return {std::move(fact), true, false};
}

}  // namespace

JobEnd endOf(const Job &job)
{
    switch (job.state) {
    case JobState::TimedOut:
        return {Code::JobTimeLimit, false, true};
    case JobState::Preempted:
        return {Code::JobPreempted, false, true};
    case JobState::NodeFailed:
        return {Fact(Code::JobNodeFailed).with(Field::Detail, job.nodeList), false, true};
    case JobState::BootFailed:
        return {Fact(Code::JobNodeFailed).with(Field::Detail, job.nodeList), false, true};
    case JobState::OutOfMemory:
        return {Code::JobOutOfMemory, true, false};
    case JobState::Cancelled:
        return {Code::JobCancelled, false, false};
    case JobState::PastDeadline:
        return {Code::JobDeadlineMissed, false, false};
    case JobState::Failed:
        return failed(job);
    case JobState::Pending:
    case JobState::Running:
    case JobState::Completed:
    case JobState::Other:
        break;
    }
    return {};
}

Fact checkpointCause(const Job &job, std::chrono::seconds before)
{
    constexpr std::int64_t resolution = 60;  // of Slurm's time limits, in seconds
    const bool nearsEnd =
        job.limit && job.starts && job.ends && *job.ends - *job.starts >= *job.limit - before.count() - resolution;
    return nearsEnd ? Code::JobTimeLimit : Code::JobPreempted;
}

}  // namespace sweepscope::slurm
