#include "engine/sweeprun.h"
#include "sweep/duration.h"
#include "sweep/probe.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

using sweep::TrialState;

bool SweepRun::wasMeasured(const RunningAttempt &attempt, WallNs until) const
{
    const std::optional<WallNs> first = attempt.monitor.objective().firstReport();
    return first && until - *first >= std::chrono::nanoseconds(m_spec.probe->measure).count();
}

void SweepRun::endWhenMeasured(RunningAttempt &attempt, WallNs now)
{
    const int trial = attempt.row.trial;
    if (!m_spec.probe || attempt.monitor.verdict() || attempt.monitor.stopRequested()
        || m_ledger.trial(trial).record.state != TrialState::Running || !wasMeasured(attempt, now))
        return;
    setReason(trial, "is measured, and ends");
    attempt.monitor.kill(now);  // there is nothing to save
}

std::optional<std::pair<TrialEvent, std::string>> SweepRun::probeEnd(const RunningAttempt &attempt,
                                                                     const AttemptVerdict &verdict) const
{
    if (!m_spec.probe || isToStop(attempt.row.trial))
        return std::nullopt;
    if (verdict.end == AttemptEnd::Stopped && wasMeasured(attempt, verdict.time))
        return std::pair(TrialEvent::Completed, "measured for " + sweep::toText(m_spec.probe->measure));
    if (verdict.end == AttemptEnd::Failed && verdict.failure == launch::FailureKind::OutOfMemory)
        return std::pair(TrialEvent::Stopped, std::string(sweep::probesUpperBound) + ": " + verdict.cause);
    return std::nullopt;
}

void SweepRun::stopBeyondMemory(WallNs now)
{
    if (!m_spec.probe || m_ledger.waitingTrials() == 0)
        return;
    std::optional<double> bound;
    for (const TrialRow &row : trials()) {
        const std::optional<double> value = sweep::probedValue(*m_spec.probe, row.record.parameters);
        if (value && sweep::isProbesUpperBound(row.record))
            bound = std::min(bound.value_or(*value), *value);
    }
    if (!bound)
        return;
    std::vector<TrialChange> changes;
    for (const TrialRow &row : trials()) {
        const std::optional<double> value = sweep::probedValue(*m_spec.probe, row.record.parameters);
        if (row.record.state != TrialState::Waiting || !value || *value < *bound)
            continue;
        TrialChange change{row, {}};
        change.transitions.push_back(move(change.row, TrialEvent::Stopped,
                                          "not tried: " + m_spec.probe->parameter + " = "
                                              + sweep::toText(sweep::ParameterValue(*bound)) + " ran out of memory"));
        change.row.record.ended = now;
        changes.push_back(std::move(change));
    }
    if (!changes.empty())
        m_ledger.changeAll(changes, now);
}

}  // namespace sweepscope::engine
