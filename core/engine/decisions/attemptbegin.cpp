#include "engine/decisions/attemptbegin.h"

#include "sweep/trialtime.h"

namespace sweepscope::engine {

TrialChange beginAttempt(const TrialRow &row, const BegunAttempt &attempt)
{
    TrialChange change{row, {}, {}};
    sweep::TrialRecord &trial = change.row.record;
    trial.ran = sweep::runningTime(trial, attempt.created).value_or(0);
    trial.attempts = attempt.number;
    trial.devices = attempt.devices;
    trial.simulated = attempt.simulated;
    trial.attemptStarted = attempt.created;
    trial.attemptEnded.reset();
    trial.paused = 0;
    if (!trial.started)
        trial.started = attempt.created;
    change.apply(TrialEvent::AttemptBegun, facts::Code::None);
    return change;
}

}  // namespace sweepscope::engine
