// What comes after an attempt: what its trial is then, and when it is tried again.
#include "engine/storereader.h"
#include "engine/sweeprun.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::TrialState;

constexpr WallNs pauseAfterNeverStarted = std::chrono::nanoseconds(std::chrono::seconds(2)).count();

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

std::string inSeconds(std::chrono::milliseconds delay)
{
    return std::to_string((delay.count() + 999) / 1000) + " s";
}

}  // namespace

/// False when it could not be written; then nothing has changed, and the next poll tries again.
bool SweepRun::end(const RunningAttempt &attempt, WallNs now)
{
    const AttemptVerdict &verdict = *attempt.monitor.verdict();
    TrialChange change{m_ledger.trial(attempt.row.trial), {}};
    const Asked asked = std::exchange(change.row.asked, Asked::Nothing);
    const bool wasPaused = change.row.record.state == TrialState::Paused;
    const bool staysPaused = asked == Asked::Pause || (wasPaused && asked != Asked::Resume);
    std::optional<WallNs> notBefore;
    if (change.row.record.state == TrialState::Pruned) {
        // Its end was decided before; whatever the attempt came to meanwhile.
    } else if (wasPaused && verdict.end == AttemptEnd::Stopped && !isToStop(attempt.row.trial)) {
        change.row.record.cause = "paused: its checkpoint is saved and its devices are free";
        if (!staysPaused)
            change.transitions.push_back(move(change.row, TrialEvent::Requeued, "goes on from its checkpoint"));
    } else {
        takeEnd(change, attempt, verdict, now);
        notBefore = planRetry(change, attempt, now);
        if (staysPaused && change.row.record.state == TrialState::Waiting)
            change.transitions.push_back(move(change.row, TrialEvent::Paused, change.row.record.cause));
    }
    if (sweep::isFinal(change.row.record.state))
        change.row.record.ended = verdict.time;
    const AttemptEnding ending{toString(verdict.end), verdict.failure ? toString(*verdict.failure) : std::string(),
                               verdict.cause, verdict.time};
    if (!m_ledger.end(std::move(change), attempt.row, ending, now))
        return false;
    if (m_budget)
        m_budget->attemptEnded(deviceTime(attempt.row, verdict.time));
    if (notBefore)
        m_ledger.holdBack(attempt.row.trial, *notBefore);
    stopBeyondMemory(now);  // before the next one starts
    return true;
}

void SweepRun::takeEnd(TrialChange &change, const RunningAttempt &attempt, const AttemptVerdict &verdict, WallNs now)
{
    TrialRow &row = change.row;
    TrialEvent event = isToStop(attempt.row.trial) && verdict.end == AttemptEnd::NeverStarted ? TrialEvent::Stopped
                                                                                              : eventOf(verdict.end);
    if (row.record.state != TrialState::Starting && event == TrialEvent::NeverStarted)
        event = TrialEvent::Lost;  // its events.jsonl, which said otherwise before, is gone
    // The feed and the exit may be seen before the word of a started rank, when a trial is very short.
    if (row.record.state == TrialState::Starting && verdict.end == AttemptEnd::Completed)
        change.transitions.push_back(move(row, TrialEvent::RanksStarted, {}));
    const auto probed = probeEnd(attempt, verdict);
    if (probed)
        event = probed->first;
    change.transitions.push_back(move(row, event, probed ? probed->second : verdict.cause));
    if (event == TrialEvent::Completed) {
        row.record.progress = 1;
        if (!probed && !row.record.objectiveLast) {
            row.record.cause = "it completed and reported no value of '" + record().objective + "', the objective";
            change.transitions.back().cause = row.record.cause;
        }
    }
    if (event == TrialEvent::NeverStarted) {
        row.record.cause = waitsForItsTurn;
        row.record.attemptStarted.reset();
        if (row.failures == 0)
            row.record.started.reset();
        m_ledger.holdBack(now + pauseAfterNeverStarted);  // what was in the way may still be
    }
    if (event == TrialEvent::Failed || event == TrialEvent::Lost)
        ++row.failures;
}

/// The time before which the trial is not to start again, if it is to be tried again.
std::optional<WallNs> SweepRun::planRetry(TrialChange &change, const RunningAttempt &attempt, WallNs now) const
{
    TrialRow &row = change.row;
    const bool failed = row.record.state == TrialState::Failed || row.record.state == TrialState::Lost;
    if (!failed || isToStop(attempt.row.trial))
        return std::nullopt;
    const AttemptVerdict &verdict = *attempt.monitor.verdict();
    const std::string kind = verdict.failure ? toString(*verdict.failure) : std::string();
    const RetryPolicy::Decision decision = m_retryPolicy.decide(verdict.failure, 1 + failuresLike(row, kind));
    if (!decision.why.empty()) {
        row.record.cause += " (not tried again: " + decision.why + ")";
        change.transitions.back().cause = row.record.cause;
    }
    if (!decision.again)
        return std::nullopt;
    change.transitions.push_back(
        move(row, TrialEvent::Retried,
             "retry " + std::to_string(decision.retry) + " of " + std::to_string(decision.most) + " begins "
                 + inSeconds(decision.delay) + " after " + (kind.empty() ? "the failure" : kind) + "; attempt "
                 + std::to_string(attempt.row.number) + " " + toString(verdict.end) + ": " + verdict.cause));
    return now + std::chrono::nanoseconds(decision.delay).count();
}

/// How many attempts before the last one failed in a way that counts together with `kind`. `row.failures` counts the
/// last one already, and none before a person asked for a retry.
int SweepRun::failuresLike(const TrialRow &row, const std::string &kind) const
{
    if (!m_retryPolicy.hasRules() || row.failures <= 1)
        return row.failures - 1;
    const Expected<std::vector<sweep::AttemptRecord>> attempts =
        StoreReader(m_context.store.database()).attempts(record().id, row.record.number);
    if (!attempts)
        return row.failures - 1;
    int left = row.failures - 1;
    int alike = 0;
    for (auto attempt = attempts->rbegin(); attempt != attempts->rend() && left > 0; ++attempt) {
        if (attempt->outcome != toString(AttemptEnd::Failed) && attempt->outcome != toString(AttemptEnd::Lost))
            continue;
        alike += m_retryPolicy.countTogether(kind, attempt->failure) ? 1 : 0;
        --left;
    }
    return alike;
}

/// The last engine may have ended while a trial waited for its retry: what it waits for follows from what is stored.
void SweepRun::holdBackRetries(WallNs now)
{
    for (const TrialRow &row : trials()) {
        if (row.record.state != TrialState::Waiting || row.failures == 0)
            continue;
        const Expected<std::vector<sweep::AttemptRecord>> attempts =
            StoreReader(m_context.store.database()).attempts(record().id, row.record.number);
        if (!attempts || attempts->empty() || !attempts->back().ended)
            continue;
        const sweep::AttemptRecord &last = attempts->back();
        const RetryPolicy::Decision decision =
            m_retryPolicy.decide(launch::failureKindFromString(last.failure), 1 + failuresLike(row, last.failure));
        // From now at the latest: the clock may have been set back.
        m_ledger.holdBack(row.record.number,
                          std::min(*last.ended, now) + std::chrono::nanoseconds(decision.delay).count());
    }
}

}  // namespace sweepscope::engine
