#include "slurm/waitingreason.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace sweepscope::slurm {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

struct Known {
    std::string_view word;
    WaitingReason reason;
};

/// From job_state_reason.c of Slurm, in lower case; limits of associations and QOS are in limitReason().
constexpr std::array<Known, 44> knownReasons{{
    {"none", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"prolog", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"scheddefer", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"cleaning", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"fedjoblock", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"mpiportsbusy", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"burstbufferresources", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"burstbufferstagein", {Code::JobWaitsForScheduler, Actor::Nobody, true}},
    {"priority", {Code::JobWaitsForPriority, Actor::Nobody, true}},
    {"resources", {Code::JobWaitsForResources, Actor::Nobody, true}},
    {"maxpoweredupnodes", {Code::JobWaitsForResources, Actor::Nobody, true}},
    {"powernotavail", {Code::JobWaitsForResources, Actor::Nobody, true}},
    {"powerreserved", {Code::JobWaitsForResources, Actor::Nobody, true}},
    {"licenses", {Code::JobWaitsForLicenses, Actor::Nobody, true}},
    {"begintime", {Code::JobBeginsLater, Actor::Nobody, true}},
    {"dependency", {Code::JobWaitsForJob, Actor::Nobody, true}},
    {"dependencyneversatisfied", {Code::JobDependencyFailed, Actor::User, false}},
    {"reservation", {Code::JobWaitsForReservation, Actor::Nobody, true}},
    {"reservationdeleted", {Code::JobReservationGone, Actor::User, false}},
    {"reservationinvalid", {Code::JobReservationGone, Actor::User, false}},
    {"reqnodenotavail", {Code::JobNodesUnavailable, Actor::Administrator, true}},
    {"nodes", {Code::JobNodesUnavailable, Actor::Administrator, true}},  // "Nodes required for job are DOWN, …"
    {"nodedown", {Code::JobNodesUnavailable, Actor::Administrator, true}},
    {"frontenddown", {Code::JobNodesUnavailable, Actor::Administrator, true}},
    {"partitiondown", {Code::JobPartitionClosed, Actor::Administrator, true}},
    {"partitioninactive", {Code::JobPartitionClosed, Actor::Administrator, true}},
    {"partitionnodelimit", {Code::JobBeyondPartition, Actor::User, false}},
    {"partitiontimelimit", {Code::JobBeyondPartition, Actor::User, false}},
    {"partitionconfig", {Code::JobBeyondPartition, Actor::User, false}},
    {"maxmemperlimit", {Code::JobBeyondPartition, Actor::User, false}},
    {"badconstraints", {Code::JobImpossible, Actor::User, false}},
    {"constraints", {Code::JobImpossible, Actor::User, false}},
    {"jobhelduser", {Code::JobHeldByUser, Actor::User, false}},
    {"jobheldadmin", {Code::JobHeldByAdministrator, Actor::Administrator, false}},
    {"jobholdmaxrequeue", {Code::JobHeldAfterFailure, Actor::Administrator, false}},
    {"launch", {Code::JobHeldAfterFailure, Actor::Administrator, false}},  // "launch failed requeued held"
    {"user", {Code::JobHeldAfterFailure, Actor::Administrator, false}},    // "user env retrieval failed requeued held"
    {"job", {Code::JobHeldAfterFailure, Actor::Administrator, false}},     // "job requeued in held state"
    {"burstbufferoperation", {Code::JobHeldAfterFailure, Actor::Administrator, false}},
    {"invalidaccount", {Code::JobNotAllowed, Actor::User, false}},
    {"invalidqos", {Code::JobNotAllowed, Actor::User, false}},
    {"qosnotallowed", {Code::JobNotAllowed, Actor::User, false}},
    {"accountnotallowed", {Code::JobNotAllowed, Actor::User, false}},
    {"jobarraytasklimit", {Code::JobWaitsForUserLimit, Actor::User, true}},
}};

std::string lowerCase(std::string_view text)
{
    std::string lower;
    for (const char c : text)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

/// Limits have systematic names: whose (QOS, Assoc, Max…PerAccount), over what (Grp: all jobs together; Max) and of what.
std::optional<WaitingReason> limitReason(std::string_view word)
{
    const auto has = [word](std::string_view part) { return word.find(part) != std::string_view::npos; };
    if (!word.starts_with("qos") && !word.starts_with("assoc") && !word.starts_with("max")
        && !word.starts_with("accounting"))
        return std::nullopt;
    if (word.starts_with("qosmin") || has("perjob") || has("pernode") || word == "associationtimelimit"
        || word == "qostimelimit" || word == "accountingpolicy")
        return WaitingReason{Code::JobBeyondLimit, Actor::User, false};
    if (word == "qosusagethreshold")
        return WaitingReason{Code::JobWaitsForBudget, Actor::Administrator, false};
    const bool isRunning = has("runmin");
    if (has("grp") && !isRunning && (has("minutes") || has("wall")))
        return WaitingReason{Code::JobWaitsForBudget, Actor::Administrator, false};
    if (has("grp") || has("peraccount"))
        return WaitingReason{Code::JobWaitsForGroupLimit, Actor::Nobody, true};
    return WaitingReason{Code::JobWaitsForUserLimit, Actor::User, true};
}

}  // namespace

WaitingReason classifyReason(std::string_view reason)
{
    std::string lower = lowerCase(reason);
    std::ranges::replace(lower, '_', ' ');
    if (lower.starts_with('('))
        lower.erase(0, 1);
    if (lower.find("maintenance") != std::string::npos)
        return {Code::JobWaitsForMaintenance, Actor::Nobody, true};
    const std::string_view word = std::string_view(lower).substr(0, lower.find_first_of(" ,:()"));
    const auto known = std::ranges::find(knownReasons, word, &Known::word);
    if (known != knownReasons.end())
        return known->reason;
    return limitReason(word).value_or(WaitingReason());
}

Fact waitingFact(const Job &job, std::int64_t now)
{
    Fact fact = Fact(classifyReason(job.reason).code).with(Field::Detail, job.reason);
    if (job.starts && *job.starts > now)
        fact = std::move(fact).dueTo(
            Fact(Code::JobStartEstimated).with(Field::Seconds, static_cast<double>(*job.starts - now)));
    return fact;
}

}  // namespace sweepscope::slurm
