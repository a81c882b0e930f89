#include "sweep/budgetuse.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

bool isAtLeast(WallNs time, std::chrono::seconds bound)
{
    return std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(time)) >= bound;
}

}  // namespace

bool savesCheckpoints(const RunSection &run)
{
    const auto isOff = [&run](const char *name) {
        const auto setting = run.settings.find(name);
        return setting != run.settings.end() && setting->second == ParameterValue(false);
    };
    return run.worker == WorkerKind::Builtin && !isOff("resume") && !isOff("checkpoints");
}

bool holdsDevices(const TrialRecord &trial, const SweepSpec &spec)
{
    return isUnderWay(trial.state)
           || (trial.state == TrialState::Paused && trial.attempts > 0 && !savesCheckpoints(spec.run));
}

BudgetUse budgetUse(const SweepRecord &sweep, const SweepSpec &spec, std::span<const TrialRecord> trials, WallNs now)
{
    BudgetUse used{now - sweep.created, sweep.deviceTime};
    for (const TrialRecord &trial : trials) {
        if (holdsDevices(trial, spec) && trial.attemptStarted)
            used.deviceTime +=
                std::max<WallNs>(now - *trial.attemptStarted, 0) * static_cast<WallNs>(trial.devices.size());
    }
    return used;
}

std::optional<facts::Fact> spentBudget(const std::optional<BudgetSection> &budget, const BudgetUse &used)
{
    using facts::Code;
    using facts::Field;
    if (budget && budget->time && isAtLeast(used.sinceLaunch, *budget->time))
        return facts::Fact(Code::TimeBudgetSpent).with(Field::Seconds, static_cast<double>(budget->time->count()));
    if (budget && budget->deviceTime && isAtLeast(used.deviceTime, *budget->deviceTime))
        return facts::Fact(Code::DeviceBudgetSpent)
            .with(Field::Seconds, static_cast<double>(budget->deviceTime->count()));
    if (budget && budget->kilowattHours && used.kilowattHours && *used.kilowattHours >= *budget->kilowattHours)
        return facts::Fact(Code::EnergyBudgetSpent).with(Field::KilowattHours, *budget->kilowattHours);
    return std::nullopt;
}

}  // namespace sweepscope::sweep
