#include "wording/jobsentence.h"

#include "wording/placeholders.h"
#include "wording/sentence.h"

namespace sweepscope::wording {

using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

/// Why it waits; whether it will start; who can act.
const char *waitOf(Code code)
{
    switch (code) {
    case Code::JobWaitsForPriority:
        return text("waits behind jobs with a higher priority");
    case Code::JobWaitsForResources:
        return text("is next when enough nodes, GPUs or memory are free");
    case Code::JobWaitsForScheduler:
        return text("waits for Slurm's scheduler");
    case Code::JobWaitsForLicenses:
        return text("waits for licenses that other jobs use");
    case Code::JobWaitsForJob:
        return text("waits for another job to end");
    case Code::JobWaitsForReservation:
        return text("waits for the start of its reservation");
    case Code::JobWaitsForMaintenance:
        return text("waits until a maintenance window ends, because it cannot finish before it; a job with a shorter "
                    "time limit may start earlier");
    case Code::JobWaitsForUserLimit:
        return text("waits because your jobs have reached a limit; it starts when others of yours have ended");
    case Code::JobWaitsForGroupLimit:
        return text("waits because the jobs of its account or QOS have reached a limit; it starts when some of them "
                    "have ended");
    case Code::JobWaitsForBudget:
        return text(
            "does not start: the time of its account or QOS is used up; use another one, or ask an administrator");
    case Code::JobWaitsOtherwise:
        return text("waits in Slurm's queue");
    case Code::JobBeginsLater:
        return text("waits until its earliest start time");
    case Code::JobBeyondLimit:
        return text("will never start: its account or QOS does not allow this many nodes, GPUs or hours; stop it and "
                    "change slurm.time, slurm.qos or the devices of a trial");
    case Code::JobBeyondPartition:
        return text("will never start: its partition has fewer nodes, or a shorter time limit; stop it and change "
                    "slurm.partition or slurm.time");
    case Code::JobImpossible:
        return text(
            "cannot run: no node has the requested resources; change slurm.constraint, slurm.gres or the devices of a "
            "trial");
    case Code::JobNotAllowed:
        return text("will never start: you may not use this account or QOS here; change slurm.account or slurm.qos");
    case Code::JobNodesUnavailable:
        return text("waits because nodes that it needs are down or reserved; ask an administrator");
    case Code::JobPartitionClosed:
        return text("waits because its partition is closed; an administrator must open it");
    case Code::JobReservationGone:
        return text("will never start: its reservation is gone; stop it and change slurm.extra");
    case Code::JobDependencyFailed:
        return text("will never start: the job that it depends on has failed");
    case Code::JobHeldByUser:
        return text("is held by you; it waits until you release it (scontrol release)");
    case Code::JobHeldByAdministrator:
        return text("is held by an administrator, and waits until one releases it");
    case Code::JobHeldAfterFailure:
        return text("is held because its start has failed; an administrator must check the node");
    default:
        return nullptr;
    }
}

std::string waiting(const char *wait, const Fact &fact)
{
    std::string sentence = wait;
    if (!fact.text(Field::Detail).empty())
        sentence += fill(text(" ({detail})"), fact);
    for (const Fact &estimate : fact.because)
        sentence += "; " + clause(estimate);
    return sentence;
}

}  // namespace

std::string jobClause(const Fact &fact)
{
    if (const char *wait = waitOf(fact.code))
        return waiting(wait, fact);
    switch (fact.code) {
    case Code::JobStartEstimated:
        return fact.number(Field::Seconds).value_or(0) < 1
                   ? text("Slurm expects a start now")
                   : text("Slurm expects a start in ") + duration(fact.number(Field::Seconds).value_or(0))
                         + text("; other jobs may change that");
    case Code::JobsWaiting:
        return fill(fact.integer(Field::Limit) == 1
                        ? text("waits until its last job has left Slurm's queue (slurm.waiting)")
                        : text("waits until fewer than {limit} jobs are in Slurm's queue (slurm.waiting)"),
                    fact);
    case Code::JobRuns:
        if (fact.integer(Field::Count))
            return fill(fact.text(Field::Detail).empty()
                            ? text("runs in job {number}, which has run {count} trials")
                            : text("runs in job {number} on {detail}, which has run {count} trials"),
                        fact);
        return fill(fact.text(Field::Detail).empty() ? text("runs as job {number}")
                                                     : text("runs as job {number} on {detail}"),
                    fact);
    case Code::JobContinued:
        return fill(text("queued for another job: {because}"), fact);
    case Code::JobTimeLimit:
        return text("its job reached its time limit (slurm.time)");
    case Code::JobPreempted:
        return text("its job was preempted by one with a higher priority");
    case Code::JobNodeFailed:
        return fact.text(Field::Detail).empty() ? text("its node failed")
                                                : fill(text("its node failed ({detail})"), fact);
    case Code::JobOutOfMemory:
        return text("its job used more memory than it requested; request more: extra = [\"--mem=…\"]");
    case Code::JobCancelled:
        return text("its job was canceled");
    case Code::JobDeadlineMissed:
        return text("its job could not finish before its deadline");
    case Code::JobNotLaunched:
        return fill(text("Slurm could not start its job ({detail}); its folder may not be visible on the node"), fact);
    case Code::JobFailed:
        if (fact.integer(Field::Signal))
            return fill(text("its job was killed by signal {signal}"), fact);
        return fact.integer(Field::ExitCode) ? fill(text("its job ended with code {exit_code}"), fact)
                                             : text("its job failed");
    case Code::JobNotContinued:
        return text("the job that was to run it had ended");
    case Code::JobVanished:
        return text("its job has vanished from Slurm's queue, and its agent reported no end");
    case Code::JobRefused:
        return fill(text("Slurm refused the job: {detail}"), fact);
    case Code::JobSubmitLimit:
        return fill(text("Slurm accepts no further job at present: {detail}"), fact);
    case Code::ClusterUnreachable:
        return fill(text("Slurm's controller does not answer: {detail}"), fact);
    case Code::ClusterUnsuitable:
        return fill(text("{detail}"), fact);
    case Code::ClusterAsked:
        return text("waits for Slurm's controller to answer");
    case Code::ClusterRemoved:
        return text("waits until all jobs have ended, because machines.toml has no [localhost.slurm] any more");
    case Code::SubmissionUncertain:
        return fill(text("it is not known yet whether Slurm has accepted the job: {detail}"), fact);
    default:
        return {};
    }
}

}  // namespace sweepscope::wording
