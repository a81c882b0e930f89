#include "sweep/records.h"

#include "base/enumnames.h"
#include "sweep/objectiveorder.h"
#include "sweep/trialtime.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

namespace sweepscope::sweep {

namespace {

constexpr EnumNames<TrialState, 9> trialStates{{
    {TrialState::Queued, "queued"},
    {TrialState::Starting, "starting"},
    {TrialState::Running, "running"},
    {TrialState::Paused, "paused"},
    {TrialState::Completed, "completed"},
    {TrialState::Failed, "failed"},
    {TrialState::Pruned, "pruned"},
    {TrialState::Stopped, "stopped"},
    {TrialState::Lost, "lost"},
}};

constexpr EnumNames<SweepState, 6> sweepStates{{
    {SweepState::Running, "running"},
    {SweepState::Paused, "paused"},
    {SweepState::Stopping, "stopping"},
    {SweepState::Completed, "completed"},
    {SweepState::Stopped, "stopped"},
    {SweepState::Failed, "failed"},
}};

}  // namespace

std::string toString(TrialState state)
{
    return nameOf(trialStates, state);
}
std::optional<TrialState> trialStateFromString(const std::string &text)
{
    return valueOf(trialStates, text);
}

bool isRemoved(const TrialRecord &trial)
{
    return trial.state == TrialState::Stopped && trial.reason.code == facts::Code::RemovedByEdit;
}

bool fellToBudget(const TrialRecord &trial)
{
    using facts::Code;
    const Code code = trial.reason.code;
    return trial.state == TrialState::Stopped
           && (code == Code::TimeBudgetSpent || code == Code::DeviceBudgetSpent || code == Code::EnergyBudgetSpent
               || code == Code::TargetReached || code == Code::NoImprovement || code == Code::ImprovementSmall);
}

std::optional<int> expectedTrials(const SweepRecord &sweep)
{
    return sweep.trialsToCome ? std::optional(sweep.trialsTotal + *sweep.trialsToCome) : std::nullopt;
}

void reopen(SweepRecord &sweep, WallNs now)
{
    if (sweep.ended)
        sweep.rested += std::max(WallNs{0}, now - *sweep.ended);
    sweep.ended.reset();
}

double activeSeconds(const SweepRecord &sweep, WallNs now)
{
    return std::max(0.0, toSeconds(sweep.ended.value_or(now) - sweep.created - sweep.rested));
}

std::optional<int> parentOf(const facts::Fact &chosen)
{
    const std::optional<std::int64_t> parent = chosen.integer(facts::Field::Trial);
    if (chosen.code != facts::Code::ChosenToContinue || !parent)
        return std::nullopt;
    return static_cast<int>(*parent);
}

bool brokeDown(TrialState state)
{
    return state == TrialState::Failed || state == TrialState::Lost;
}

bool mayBeBest(const TrialRecord &trial)
{
    return trial.objectiveBest && std::isfinite(trial.objectiveBest->value) && !brokeDown(trial.state)
           && trial.violation == 0;
}

std::optional<double> rankedValue(const TrialRecord &trial)
{
    if (trial.pointMean)
        return trial.pointMean->value;
    return trial.objectiveBest && std::isfinite(trial.objectiveBest->value) ? std::optional(trial.objectiveBest->value)
                                                                            : std::nullopt;
}

bool isBetter(const TrialRecord &trial, const TrialRecord &than, Goal goal)
{
    const auto rank = [](const TrialRecord &one) {
        const bool hasNumber = one.objectiveBest && std::isfinite(one.objectiveBest->value);
        return mayBeBest(one) ? 0 : hasNumber ? 1 : 2;
    };
    if (rank(trial) != rank(than))
        return rank(trial) < rank(than);
    if (rank(trial) == 2)
        return false;
    // Two runs and three are not told apart: a point whose third run failed has no more.
    const auto runs = [](const TrialRecord &one) { return one.pointMean ? std::min(one.pointMean->runs, 2) : 0; };
    if (runs(trial) != runs(than))
        return runs(trial) > runs(than);
    return isBetterObjective(*rankedValue(trial), *rankedValue(than), goal);
}

bool isFinal(TrialState state)
{
    return state == TrialState::Completed || state == TrialState::Failed || state == TrialState::Stopped
           || state == TrialState::Lost || state == TrialState::Pruned;
}

bool isUnderWay(TrialState state)
{
    return state == TrialState::Starting || state == TrialState::Running;
}

std::string toString(SweepState state)
{
    return nameOf(sweepStates, state);
}
std::optional<SweepState> sweepStateFromString(const std::string &text)
{
    return valueOf(sweepStates, text);
}

bool isActive(SweepState state)
{
    return state == SweepState::Running || state == SweepState::Paused || state == SweepState::Stopping;
}

bool canBeStopped(SweepState state)
{
    return isActive(state) && state != SweepState::Stopping;
}

SweepState endOf(const std::map<TrialState, int> &counts)
{
    const auto any = [&counts](TrialState one, TrialState other) {
        const auto has = [&counts](TrialState state) {
            const auto found = counts.find(state);
            return found != counts.end() && found->second > 0;
        };
        return has(one) || has(other);
    };
    if (any(TrialState::Completed, TrialState::Pruned))
        return SweepState::Completed;
    if (any(TrialState::Failed, TrialState::Lost))
        return SweepState::Failed;
    return any(TrialState::Stopped, TrialState::Stopped) ? SweepState::Stopped : SweepState::Completed;
}

std::optional<double> estimateSecondsLeft(const SweepRecord &sweep, const std::vector<TrialRecord> &trials,
                                          int concurrent, WallNs now, std::size_t moreWaiting)
{
    if (!sweep.trialsToCome)
        return std::nullopt;
    moreWaiting += static_cast<std::size_t>(*sweep.trialsToCome);
    const std::optional<double> usual = usualSeconds(trials, now);
    if (!usual)
        return std::nullopt;

    // Lanes by the time at which each becomes free; the waiting trials take the first free one, in turn.
    std::priority_queue<double, std::vector<double>, std::greater<>> lanes;
    std::size_t waiting = moreWaiting;
    double last = 0;
    for (const TrialRecord &trial : trials) {
        if (trial.state == TrialState::Queued) {
            ++waiting;
        } else if (isUnderWay(trial.state)) {
            const double left = secondsLeftOf(trial, *usual, now);
            lanes.push(left);
            last = std::max(last, left);
        }
    }
    const std::size_t wanted = std::min(lanes.size() + waiting, static_cast<std::size_t>(std::max(1, concurrent)));
    while (lanes.size() < wanted)
        lanes.push(0);
    for (; waiting > 0; --waiting) {
        const double end = lanes.top() + *usual;
        lanes.pop();
        lanes.push(end);
        last = std::max(last, end);
    }
    return last;
}

}  // namespace sweepscope::sweep
