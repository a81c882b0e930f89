#include "ui/plot/trialchoice.h"

#include <algorithm>

namespace sweepscope::ui {

namespace {

bool isRunning(const sweep::TrialRecord &trial)
{
    return trial.state == sweep::TrialState::Running || trial.state == sweep::TrialState::Starting;
}

const sweep::TrialRecord *lastStarted(const std::vector<sweep::TrialRecord> &trials, bool runningOnly)
{
    const sweep::TrialRecord *best = nullptr;
    for (const sweep::TrialRecord &trial : trials) {
        if (runningOnly ? !isRunning(trial) : !trial.started)
            continue;
        if (!best || trial.started.value_or(0) >= best->started.value_or(0))
            best = &trial;
    }
    return best;
}

/// Returns the trial that started last after `shown` had ended, unnoticed; else `shown`. A trial that ran at the same
/// time is no successor: at the end of a sweep the trial that ended last stays.
TrialChoice successor(const sweep::TrialRecord &shown, const std::vector<sweep::TrialRecord> &siblings)
{
    const sweep::TrialRecord *last = lastStarted(siblings, false);
    const bool isLater = last && shown.ended && *last->started >= *shown.ended;
    return {shown.sweepId, isLater ? last->number : shown.number};
}

}  // namespace

TrialChoice newestTrial(const std::vector<sweep::SweepRecord> &sweeps, const TrialsOfSweep &trials,
                        const TrialChoice &present)
{
    const sweep::TrialRecord *shown = nullptr;
    if (present.trial > 0) {
        const std::vector<sweep::TrialRecord> &siblings = trials(present.sweepId);
        const auto found = std::ranges::find(siblings, present.trial, &sweep::TrialRecord::number);
        shown = found == siblings.end() ? nullptr : &*found;
        if (shown && isRunning(*shown))
            return present;
    }
    std::vector<std::int64_t> ids;
    for (const sweep::SweepRecord &sweep : sweeps)
        ids.push_back(sweep.id);
    std::sort(ids.rbegin(), ids.rend());
    // Of two running sweeps, prefer the selected one.
    if (const auto first = std::ranges::find(ids, present.sweepId); first != ids.end())
        std::rotate(ids.begin(), first, first + 1);
    const bool continues = std::ranges::any_of(sweeps, [&present](const sweep::SweepRecord &sweep) {
        return sweep.id == present.sweepId && sweep::isActive(sweep.state);
    });
    for (const std::int64_t id : ids) {
        if (const sweep::TrialRecord *running = lastStarted(trials(id), true))
            return {id, running->number};
        if (id == present.sweepId && continues)  // its next trial waits for devices
            return shown ? successor(*shown, trials(id)) : TrialChoice();
    }
    if (shown)
        return successor(*shown, trials(present.sweepId));
    for (const std::int64_t id : ids) {
        if (const sweep::TrialRecord *last = lastStarted(trials(id), false))
            return {id, last->number};
        if (!trials(id).empty())
            return {id, trials(id).front().number};
    }
    return {};
}

}  // namespace sweepscope::ui
