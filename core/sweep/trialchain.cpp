#include "sweep/trialchain.h"

#include "sweep/records.h"

#include <algorithm>

namespace sweepscope::sweep {

bool continuesChain(std::int64_t firstStep, std::optional<std::int64_t> chainFirstStep)
{
    return chainFirstStep && firstStep > *chainFirstStep;
}

AttemptRange chainOf(const TrialRecord &trial)
{
    if (trial.attempts == 0)
        return {};
    // An attempt that has reported nothing yet may still continue those before it.
    return {std::clamp(trial.firstAttempt, 1, trial.attempts), trial.attempts};
}

}  // namespace sweepscope::sweep
