#include "engine/decisions/attemptbegin.h"

#include "sweep/deviceplace.h"
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
    // A job waits in a queue first, which is no running time.
    const bool isJob = !attempt.devices.empty() && sweep::isJobDevice(attempt.devices.front());
    trial.attemptStarted = isJob ? std::nullopt : std::optional(attempt.created);
    trial.attemptEnded.reset();
    trial.paused = 0;
    if (!trial.started && !isJob)
        trial.started = attempt.created;
    change.apply(TrialEvent::AttemptBegun, facts::Code::None);
    return change;
}

}  // namespace sweepscope::engine
