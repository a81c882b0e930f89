#include "sweep/trialtime.h"

#include "sweep/deviceplace.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

/// With less progress the rest cannot be estimated: ranks load their libraries and data first.
constexpr double leastProgress = 0.05;

bool hasEnoughProgress(const TrialRecord &trial)
{
    return isUnderWay(trial.state) && trial.progress >= leastProgress && trial.progress <= 1;
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

std::optional<WallNs> runningTime(const TrialRecord &trial, WallNs now)
{
    // Before several attempts each had its start kept, there was only that of the first one.
    const std::optional<WallNs> began =
        trial.attemptStarted || trial.attempts > 1 ? trial.attemptStarted : trial.started;
    if (!began)
        return trial.ran != 0 ? std::optional(trial.ran) : std::nullopt;
    // A trial that is paused without an attempt ends later than that.
    const WallNs until = trial.attemptEnded.value_or(trial.ended.value_or(trial.pausedSince.value_or(now)));
    return trial.ran + std::max<WallNs>(0, until - *began - trial.paused);
}

std::optional<double> runningSeconds(const TrialRecord &trial, WallNs now)
{
    const std::optional<WallNs> time = runningTime(trial, now);
    return time ? std::optional(toSeconds(*time)) : std::nullopt;
}

WallNs deviceTime(const TrialRecord &trial)
{
    const bool hasEnded = !trial.attemptStarted || trial.attemptEnded;
    const WallNs ran = hasEnded ? runningTime(trial, 0).value_or(0) : trial.ran;
    return ran * static_cast<WallNs>(std::max<std::size_t>(1, trial.devices.size()));
}

std::optional<WallNs> timeWithPauses(const TrialRecord &trial, WallNs now)
{
    if (!trial.started)
        return std::nullopt;
    return std::max<WallNs>(0, trial.ended.value_or(now) - *trial.started);
}

std::optional<double> usualSeconds(const std::vector<TrialRecord> &trials, WallNs now)
{
    Mean completed;
    Mean promised;
    Mean retried;
    for (auto it = trials.rbegin(); it != trials.rend(); ++it) {
        const TrialRecord &trial = *it;
        if (trial.state == TrialState::Completed && completed.count + retried.count == countedTrials)
            continue;
        const std::optional<double> used = runningSeconds(trial, now);
        if (trial.state == TrialState::Completed && used)
            completed.add(*used);
        else if (trial.state == TrialState::Completed && trial.started && trial.ended)
            retried.add(std::max(0.0, toSeconds(*trial.ended - *trial.started)) / trial.attempts);
        else if (used && hasEnoughProgress(trial))
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
    const std::optional<double> used = runningSeconds(trial, now);
    if (hasEnoughProgress(trial))
        return (used ? *used / trial.progress : usual) * (1 - trial.progress);
    return std::max(0.0, usual - used.value_or(0));
}

bool waitsAsJob(const TrialRecord &trial)
{
    return trial.state == TrialState::Starting && !trial.devices.empty() && isJobDevice(trial.devices.front());
}

}  // namespace sweepscope::sweep
