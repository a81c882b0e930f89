#include "engine/decisions/attemptend.h"

#include "sweep/singlerun.h"

#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;
using sweep::TrialState;

constexpr WallNs pauseAfterNeverStarted = std::chrono::nanoseconds(std::chrono::seconds(2)).count();
constexpr WallNs pauseAfterRefusal = std::chrono::nanoseconds(std::chrono::seconds(20)).count();  ///< by Slurm

TrialEvent eventOf(AttemptEnd end)
{
    switch (end) {
    case AttemptEnd::Completed:
        return TrialEvent::Completed;
    case AttemptEnd::Stopped:
        return TrialEvent::Stopped;
    case AttemptEnd::Lost:
        return TrialEvent::Lost;
    case AttemptEnd::NeverStarted:
        return TrialEvent::NeverStarted;
    case AttemptEnd::Failed:
        break;
    }
    return TrialEvent::Failed;
}

/// Returns what the end of a probe's attempt means where that differs from other sweeps.
std::optional<std::pair<TrialEvent, Fact>> probeEnd(const SweepView &view, const EndedAttempt &attempt)
{
    const AttemptVerdict &verdict = attempt.verdict;
    if (!view.spec.probe || view.isStopping(attempt.trial))
        return std::nullopt;
    if (verdict.end == AttemptEnd::Stopped && attempt.wasMeasured)
        return std::pair(
            TrialEvent::Completed,
            Fact(Code::Measured).with(Field::Seconds, std::chrono::duration<double>(view.spec.probe->measure).count()));
    if (verdict.end == AttemptEnd::Failed && verdict.failure == launch::FailureKind::OutOfMemory)
        return std::pair(TrialEvent::Stopped, Fact(Code::ProbeOutOfMemory).dueTo(verdict.reason));
    return std::nullopt;
}

void setReason(TrialChange &change, const Fact &reason)
{
    change.row.record.reason = reason;
    change.transitions.back().reason = reason;
}

void applyEnd(AttemptEndDecision &decision, const SweepView &view, const EndedAttempt &attempt, WallNs now)
{
    TrialChange &change = decision.change;
    TrialRow &row = change.row;
    const AttemptVerdict &verdict = attempt.verdict;
    TrialEvent event = eventOf(verdict.end);
    if (event == TrialEvent::NeverStarted && view.isStopping(attempt.trial))
        event = TrialEvent::Stopped;
    else if (event == TrialEvent::NeverStarted && row.record.state != TrialState::Starting)
        event = TrialEvent::Lost;  // its events.jsonl, which said otherwise, is gone
    // A very short trial may end before its started rank is seen.
    if (row.record.state == TrialState::Starting && verdict.end == AttemptEnd::Completed)
        change.apply(TrialEvent::RanksStarted, Code::None);
    const auto probed = probeEnd(view, attempt);
    if (probed)
        event = probed->first;
    change.apply(event, probed ? probed->second : verdict.reason);
    if (change.forbidden)
        return;
    if (event == TrialEvent::Completed) {
        row.record.progress = 1;
        if (!probed && !row.record.objectiveLast && !sweep::isRun(view.spec))
            setReason(change, Fact(Code::ObjectiveMissing).with(Field::Metric, view.sweep.objective));
    }
    if (event == TrialEvent::NeverStarted) {
        const bool isRefused = verdict.reason.code == Code::JobRefused;
        row.record.reason = isRefused ? verdict.reason : Fact(Code::Queued);
        row.record.attemptStarted.reset();
        if (row.failures == 0 && row.record.ran == 0)
            row.record.started.reset();
        decision.sweepNotBefore = now + (isRefused ? pauseAfterRefusal : pauseAfterNeverStarted);
    }
    if (event == TrialEvent::Failed || event == TrialEvent::Lost)
        ++row.failures;
}

/// A trial that does not get beyond its job's time limit never would.
bool isToBeContinued(const SweepView &view, const EndedAttempt &attempt)
{
    return attempt.verdict.isToBeContinued && !view.isStopping(attempt.trial)
           && (attempt.madeProgress || attempt.verdict.reason.code != Code::JobTimeLimit);
}

void continueInAnotherJob(TrialChange &change, const EndedAttempt &attempt)
{
    const bool hasBegun = change.row.record.state != TrialState::Starting;
    change.apply(hasBegun ? TrialEvent::Requeued : TrialEvent::NeverStarted,
                 Fact(Code::JobContinued).dueTo(attempt.verdict.reason));
}

/// How an attempt ended that is not continued after all.
EndedAttempt withoutProgress(const EndedAttempt &attempt)
{
    EndedAttempt failed = attempt;
    failed.verdict.end = AttemptEnd::Failed;
    failed.verdict.failure = launch::FailureKind::TimedOut;
    return failed;
}

void planRetry(AttemptEndDecision &decision, const SweepView &view, const RetryPolicy &policy,
               const EndedAttempt &attempt, WallNs now)
{
    TrialRow &row = decision.change.row;
    const AttemptVerdict &verdict = attempt.verdict;
    if (!sweep::brokeDown(row.record.state) || view.isStopping(attempt.trial))
        return;
    if (attempt.mayRerunAlone && verdict.failure == launch::FailureKind::OutOfMemory) {
        --row.failures;  // others may have taken the memory
        decision.change.apply(TrialEvent::Retried,
                              Fact(Code::RerunAlone).with(Field::Attempt, attempt.number).dueTo(verdict.reason));
        return;
    }
    const std::string failure = verdict.failure ? toString(*verdict.failure) : std::string();
    const RetryPolicy::Decision retry =
        policy.decide(verdict.failure, 1 + failuresLike(row, policy, failure, attempt.earlier));
    if (!retry.why.empty())
        setReason(decision.change, Fact(Code::NotRetried).with(Field::Failure, retry.why).dueTo(row.record.reason));
    if (!retry.again)
        return;
    decision.change.apply(TrialEvent::Retried,
                          Fact(Code::RetryScheduled)
                              .with(Field::Attempt, attempt.number)
                              .with(Field::Retry, retry.retry)
                              .with(Field::Limit, retry.most)
                              .with(Field::Seconds, std::chrono::duration<double>(retry.delay).count())
                              .dueTo(verdict.reason));
    decision.notBefore = now + std::chrono::nanoseconds(retry.delay).count();
}

}  // namespace

AttemptEndDecision endAttempt(const SweepView &view, const RetryPolicy &policy, const EndedAttempt &attempt, WallNs now)
{
    AttemptEndDecision decision{{view.trial(attempt.trial), {}, {}}, {}, {}};
    TrialChange &change = decision.change;
    change.row.record.attemptEnded = attempt.verdict.time;
    const PendingRequest pending = std::exchange(change.row.pending, PendingRequest::Nothing);
    const bool wasPaused = change.row.record.state == TrialState::Paused;
    const bool staysPaused = pending == PendingRequest::Pause || (wasPaused && pending != PendingRequest::Resume);
    if (change.row.record.state == TrialState::Pruned) {
        // Its end was already decided, however the attempt ended.
    } else if (wasPaused && attempt.verdict.end == AttemptEnd::Stopped && !view.isStopping(attempt.trial)) {
        change.row.record.reason = Code::PausedSaved;
        change.row.record.pausedSince.reset();  // it was not frozen: it ran until its checkpoint was saved
        if (!staysPaused)
            change.apply(TrialEvent::Requeued, Code::ResumesFromCheckpoint);
    } else if (isToBeContinued(view, attempt)) {
        continueInAnotherJob(change, attempt);
        if (staysPaused)
            change.apply(TrialEvent::Paused, change.row.record.reason);
    } else {
        const EndedAttempt ended =
            attempt.verdict.isToBeContinued && !view.isStopping(attempt.trial) ? withoutProgress(attempt) : attempt;
        applyEnd(decision, view, ended, now);
        planRetry(decision, view, policy, ended, now);
        if (staysPaused && change.row.record.state == TrialState::Queued)
            change.apply(TrialEvent::Paused, change.row.record.reason);
    }
    if (sweep::isFinal(change.row.record.state))
        change.row.record.ended =
            std::max(attempt.verdict.time, change.row.record.started.value_or(attempt.verdict.time));
    return decision;
}

int failuresLike(const TrialRow &row, const RetryPolicy &policy, const std::string &failure,
                 const std::vector<sweep::AttemptRecord> &earlier)
{
    if (!policy.hasRules() || row.failures <= 1)
        return row.failures - 1;
    int left = row.failures - 1;
    int alike = 0;
    for (auto attempt = earlier.rbegin(); attempt != earlier.rend() && left > 0; ++attempt) {
        if (attempt->outcome != toString(AttemptEnd::Failed) && attempt->outcome != toString(AttemptEnd::Lost))
            continue;
        alike += policy.countTogether(failure, attempt->failure) ? 1 : 0;
        --left;
    }
    return alike;
}

}  // namespace sweepscope::engine
