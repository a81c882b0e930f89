#include "alerts/alertwatch.h"

#include "sweep/objectiveorder.h"
#include "wording/sentence.h"

#include <algorithm>
#include <utility>

namespace sweepscope::alerts {

namespace {

Alert about(AlertKind kind, const sweep::SweepRecord &sweep, std::string text, WallNs at, int trial = 0)
{
    return {kind, sweep.id, sweep.name, trial, 1, at, sweep.state, std::move(text)};
}

/// The fact that says so, also as the cause of a retry.
const facts::Fact *hangIn(const facts::Fact &reason)
{
    if (reason.code == facts::Code::Hung)
        return &reason;
    for (const facts::Fact &cause : reason.because) {
        if (const facts::Fact *found = hangIn(cause))
            return found;
    }
    return nullptr;
}

const facts::Fact *diskWarningOf(const sweep::SweepRecord &sweep)
{
    const auto isOfDisk = [](const facts::Fact &warning) {
        return warning.code == facts::Code::DiskNearlyFull || warning.code == facts::Code::DiskExhausted;
    };
    const auto found = std::ranges::find_if(sweep.warnings, isOfDisk);
    return found == sweep.warnings.end() ? nullptr : &*found;
}

bool hasEndedSince(const sweep::TrialRecord &trial, WallNs since)
{
    return trial.attemptEnded.value_or(0) >= since;
}

/// Of the first trial whose number is not less.
std::size_t placeOf(int number, const TrialList &trials)
{
    std::size_t begin = 0;
    for (std::size_t end = trials.count; begin < end;) {
        const std::size_t middle = begin + (end - begin) / 2;
        if (trials.at(middle).number < number)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

std::string bestText(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    return sweep.objective + " " + wording::number(*sweep::rankedValue(trial)) + " in trial "
           + std::to_string(trial.number);
}

/// "10 completed, 1 failed; best loss 0.12 in trial 2".
std::string resultOf(const sweep::SweepRecord &sweep, const TrialList &trials)
{
    std::map<sweep::TrialState, int> counts;
    const sweep::TrialRecord *best = nullptr;
    for (std::size_t i = 0; i < trials.count; ++i) {
        const sweep::TrialRecord &trial = trials.at(i);
        ++counts[trial.state];
        if (sweep::mayBeBest(trial) && (best == nullptr || sweep::isBetter(trial, *best, sweep.goal)))
            best = &trial;
    }
    std::string text;
    const auto add = [&text](int count, const char *name) {
        if (count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    };
    add(counts[sweep::TrialState::Completed], "completed");
    add(counts[sweep::TrialState::Pruned], "pruned");
    add(counts[sweep::TrialState::Failed] + counts[sweep::TrialState::Lost], "failed");
    add(counts[sweep::TrialState::Stopped], "stopped");
    return best == nullptr ? text : text + "; best " + bestText(sweep, *best);
}

}  // namespace

AlertWatch::SeenTrial &AlertWatch::SeenSweep::trial(int number)
{
    const auto place = static_cast<std::size_t>(number - 1);
    if (place >= trials.size())
        trials.resize(place + 1);
    return trials[place];
}

AlertWatch::SeenSweep &AlertWatch::seen(const sweep::SweepRecord &sweep, const TrialList &trials)
{
    const auto [known, isNew] = m_sweeps.try_emplace(sweep.id);
    if (!isNew)
        return known->second;
    SeenSweep &seen = known->second;
    // One that ended before it was ever seen, as short ones do.
    seen.isActive = sweep::isActive(sweep.state) || sweep.ended.value_or(0) >= m_since;
    seen.hasDiskWarning = false;
    for (std::size_t i = 0; i < trials.count; ++i) {
        const sweep::TrialRecord &trial = trials.at(i);
        if (sweep::isFinal(trial.state) && !hasEndedSince(trial, m_since)) {
            seen.trial(trial.number).state = trial.state;
            if (sweep::mayBeBest(trial)
                && (!seen.best || sweep::isBetterObjective(*sweep::rankedValue(trial), *seen.best, sweep.goal)))
                seen.best = sweep::rankedValue(trial);
        }
    }
    return seen;
}

std::vector<Alert> AlertWatch::update(const sweep::SweepRecord &sweep, const TrialList &trials, int first, int last)
{
    std::vector<Alert> alerts;
    SeenSweep &before = seen(sweep, trials);
    for (std::size_t place = placeOf(first, trials); place < trials.count && trials.at(place).number <= last; ++place)
        compare(sweep, trials.at(place), before, alerts);
    const bool isActive = sweep::isActive(sweep.state);
    before.ends = !isActive && (before.ends || before.isActive);
    before.isActive = isActive;
    bool haveAllEnded = before.ends;
    for (std::size_t i = 0; i < trials.count && haveAllEnded; ++i)
        haveAllEnded = sweep::isFinal(trials.at(i).state);
    if (haveAllEnded) {
        before.ends = false;
        alerts.push_back(about(AlertKind::SweepEnded, sweep, resultOf(sweep, trials), sweep.ended.value_or(0)));
    }
    const facts::Fact *warning = diskWarningOf(sweep);
    if (warning != nullptr && !before.hasDiskWarning)
        alerts.push_back(about(AlertKind::DiskFilling, sweep, wording::sentence(*warning), wallNow()));
    before.hasDiskWarning = warning != nullptr;
    return alerts;
}

void AlertWatch::compare(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial, SeenSweep &seen,
                         std::vector<Alert> &alerts) const
{
    SeenTrial &before = seen.trial(trial.number);
    const sweep::TrialState was = std::exchange(before.state, trial.state);
    const facts::Fact *hang = hangIn(trial.reason);
    if (hang != nullptr && before.hungAttempt != trial.attempts && hasEndedSince(trial, m_since)) {
        before.hungAttempt = trial.attempts;
        alerts.push_back(
            about(AlertKind::TrialHung, sweep, wording::sentence(*hang), *trial.attemptEnded, trial.number));
    }
    if (was == trial.state || !sweep::isFinal(trial.state))
        return;
    const WallNs ended = trial.attemptEnded.value_or(0);
    if (sweep::brokeDown(trial.state)) {
        alerts.push_back(about(AlertKind::TrialFailed, sweep, wording::sentence(trial.reason), ended, trial.number));
    } else if (sweep::mayBeBest(trial)) {
        const double value = *sweep::rankedValue(trial);
        if (seen.best && sweep::isBetterObjective(value, *seen.best, sweep.goal))
            alerts.push_back(about(AlertKind::NewBest, sweep, bestText(sweep, trial), ended, trial.number));
        if (!seen.best || sweep::isBetterObjective(value, *seen.best, sweep.goal))
            seen.best = value;
    }
}

}  // namespace sweepscope::alerts
