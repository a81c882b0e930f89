#include "slurm/waitingreason.h"
#include "wording/sentence.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::slurm;
using facts::Code;

namespace {

std::string sentenceOf(const std::string &reason, std::int64_t starts = 0)
{
    Job job;
    job.reason = reason;
    if (starts > 0)
        job.starts = starts;
    return wording::sentence(waitingFact(job, 1000));
}

struct Expectation {
    const char *reasons;  ///< separated by blanks
    Code code;
    Actor actor;
    bool starts;
};

/// All words of squeue in 22.05 to 24.11, from Slurm's job_state_reason.c.
const std::vector<Expectation> expectations{
    {"None Prolog SchedDefer Cleaning FedJobLock MpiPortsBusy BurstBufferResources BurstBufferStageIn",
     Code::JobWaitsForScheduler, Actor::Nobody, true},
    {"Priority", Code::JobWaitsForPriority, Actor::Nobody, true},
    {"Resources PowerNotAvail PowerReserved MaxPoweredUpNodes", Code::JobWaitsForResources, Actor::Nobody, true},
    {"Licenses", Code::JobWaitsForLicenses, Actor::Nobody, true},
    {"BeginTime", Code::JobBeginsLater, Actor::Nobody, true},
    {"Dependency", Code::JobWaitsForJob, Actor::Nobody, true},
    {"DependencyNeverSatisfied", Code::JobDependencyFailed, Actor::User, false},
    {"Reservation", Code::JobWaitsForReservation, Actor::Nobody, true},
    {"ReservationDeleted ReservationInvalid", Code::JobReservationGone, Actor::User, false},
    {"ReqNodeNotAvail NodeDown FrontEndDown Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved",
     Code::JobNodesUnavailable, Actor::Administrator, true},
    {"PartitionDown PartitionInactive", Code::JobPartitionClosed, Actor::Administrator, true},
    {"PartitionNodeLimit PartitionTimeLimit PartitionConfig MaxMemPerLimit", Code::JobBeyondPartition, Actor::User,
     false},
    {"BadConstraints Constraints", Code::JobImpossible, Actor::User, false},
    {"JobHeldUser", Code::JobHeldByUser, Actor::User, false},
    {"JobHeldAdmin", Code::JobHeldByAdministrator, Actor::Administrator, false},
    {"JobHoldMaxRequeue BurstBufferOperation launch_failed_requeued_held", Code::JobHeldAfterFailure,
     Actor::Administrator, false},
    {"InvalidAccount InvalidQOS QOSNotAllowed AccountNotAllowed", Code::JobNotAllowed, Actor::User, false},
    {"QOSMaxCpuPerJobLimit QOSMaxCpuMinutesPerJobLimit QOSMaxNodePerJobLimit QOSMaxWallDurationPerJobLimit "
     "QOSMinCpuNotSatisfied QOSMinGRES QOSMinMemory QOSMinNode QOSMinBB QOSMinBilling QOSMinEnergy QOSMinLicense "
     "QOSMaxGRESPerJob QOSMaxGRESPerNode QOSMaxGRESMinutesPerJob QOSMaxMemoryPerJob QOSMaxCpuPerNode "
     "QOSMaxLicensePerJob "
     "AssocMaxCpuPerJobLimit AssocMaxCpuMinutesPerJobLimit AssocMaxNodePerJobLimit AssocMaxWallDurationPerJobLimit "
     "AssocMaxGRESPerJob AssocMaxGRESPerNode AssocMaxMemPerJob AssocMaxMemMinutesPerJob AssociationTimeLimit "
     "QOSTimeLimit "
     "AccountingPolicy QOSMinUnknown AssocMaxBillingMinutesPerJob",
     Code::JobBeyondLimit, Actor::User, false},
    {"QOSGrpCPUMinutesLimit QOSGrpWallLimit QOSGrpGRESMinutes QOSGrpBillingMinutes QOSGrpMemoryMinutes "
     "QOSGrpNodeMinutes "
     "AssocGrpCPUMinutesLimit AssocGrpWallLimit AssocGrpGRESMinutes AssocGrpBillingMinutes AssocGrpMemMinutes "
     "AssocGrpEnergyMinutes QOSUsageThreshold",
     Code::JobWaitsForBudget, Actor::Administrator, false},
    {"QOSGrpCpuLimit QOSGrpJobsLimit QOSGrpMemLimit QOSGrpNodeLimit QOSGrpSubmitJobsLimit QOSGrpGRES QOSGrpBilling "
     "QOSGrpCPURunMinutesLimit QOSGrpGRESRunMinutes AssocGrpCpuLimit AssocGrpJobsLimit AssocGrpMemLimit AssocGrpGRES "
     "AssocGrpCPURunMinutesLimit AssocGrpBillingRunMinutes MaxGRESPerAccount MaxJobsPerAccount MaxSubmitJobsPerAccount "
     "MaxCpuRunMinsPerAccount",
     Code::JobWaitsForGroupLimit, Actor::Nobody, true},
    {"QOSMaxCpuPerUserLimit QOSMaxJobsPerUserLimit QOSMaxNodePerUserLimit QOSMaxSubmitJobPerUserLimit "
     "QOSMaxGRESPerUser "
     "QOSMaxMemoryPerUser AssocMaxJobsLimit AssocMaxSubmitJobLimit AssociationJobLimit AssociationResourceLimit "
     "QOSJobLimit "
     "QOSResourceLimit JobArrayTaskLimit MaxGRESRunMinsPerUser",
     Code::JobWaitsForUserLimit, Actor::User, true},
    {"SomethingOf2030", Code::JobWaitsOtherwise, Actor::Nobody, true},
};

}  // namespace

TEST_CASE("every reason says who can act and whether the job will start")
{
    for (const Expectation &expected : expectations) {
        std::string reasons = std::string(expected.reasons) + " ";
        for (std::size_t end = reasons.find(' '); end != std::string::npos; end = reasons.find(' ')) {
            const std::string reason = reasons.substr(0, end);
            reasons.erase(0, end + 1);
            CAPTURE(reason);
            const WaitingReason found = classifyReason(reason);
            CHECK(facts::nameOf(found.code) == facts::nameOf(expected.code));
            CHECK(found.actor == expected.actor);
            CHECK(found.starts == expected.starts);
        }
    }
}

TEST_CASE("explanations behind a reason are read and shown")
{
    CHECK(classifyReason("ReqNodeNotAvail, Reserved for maintenance").code == Code::JobWaitsForMaintenance);
    CHECK(classifyReason("(ReqNodeNotAvail,_UnavailableNodes:n1)").code == Code::JobNodesUnavailable);
    CHECK(classifyReason("launch failed requeued held").code == Code::JobHeldAfterFailure);
    CHECK(classifyReason("Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions")
              .code
          == Code::JobNodesUnavailable);
    CHECK(sentenceOf("ReqNodeNotAvail, UnavailableNodes:n1")
          == "Waits because nodes that it needs are down or reserved; ask an administrator (ReqNodeNotAvail, "
             "UnavailableNodes:n1)");
}

TEST_CASE("the estimate of a start is shown with its uncertainty")
{
    CHECK(sentenceOf("Priority", 1000 + 7200)
          == "Waits behind jobs with a higher priority (Priority); Slurm expects a start in 2 h; other jobs may "
             "change that");
    CHECK(sentenceOf("Priority", 999) == "Waits behind jobs with a higher priority (Priority)");
    CHECK(sentenceOf("").starts_with("Waits"));
}
