#include "sweep/trialtime.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

/// Of less progress nobody can tell how long the rest takes: ranks load their libraries and data first.
constexpr double tellingProgress = 0.05;

bool tellsProgress(const TrialRecord &trial)
{
    return isUnderWay(trial.state) && trial.progress >= tellingProgress && trial.progress <= 1;
}

struct Mean {
    double sum = 0;
    int count = 0;
    void add(double value)
    {
        sum += value;
        ++count;
    }
};

}  // namespace

std::optional<double> attemptSeconds(const TrialRecord &trial, WallNs now)
{
    // Before several attempts each had its start kept, there was only that of the first one.
    const std::optional<WallNs> began =
        trial.attemptStarted || trial.attempts > 1 ? trial.attemptStarted : trial.started;
    if (!began)
        return std::nullopt;
    return std::max(0.0, toSeconds(trial.ended.value_or(now) - *began - trial.paused));
}

std::optional<double> usualSeconds(const std::vector<TrialRecord> &trials, WallNs now)
{
    Mean completed;
    Mean promised;
    Mean retried;
    for (const TrialRecord &trial : trials) {
        const std::optional<double> used = attemptSeconds(trial, now);
        if (trial.state == TrialState::Completed && used)
            completed.add(*used);
        else if (trial.state == TrialState::Completed && trial.started && trial.ended)
            retried.add(std::max(0.0, toSeconds(*trial.ended - *trial.started)) / trial.attempts);
        else if (used && tellsProgress(trial))
            promised.add(*used / trial.progress);
    }
    for (const Mean &mean : {completed, promised, retried}) {
        if (mean.count > 0)
            return mean.sum / mean.count;
    }
    return std::nullopt;
}

double secondsLeftOf(const TrialRecord &trial, double usual, WallNs now)
{
    const std::optional<double> used = attemptSeconds(trial, now);
    if (tellsProgress(trial))
        return (used ? *used / trial.progress : usual) * (1 - trial.progress);
    return std::max(0.0, usual - used.value_or(0));
}

}  // namespace sweepscope::sweep
