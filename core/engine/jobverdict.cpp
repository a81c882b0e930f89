#include "engine/jobverdict.h"

#include "slurm/jobend.h"

#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;

/// Its files may say that it failed, because Slurm's signal ended a rank first.
AttemptVerdict continued(const AttemptVerdict &byFiles, Fact why)
{
    AttemptVerdict verdict = byFiles;
    verdict.end = AttemptEnd::Stopped;
    verdict.reason = std::move(why);
    verdict.failure.reset();
    verdict.isToBeContinued = true;
    return verdict;
}

AttemptVerdict ended(const AttemptVerdict &byFiles, AttemptEnd end, Fact why)
{
    AttemptVerdict verdict = byFiles;
    verdict.end = end;
    verdict.reason = std::move(why);
    if (end == AttemptEnd::Stopped)
        verdict.failure.reset();
    return verdict;
}

}  // namespace

std::optional<AttemptVerdict> verdictOfJob(const AttemptVerdict &byFiles, bool isRequested, const slurm::JobView &view,
                                           std::chrono::seconds before)
{
    if (isRequested || byFiles.end == AttemptEnd::Completed || byFiles.end == AttemptEnd::NeverStarted)
        return byFiles;
    if (std::holds_alternative<slurm::Gone>(view))
        return byFiles.end == AttemptEnd::Lost ? ended(byFiles, AttemptEnd::Lost, Code::JobVanished) : byFiles;
    const auto *job = std::get_if<slurm::Job>(&view);
    if (job == nullptr || !slurm::hasEnded(job->state))
        return std::nullopt;
    slurm::JobEnd end = slurm::endOf(*job);
    if (end.isToBeContinued)
        return continued(byFiles, std::move(end.fact));
    if (job->state == slurm::JobState::Cancelled)
        return ended(byFiles, AttemptEnd::Stopped, std::move(end.fact));
    if (byFiles.end == AttemptEnd::Stopped)  // not at our request, so at Slurm's
        return continued(byFiles, slurm::checkpointCause(*job, before));
    if (job->state == slurm::JobState::OutOfMemory) {
        AttemptVerdict verdict = ended(byFiles, AttemptEnd::Failed, std::move(end.fact));
        verdict.failure = launch::FailureKind::OutOfMemory;
        return verdict;
    }
    const bool saysMore = byFiles.end == AttemptEnd::Lost || byFiles.failure == launch::FailureKind::NotStarted;
    if (!saysMore || !end.fact)
        return byFiles;
    AttemptVerdict verdict = byFiles;
    if (verdict.reason.code == Code::AgentLost)
        verdict.reason = std::move(verdict.reason).dueTo(std::move(end.fact));
    else if (end.fact.code != Code::JobFailed)
        verdict.reason = std::move(end.fact);
    return verdict;
}

}  // namespace sweepscope::engine
