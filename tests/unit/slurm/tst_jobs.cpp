#include "slurm/jobend.h"
#include "slurm/jobs.h"
#include "wording/sentence.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::slurm;

namespace {

const std::string header =
    "JOBID|STATE|SUBMIT_TIME|START_TIME|END_TIME|TIME_LIMIT|NODES|PARTITION|NODELIST|REASON|NAME\n";

Job jobOf(const std::string &id, const std::string &name, JobState state)
{
    Job job;
    job.id = id;
    job.name = name;
    job.state = state;
    return job;
}

std::string seen(const JobSight &sight)
{
    if (const auto *job = std::get_if<Job>(&sight.view()))
        return job->id;
    return std::holds_alternative<Gone>(sight.view()) ? "gone" : "unknown";
}

std::string endSentence(JobState state, const std::string &reason = {}, std::optional<int> exitCode = {})
{
    Job job = jobOf("1", "n", state);
    job.reason = reason;
    job.nodeList = "gpu7";
    job.exitCode = exitCode;
    const JobEnd end = endOf(job);
    return wording::sentence(end.fact) + (end.isTrialsFault ? " [trial]" : "")
           + (end.isToBeContinued ? " [again]" : "");
}

}  // namespace

TEST_CASE("the queue has jobs of ours alone, whatever others are called")
{
    const auto jobs =
        parseQueue("Welcome to the cluster\n" + header
                   + "2|PENDING|1795864135|1795864675|1795864855|3:00|2|main||Resources|we|ird\n"
                     "name\n"
                     "3|RUNNING|x\n"
                     "|||||||||||sweepscope-a\n"
                     "7|PENDING|1795864135|1795864675|1795864855|3:00|2|main||ReqNodeNotAvail, "
                     "UnavailableNodes:n1|sweepscope-a|b\n"
                     "8|RUNNING|1795864135|1795864140|1795864675|1-00:00:00|1|main|n[1-2]|None|sweepscope-c\r\n");
    REQUIRE(jobs.has_value());
    REQUIRE(jobs->size() == 2);
    const Job &waiting = jobs->front();
    CHECK(waiting.id == "7");
    CHECK(waiting.state == JobState::Pending);
    CHECK(waiting.reason == "ReqNodeNotAvail, UnavailableNodes:n1");
    CHECK(waiting.starts == 1795864675);
    CHECK(waiting.nodes == 2);
    CHECK(waiting.limit == 180);
    CHECK(jobs->back().nodeList == "n[1-2]");
    CHECK(jobs->back().ends == 1795864675);
    CHECK(jobs->back().name == "sweepscope-c");
}

TEST_CASE("an answer without the list is not an empty queue")
{
    CHECK(parseQueue("").error().code == ErrorCode::Corrupt);
    CHECK(parseQueue("slurm_load_jobs error: Socket timed out\n").error().code == ErrorCode::Corrupt);
    CHECK(parseQueue(header)->empty());
}

TEST_CASE("states of all versions are known, and others are not guessed")
{
    CHECK(jobStateOf("CANCELLED by 1000") == JobState::Cancelled);
    CHECK(jobStateOf("CANCELLED+") == JobState::Cancelled);
    CHECK(jobStateOf("OUT_OF_MEMORY") == JobState::OutOfMemory);
    CHECK(jobStateOf("COMPLETING") == JobState::Running);
    CHECK(jobStateOf("SPECIAL_EXIT") == JobState::Pending);
    CHECK(jobStateOf("TELEPORTED") == JobState::Other);
    CHECK(!hasEnded(JobState::Other));
    CHECK(hasEnded(JobState::TimedOut));
}

TEST_CASE("a shown job has its exit code, and its name deceives nobody")
{
    const auto job =
        parseShownJob("JobId=14 JobName=sweepscope-x JobState=COMPLETED\n"
                      "   JobState=FAILED Reason=NonZeroExitCode Dependency=(null)\n"
                      "   Requeue=0 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=3:0\n"
                      "   SubmitTime=1795864135 EligibleTime=1795864135\n"
                      "   StartTime=1795864136 EndTime=1795864140 Deadline=N/A\n"
                      "   ReqNodeList=(null) ExcNodeList=(null)\n   NodeList=n1\n   NumNodes=1-1 NumCPUs=1\n");
    REQUIRE(job.has_value());
    CHECK(job->name == "sweepscope-x JobState=COMPLETED");
    CHECK(job->state == JobState::Failed);
    CHECK(job->exitCode == 3);
    CHECK(!job->signal);
    CHECK(job->nodeList == "n1");
    CHECK(job->nodes == 1);
    CHECK(job->ends == 1795864140);
    CHECK(parseShownJob("slurm_load_jobs error").error().code == ErrorCode::Corrupt);
}

TEST_CASE("accounts remember ended jobs")
{
    const auto jobs =
        parseAccounting("JobIDRaw|State|Submit|Start|End|Timelimit|NNodes|Partition|NodeList|ExitCode|JobName\n"
                        "77|CANCELLED by 1000|1795864135|1795864136|1795864140|00:10:00|1|main|n1|0:15|sweepscope-x\n"
                        "78|RUNNING|1795864135|1795864136|Unknown|00:10:00|1|main|n1|0:0|bash\n");
    REQUIRE(jobs.has_value());
    REQUIRE(jobs->size() == 1);
    CHECK(jobs->front().state == JobState::Cancelled);
    CHECK(jobs->front().signal == 15);
    CHECK(!parseAccounting("").has_value());
}

TEST_CASE("a job is gone after two answers without it, and failed answers count for nothing")
{
    JobSight sight("a");
    CHECK(seen(sight) == "unknown");
    sight.apply({});
    CHECK(seen(sight) == "unknown");
    sight.apply({jobOf("5", "a", JobState::Running), jobOf("6", "b", JobState::Running)});
    CHECK(seen(sight) == "5");
    sight.apply({});
    CHECK(seen(sight) == "5");
    sight.apply({});
    CHECK(seen(sight) == "gone");
    sight.apply({jobOf("5", "a", JobState::Completed)});
    CHECK(seen(sight) == "5");
}

TEST_CASE("of two jobs of an attempt the one that has not ended counts")
{
    JobSight sight("a");
    sight.apply({jobOf("10", "a", JobState::Failed), jobOf("9", "a", JobState::Running)});
    CHECK(seen(sight) == "9");
    CHECK(sight.jobs().size() == 2);
    sight.apply({jobOf("10", "a", JobState::Failed), jobOf("9", "a", JobState::Failed)});
    CHECK(seen(sight) == "10");
}

TEST_CASE("a checkpoint that Slurm asked for has a cause")
{
    Job job = jobOf("1", "n", JobState::Completed);
    CHECK(checkpointCause(job, std::chrono::seconds(120)).code == facts::Code::JobPreempted);
    job.starts = 1000;
    job.limit = 3600;
    job.ends = 1000 + 3600 - 179;
    CHECK(checkpointCause(job, std::chrono::seconds(120)).code == facts::Code::JobTimeLimit);
    job.ends = 1000 + 3600 - 190;
    CHECK(checkpointCause(job, std::chrono::seconds(120)).code == facts::Code::JobPreempted);
}

TEST_CASE("the end of a job says whether the trial is to blame")
{
    CHECK(endSentence(JobState::Completed).empty());
    CHECK(endSentence(JobState::TimedOut) == "Its job reached its time limit (slurm.time) [again]");
    CHECK(endSentence(JobState::Preempted) == "Its job was preempted by one with a higher priority [again]");
    CHECK(endSentence(JobState::NodeFailed) == "Its node failed (gpu7) [again]");
    CHECK(endSentence(JobState::OutOfMemory).ends_with("[trial]"));
    CHECK(endSentence(JobState::Cancelled) == "Its job was canceled");
    CHECK(endSentence(JobState::Failed, "NonZeroExitCode", 3) == "Its job ended with code 3 [trial]");
    CHECK(endSentence(JobState::Failed, "JobLaunchFailure")
          == "Slurm could not start its job (JobLaunchFailure); its folder may not be visible on the node");
    CHECK(endSentence(JobState::Failed, "BadConstraints").starts_with("Cannot run: no node has"));
    CHECK(endSentence(JobState::BootFailed) == "Its node failed (gpu7) [again]");
}
