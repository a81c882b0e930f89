#include "ui/live/trialchoice.h"

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

}  // namespace

TrialChoice newestTrial(const std::vector<sweep::SweepRecord> &sweeps, const TrialsOfSweep &trials,
                        const TrialChoice &present)
{
    bool presentExists = false;
    if (present.trial > 0) {
        const std::vector<sweep::TrialRecord> &siblings = trials(present.sweepId);
        const auto found = std::find_if(siblings.begin(), siblings.end(),
                                        [&present](const auto &trial) { return trial.number == present.trial; });
        presentExists = found != siblings.end();
        if (presentExists && isRunning(*found))
            return present;
    }
    std::vector<std::int64_t> ids;
    for (const sweep::SweepRecord &sweep : sweeps)
        ids.push_back(sweep.id);
    std::sort(ids.rbegin(), ids.rend());
    // Of two sweeps that run, the one that is looked at.
    if (const auto shown = std::ranges::find(ids, present.sweepId); shown != ids.end())
        std::rotate(ids.begin(), shown, shown + 1);
    const bool goesOn = std::ranges::any_of(sweeps, [&present](const sweep::SweepRecord &sweep) {
        return sweep.id == present.sweepId && sweep::isActive(sweep.state);
    });
    for (const std::int64_t id : ids) {
        if (const sweep::TrialRecord *running = lastStarted(trials(id), true))
            return {id, running->number};
        if (id == present.sweepId && presentExists && goesOn)
            return present;  // its next trial waits: nobody is taken to another sweep meanwhile
    }
    if (presentExists)
        return present;
    for (const std::int64_t id : ids) {
        if (const sweep::TrialRecord *last = lastStarted(trials(id), false))
            return {id, last->number};
        if (!trials(id).empty())
            return {id, trials(id).front().number};
    }
    return {};
}

}  // namespace sweepscope::ui
