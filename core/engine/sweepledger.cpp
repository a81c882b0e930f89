#include "engine/sweepledger.h"

#include "base/check.h"
#include "engine/decisions/decision.h"
#include "engine/trialreports.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::TrialState;

constexpr std::size_t mostNamed = 8;  // trials in a warning
constexpr WallNs pauseAfterWriteError = std::chrono::nanoseconds(std::chrono::seconds(2)).count();

/// Any event that takes the trial out of a pause ends the pause.
void timePause(TrialChange &change, WallNs now)
{
    TrialRow &row = change.row;
    for (const Transition &transition : change.transitions) {
        if (transition.before == TrialState::Running && transition.after == TrialState::Paused) {
            row.record.pausedSince = now;
        } else if (transition.after != TrialState::Paused && row.record.pausedSince) {
            row.record.paused += std::max<WallNs>(0, row.record.ended.value_or(now) - *row.record.pausedSince);
            row.record.pausedSince.reset();
        }
    }
}

}  // namespace

const TrialRow &SweepLedger::trial(int number) const
{
    static const TrialRow none;
    return holds(knows(number), "a trial of this sweep has this number")
               ? m_trials[static_cast<std::size_t>(number - 1)]
               : none;
}

SweepLedger::SweepLedger(SweepStore &store, ChangeListener &listener, sweep::SweepRecord record,
                         std::vector<TrialRow> trials)
    : m_store(store), m_listener(listener), m_sweep(std::move(record)), m_trials(std::move(trials))
{
    for (const TrialRow &row : m_trials) {
        if (row.record.state == TrialState::Queued)
            m_waiting.insert(placeOf(row));
        if (!sweep::isFinal(row.record.state))
            ++m_open;
    }
}

void SweepLedger::judgeBy(const sweep::SweepSpec &spec)
{
    m_objective = spec.objective;
    m_outcomeMetrics = sweep::outcomeMetrics(spec);
    m_outcomeConstraints.reset();
    if (spec.outcomeConstraints.empty())
        return;
    if (auto compiled = sweep::OutcomeConstraints::compile(spec))
        m_outcomeConstraints = std::move(*compiled);
}

std::vector<int> SweepLedger::misjudgedTrials() const
{
    std::vector<int> numbers;
    for (const TrialRow &row : m_trials) {
        if (row.record.violation != violationOf(row.record))
            numbers.push_back(row.record.number);
    }
    return numbers;
}

double SweepLedger::violationOf(const sweep::TrialRecord &trial) const
{
    return m_outcomeConstraints ? m_outcomeConstraints->violation(trial) : 0;
}

void SweepLedger::judge(TrialRow &row) const
{
    row.record.violation = violationOf(row.record);
    row.outcome.clear();
    for (const std::string &name : m_outcomeMetrics) {
        if (const sweep::MetricValue *metric = sweep::find(row.record.metrics, name))
            row.outcome.emplace_back(name, metric->last);
        else if (name == m_objective && row.record.objectiveLast)
            row.outcome.emplace_back(name, row.record.objectiveLast->value);
    }
}

bool SweepLedger::mayStart(WallNs now) const
{
    return now >= m_holdUntil && !m_diskIsFull && !m_workspaceWarning;
}

void SweepLedger::followChanges(std::int64_t revision)
{
    m_followsChanges = true;
    m_revision = revision;
    m_changed.clear();
}

/// `change` is written.
void SweepLedger::follow(const TrialChange &change)
{
    if (!m_followsChanges || change.transitions.empty())
        return;
    m_revision += static_cast<std::int64_t>(change.transitions.size());
    const auto isEnd = [](const Transition &transition) {
        return sweep::isFinal(transition.before) || sweep::isFinal(transition.after);
    };
    if (std::ranges::any_of(change.transitions, isEnd))
        m_changed.push_back(change.row.record);
}

int SweepLedger::nextTrial(WallNs now) const
{
    if (m_sweep.state != sweep::SweepState::Running || !mayStart(now))
        return 0;
    const auto ready = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Place &place) {
        const auto held = m_notBefore.find(place.second);
        return held == m_notBefore.end() || held->second <= now;
    });
    return ready != m_waiting.end() ? ready->second : 0;
}

void SweepLedger::updatePauseReason()
{
    if (m_sweep.state == sweep::SweepState::Paused && !m_waiting.empty())
        setReason(m_waiting.begin()->second, facts::Code::SweepPaused);
}

/// A transition that the state machine forbids is a bug of ours: the decision has no effect.
bool SweepLedger::isAllowed(const TrialChange &change)
{
    if (!change.forbidden)
        return true;
    m_listener.note("internal error: sweep " + m_sweep.folder + ", trial " + std::to_string(change.row.record.number)
                    + " is " + sweep::toString(change.row.record.state) + ", which does not allow event "
                    + std::to_string(static_cast<int>(*change.forbidden)) + "; nothing was changed");
    return false;
}

bool SweepLedger::commit(Decision &decision, WallNs now)
{
    if (!decision.changesRows())
        return true;
    if (!std::ranges::all_of(decision.trials, [this](const TrialChange &change) { return isAllowed(change); }))
        return false;
    for (TrialChange &change : decision.trials) {
        timePause(change, now);
        judge(change.row);
    }
    for (TrialRow &row : decision.added)
        row.record.sweepId = m_sweep.id;
    if (decision.sweep) {
        sweep::SweepRecord &record = decision.sweep->record;
        record.archived = record.archived && !sweep::isActive(record.state);  // active sweeps are never hidden
        if (decision.definition) {
            record.edits += decision.definition->isUndo ? -1 : 1;
            ++record.definition;
        }
    }
    if (!written(m_store.commit(m_sweep, decision, now), now))
        return false;
    if (decision.sweep) {
        m_sweep = std::move(decision.sweep->record);
        if (m_sweep.ended) {
            m_sweep.warnings.clear();
            for (const facts::Fact &failure : {m_searchFailure, m_pruningFailure}) {
                if (failure)
                    m_sweep.warnings.push_back(failure);
            }
            m_sweep.held.reset();
        }
        m_listener.sweepChanged(m_sweep.id);
    }
    if (decision.queuedStop)
        keepStopped(*decision.queuedStop, now);
    for (TrialChange &change : decision.trials) {
        follow(change);
        keep(std::move(change.row));
    }
    if (decision.discardFrom != 0)
        discardFrom(decision.discardFrom);
    const int before = static_cast<int>(m_trials.size());
    for (TrialRow &row : decision.added) {
        m_waiting.insert(placeOf(row));
        ++m_open;
        if (m_followsChanges)
            m_changed.push_back(row.record);
        m_trials.push_back(std::move(row));
    }
    if (!decision.added.empty())
        m_listener.trialsChanged(m_sweep.id, before + 1, static_cast<int>(m_trials.size()));
    if (decision.sweep)
        updatePauseReason();
    return true;
}

/// Removes the last queued trials, which are no longer in the database.
void SweepLedger::discardFrom(int number)
{
    while (knows(number)) {
        const TrialRow &last = m_trials.back();
        m_waiting.erase(placeOf(last));
        m_notBefore.erase(last.record.number);
        if (m_sweep.held && m_sweep.held->number == last.record.number) {
            m_sweep.held.reset();
            m_listener.sweepChanged(m_sweep.id);
        }
        --m_open;
        m_trials.pop_back();
    }
}

bool SweepLedger::begin(TrialChange change, const AttemptRow &attempt)
{
    if (!isAllowed(change) || !written(m_store.beginAttempt(change, attempt), attempt.created))
        return false;
    follow(change);
    keep(std::move(change.row));
    return true;
}

bool SweepLedger::noteAgent(const AttemptRow &attempt, WallNs now)
{
    return written(m_store.noteAgent(attempt), now);
}

bool SweepLedger::end(TrialChange change, const AttemptRow &attempt, const AttemptEnding &ending, WallNs now)
{
    timePause(change, now);
    judge(change.row);
    if (!isAllowed(change) || !written(m_store.endAttempt(change, attempt, ending), now))
        return false;
    m_unsaved.erase(attempt.trial);
    follow(change);
    m_sweep.deviceTime += deviceTime(attempt, ending.time);
    keep(std::move(change.row));
    m_listener.sweepChanged(m_sweep.id);
    return true;
}

bool SweepLedger::appendToPruneLog(const std::vector<pruning::LogEntry> &entries)
{
    const Expected<void> result = m_store.appendToPruneLog(m_sweep.id, entries);
    noteStore(result);
    return result.has_value();
}

void SweepLedger::keepStopped(const facts::Fact &reason, WallNs now)
{
    const std::set<Place> stopped = m_waiting;
    for (const auto &[priority, number] : stopped) {
        TrialRow row = trial(number);
        row.record.state = TrialState::Stopped;
        row.record.reason = reason;
        row.record.ended = now;
        if (m_followsChanges) {
            ++m_revision;
            m_changed.push_back(row.record);
        }
        keep(std::move(row));
    }
}

/// `row` is in the database: updates the memory and notifies clients.
void SweepLedger::keep(TrialRow row)
{
    const int number = row.record.number;
    TrialRow &known = m_trials[static_cast<std::size_t>(number - 1)];
    m_waiting.erase(placeOf(known));
    m_open += (sweep::isFinal(row.record.state) ? 0 : 1) - (sweep::isFinal(known.record.state) ? 0 : 1);
    known = std::move(row);
    if (known.record.state == TrialState::Queued)
        m_waiting.insert(placeOf(known));
    else
        m_notBefore.erase(number);
    m_listener.trialsChanged(m_sweep.id, number, number);
    if (m_sweep.held && m_sweep.held->number == number && known.record.state != TrialState::Queued)
        setHeld({});
}

void SweepLedger::setReason(int number, const facts::Fact &reason)
{
    sweep::TrialRecord &record = m_trials[static_cast<std::size_t>(number - 1)].record;
    if (record.reason == reason)
        return;
    record.reason = reason;
    m_listener.trialsChanged(m_sweep.id, number, number);
    if (record.state == TrialState::Queued)
        setHeld(reason.code == facts::Code::Queued ? std::nullopt : std::optional(sweep::HeldTrial{number, reason}));
    else if (record.state == TrialState::Starting && reason && reason.code != facts::Code::JobRuns
             && reason.code != facts::Code::TrialUnreachable)
        setHeld(sweep::HeldTrial{number, reason});  // its job waits
    else if (m_sweep.held && m_sweep.held->number == number)
        setHeld(std::nullopt);
}

/// For clients that do not follow trials: there may be 100,000.
void SweepLedger::setHeld(std::optional<sweep::HeldTrial> held)
{
    if (m_sweep.held == held)
        return;
    m_sweep.held = std::move(held);
    m_listener.sweepChanged(m_sweep.id);
}

void SweepLedger::moveWaits(WallNs change)
{
    m_holdUntil += change;
    for (auto &[number, until] : m_notBefore)
        until += change;
}

void SweepLedger::updateProgress(int number, const ObjectiveTracker &objective, bool endsAtItsSteps)
{
    TrialRow &row = m_trials[static_cast<std::size_t>(number - 1)];
    if (!applyReports(row, objective, endsAtItsSteps))
        return;
    judge(row);
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
    facts::Fact warning;
    if (!result)
        warning = facts::Fact(facts::Code::DatabaseProblem).with(facts::Field::Detail, result.error().message);
    if (warning == m_storeWarning)
        return;
    m_listener.note("sweep " + m_sweep.folder + ": "
                    + (result ? "its trials can be written again" : result.error().message + " (will be retried)"));
    m_storeWarning = std::move(warning);
    updateWarnings();
}

void SweepLedger::noteDisk(const facts::Fact &warning, bool isFull)
{
    m_diskIsFull = isFull;
    if (isFull && !m_waiting.empty() && m_sweep.state == sweep::SweepState::Running)
        setReason(m_waiting.begin()->second, facts::Code::DiskFull);
    if (warning == m_diskWarning)
        return;
    m_diskWarning = warning;
    updateWarnings();
}

void SweepLedger::warnOfAgent(int trial, const facts::Fact &warning)
{
    const auto known = m_agentWarnings.find(trial);
    if (warning == (known == m_agentWarnings.end() ? facts::Fact() : known->second))
        return;
    if (!warning)
        m_agentWarnings.erase(known);
    else
        m_agentWarnings.insert_or_assign(trial, warning);
    updateWarnings();
}

void SweepLedger::note(facts::Fact &warning, const facts::Fact &now)
{
    if (now == warning)
        return;
    warning = now;
    updateWarnings();
}

void SweepLedger::updateWarnings()
{
    m_sweep.warnings.clear();
    for (const facts::Fact &warning : {m_searchFailure, m_pruningFailure, m_wait, m_workspaceWarning, m_diskWarning,
                                       m_storeWarning, m_fileSystemWarning, m_sharingVerdict, m_energyWarning}) {
        if (warning)
            m_sweep.warnings.push_back(warning);
    }
    std::map<std::pair<std::string, bool>, std::vector<int>> unreachable;  // by machine, and whether they are to stop
    for (const auto &[trial, warning] : m_agentWarnings) {
        if (warning.code == facts::Code::TrialUnreachable)
            unreachable[{warning.text(facts::Field::Machine), false}].push_back(trial);
        else if (warning.code == facts::Code::Stopping)
            unreachable[{warning.because.front().text(facts::Field::Machine), true}].push_back(trial);
        else if (std::ranges::find(m_sweep.warnings, warning) == m_sweep.warnings.end())
            m_sweep.warnings.push_back(warning);
    }
    for (const auto &[key, trials] : unreachable) {
        facts::Fact fact = facts::Fact(facts::Code::TrialsUnreachable)
                               .with(facts::Field::Count, static_cast<std::int64_t>(trials.size()))
                               .with(facts::Field::Trials, trials.size() > mostNamed ? "" : listOf(trials))
                               .with(facts::Field::Machine, key.first);
        m_sweep.warnings.push_back(key.second ? std::move(fact).with(facts::Field::Mode, std::string("stop")) : fact);
    }
    m_listener.sweepChanged(m_sweep.id);
}

}  // namespace sweepscope::engine
