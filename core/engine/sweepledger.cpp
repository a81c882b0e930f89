#include "engine/sweepledger.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

namespace sweepscope::engine {

namespace {

using sweep::TrialState;

constexpr WallNs pauseAfterWriteError = std::chrono::nanoseconds(std::chrono::seconds(2)).count();

bool same(const std::optional<sweep::ObjectiveValue> &a, const std::optional<sweep::ObjectiveValue> &b)
{
    if (!a || !b)
        return a.has_value() == b.has_value();
    return a->step == b->step && (a->value == b->value || (std::isnan(a->value) && std::isnan(b->value)));
}

/// A pause ends with whatever takes the trial out of it.
void timePause(TrialChange &change, WallNs now)
{
    TrialRow &row = change.row;
    for (const Transition &transition : change.transitions) {
        if (transition.before == TrialState::Running && transition.after == TrialState::Paused) {
            row.pausedSince = now;
        } else if (transition.after != TrialState::Paused && row.pausedSince) {
            row.record.paused += std::max<WallNs>(0, row.record.ended.value_or(now) - *row.pausedSince);
            row.pausedSince.reset();
        }
    }
}

}  // namespace

Transition move(TrialRow &row, TrialEvent event, const std::string &cause)
{
    const TrialState before = row.record.state;
    const std::optional<TrialState> next = after(before, event);
    assert(next);
    row.record.state = next.value_or(before);
    row.record.cause = cause;
    return {before, row.record.state, cause};
}

SweepLedger::SweepLedger(Store &store, ChangeListener &listener, sweep::SweepRecord record,
                         std::vector<TrialRow> trials)
    : m_store(store), m_listener(listener), m_sweep(std::move(record)), m_trials(std::move(trials))
{
    for (const TrialRow &row : m_trials) {
        if (row.record.state == TrialState::Waiting)
            m_waiting.insert(placeOf(row));
        if (row.record.state == TrialState::Paused)
            m_paused.insert(row.record.number);
        if (!sweep::isFinal(row.record.state))
            ++m_open;
    }
}

int SweepLedger::nextTrial(WallNs now) const
{
    if (m_sweep.state != sweep::SweepState::Running || now < m_holdUntil || m_diskIsFull)
        return 0;
    const auto ready = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Place &place) {
        const auto held = m_notBefore.find(place.second);
        return held == m_notBefore.end() || held->second <= now;
    });
    return ready != m_waiting.end() ? ready->second : 0;
}

bool SweepLedger::changeSweep(sweep::SweepRecord changed, const std::string &cause, WallNs now)
{
    changed.archived = changed.archived && !sweep::isActive(changed.state);  // nobody overlooks what runs
    if (!written(m_store.changeSweepState(changed, m_sweep.state, cause, now), now))
        return false;
    if (changed.ended) {
        changed.warnings.clear();
        changed.waits.clear();
    }
    m_sweep = std::move(changed);
    m_listener.sweepChanged(m_sweep.id);
    sayWhetherPaused();
    return true;
}

void SweepLedger::sayWhetherPaused()
{
    if (m_sweep.state == sweep::SweepState::Paused && !m_waiting.empty())
        setReason(m_waiting.begin()->second, "waits: the sweep is paused");
}

bool SweepLedger::changeAll(std::span<TrialChange> changes, WallNs now)
{
    for (TrialChange &change : changes)
        timePause(change, now);
    if (!written(m_store.changeTrials(changes, now), now))
        return false;
    for (TrialChange &change : changes)
        keep(std::move(change.row));
    return true;
}

bool SweepLedger::mark(std::span<TrialChange> changes, WallNs now)
{
    if (!written(m_store.markTrials(changes, now), now))
        return false;
    for (TrialChange &change : changes)
        keep(std::move(change.row));
    return true;
}

bool SweepLedger::edit(Store::Edit edit, WallNs now)
{
    edit.stateBefore = m_sweep.state;
    edit.sweep.archived = edit.sweep.archived && !sweep::isActive(edit.sweep.state);
    for (TrialRow &row : edit.added)
        row.record.sweepId = m_sweep.id;
    if (!written(m_store.editSweep(edit, now), now))
        return false;
    m_sweep = std::move(edit.sweep);
    m_listener.sweepChanged(m_sweep.id);
    for (TrialChange &change : edit.changes)
        keep(std::move(change.row));
    const int before = static_cast<int>(m_trials.size());
    for (TrialRow &row : edit.added) {
        m_waiting.insert(placeOf(row));
        ++m_open;
        m_trials.push_back(std::move(row));
    }
    if (!edit.added.empty())
        m_listener.trialsChanged(m_sweep.id, before + 1, static_cast<int>(m_trials.size()));
    return true;
}

bool SweepLedger::begin(TrialRow row, const Transition &transition, const AttemptRow &attempt)
{
    if (!written(m_store.beginAttempt(row, transition, attempt), attempt.created))
        return false;
    keep(std::move(row));
    return true;
}

bool SweepLedger::noteAgent(const AttemptRow &attempt, WallNs now)
{
    return written(m_store.noteAgent(attempt), now);
}

bool SweepLedger::end(TrialChange change, const AttemptRow &attempt, const AttemptEnding &ending, WallNs now)
{
    timePause(change, now);
    if (!written(m_store.endAttempt(change, attempt, ending), now))
        return false;
    m_unsaved.erase(attempt.trial);
    keep(std::move(change.row));
    return true;
}

bool SweepLedger::noteRungs(int trial, const std::vector<RungValue> &reached)
{
    const Expected<void> result = m_store.noteRungs(m_sweep.id, trial, reached);
    noteStore(result);
    return result.has_value();
}

bool SweepLedger::stopWaiting(const std::string &cause, WallNs now)
{
    if (m_waiting.empty())
        return true;
    if (!written(m_store.stopWaitingTrials(m_sweep.id, cause, now), now))
        return false;
    const std::set<Place> stopped = m_waiting;
    for (const auto &[priority, number] : stopped) {
        TrialRow row = trial(number);
        row.record.state = TrialState::Stopped;
        row.record.cause = cause;
        row.record.ended = now;
        keep(std::move(row));
    }
    return true;
}

/// `row` is in the database: memory follows, and everybody is told.
void SweepLedger::keep(TrialRow row)
{
    const int number = row.record.number;
    TrialRow &known = m_trials[static_cast<std::size_t>(number - 1)];
    m_waiting.erase(placeOf(known));
    m_paused.erase(number);
    m_open += (sweep::isFinal(row.record.state) ? 0 : 1) - (sweep::isFinal(known.record.state) ? 0 : 1);
    known = std::move(row);
    if (known.record.state == TrialState::Waiting)
        m_waiting.insert(placeOf(known));
    else
        m_notBefore.erase(number);
    if (known.record.state == TrialState::Paused)
        m_paused.insert(number);
    m_listener.trialsChanged(m_sweep.id, number, number);
    if (number == m_nextWaiting && known.record.state != TrialState::Waiting) {
        m_nextWaiting = 0;
        tellWaits({});
    }
}

void SweepLedger::setReason(int number, const std::string &reason)
{
    sweep::TrialRecord &record = m_trials[static_cast<std::size_t>(number - 1)].record;
    if (record.cause == reason)
        return;
    record.cause = reason;
    m_listener.trialsChanged(m_sweep.id, number, number);
    m_nextWaiting = reason == waitsForItsTurn ? 0 : number;
    tellWaits({"trial " + std::to_string(number) + " " + reason});
}

/// To clients that are not told of trials: there may be 100,000.
void SweepLedger::tellWaits(std::vector<std::string> waits)
{
    if (m_nextWaiting == 0)
        waits.clear();
    if (m_sweep.waits == waits)
        return;
    m_sweep.waits = std::move(waits);
    m_listener.sweepChanged(m_sweep.id);
}

void SweepLedger::moveWaits(WallNs change)
{
    m_holdUntil += change;
    for (auto &[number, until] : m_notBefore)
        until += change;
}

void SweepLedger::takeProgress(int number, const ObjectiveTracker &objective)
{
    sweep::TrialRecord &record = m_trials[static_cast<std::size_t>(number - 1)].record;
    if (same(record.objectiveLast, objective.last()) && record.step == objective.step()
        && record.progress == objective.progress() && sweep::isSame(record.metrics, objective.metrics()))
        return;
    record.objectiveLast = objective.last();
    record.objectiveBest = objective.best();
    record.metrics = objective.metrics();
    record.step = objective.step();
    record.progress = objective.progress();
    m_unsaved.insert(number);
    m_listener.trialsChanged(m_sweep.id, number, number);
}

void SweepLedger::saveProgress()
{
    if (m_unsaved.empty())
        return;
    std::vector<const TrialRow *> rows;
    for (const int number : m_unsaved)
        rows.push_back(&trial(number));
    const Expected<void> saved = m_store.updateProgress(rows);
    if (saved)
        m_unsaved.clear();
    noteStore(saved);
}

bool SweepLedger::written(const Expected<void> &result, WallNs now)
{
    if (!result)
        holdBack(now + pauseAfterWriteError);
    noteStore(result);
    return result.has_value();
}

void SweepLedger::noteStore(const Expected<void> &result)
{
    const std::string warning = result ? std::string() : result.error().message;
    if (warning == m_storeWarning)
        return;
    m_listener.note("sweep " + m_sweep.folder + ": "
                    + (result ? "its trials can be written again" : warning + " (is tried again)"));
    m_storeWarning = warning;
    tellWarnings();
}

void SweepLedger::noteDisk(const std::string &warning, bool isFull)
{
    m_diskIsFull = isFull;
    if (isFull && !m_waiting.empty() && m_sweep.state == sweep::SweepState::Running)
        setReason(m_waiting.begin()->second, "waits for room on the disk");
    if (warning == m_diskWarning)
        return;
    m_diskWarning = warning;
    tellWarnings();
}

void SweepLedger::tellWarnings()
{
    m_sweep.warnings.clear();
    for (const std::string &warning : {m_diskWarning, m_storeWarning}) {
        if (!warning.empty())
            m_sweep.warnings.push_back(warning);
    }
    m_listener.sweepChanged(m_sweep.id);
}

}  // namespace sweepscope::engine
