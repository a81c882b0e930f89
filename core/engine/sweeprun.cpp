#include "engine/sweeprun.h"

#include "engine/trialmachine.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::TrialState;

constexpr WallNs pauseAfterWriteError = std::chrono::nanoseconds(std::chrono::seconds(2)).count();
constexpr WallNs pauseWithoutSpace = std::chrono::nanoseconds(std::chrono::seconds(10)).count();

TrialEvent eventOf(AttemptEnd end)
{
    switch (end) {
    case AttemptEnd::Completed:
        return TrialEvent::Completed;
    case AttemptEnd::Stopped:
        return TrialEvent::Stopped;
    case AttemptEnd::Lost:
        return TrialEvent::Lost;
    case AttemptEnd::NeverStarted:
        return TrialEvent::NeverStarted;
    case AttemptEnd::Failed:
        break;
    }
    return TrialEvent::Failed;
}

/// Changes the state of `row` and says so for the history. What the state machine forbids is a mistake of the engine.
Transition move(TrialRow &row, TrialEvent event, const std::string &cause)
{
    const TrialState before = row.record.state;
    const std::optional<TrialState> next = after(before, event);
    assert(next);
    row.record.state = next.value_or(before);
    row.record.cause = cause;
    return {before, row.record.state, cause};
}

bool same(const std::optional<sweep::ObjectiveValue> &a, const std::optional<sweep::ObjectiveValue> &b)
{
    if (!a || !b)
        return a.has_value() == b.has_value();
    return a->step == b->step && (a->value == b->value || (std::isnan(a->value) && std::isnan(b->value)));
}

std::string inSeconds(std::chrono::milliseconds delay)
{
    return std::to_string((delay.count() + 999) / 1000) + " s";
}

}  // namespace

SweepRun::SweepRun(const Context &context, sweep::SweepRecord record, sweep::SweepSpec spec,
                   std::vector<TrialRow> trials)
    : m_context(context), m_record(std::move(record)), m_spec(std::move(spec)), m_trials(std::move(trials))
{
    m_retryPolicy.retries = m_spec.run.retries;
    for (const TrialRow &row : m_trials) {
        if (row.record.state == TrialState::Waiting)
            m_waiting.insert(m_waiting.end(), row.record.number);
        if (!sweep::isFinal(row.record.state))
            ++m_open;
    }
}

void SweepRun::adopt(const std::vector<AttemptRow> &openAttempts, WallNs now)
{
    for (const AttemptRow &row : openAttempts) {
        if (row.trial < 1 || row.trial > static_cast<int>(m_trials.size()))
            continue;
        const sweep::TrialRecord &record = trial(row.trial).record;
        m_attempts.insert_or_assign(row.trial, RunningAttempt{row, AttemptMonitor(attemptOf(row))});
        m_context.scheduler.adopt(m_record.id, row.trial, record.devices);
        m_context.listener.note("sweep " + m_record.folder + ": takes over trial " + std::to_string(row.trial)
                                + ", attempt " + std::to_string(row.number));
    }
    for (TrialRow &row : m_trials) {
        const TrialState state = row.record.state;
        if ((state == TrialState::Starting || state == TrialState::Running) && m_attempts.count(row.record.number) == 0)
            startOver(row, now);
    }
    if (m_record.state == sweep::SweepState::Stopping) {
        stopWaiting(now);
        for (auto &[number, attempt] : m_attempts)
            attempt.monitor.stop(now);
    }
}

/// A trial that is under way without an attempt: nobody writes that, but a database that was repaired by hand may say
/// so.
void SweepRun::startOver(TrialRow &known, WallNs now)
{
    TrialRow row = known;
    std::vector<Transition> transitions{move(row, TrialEvent::Lost, "the database knows no attempt of it")};
    transitions.push_back(move(row, TrialEvent::Retried, waitsForItsTurn));
    if (!written(m_context.store.changeTrial(row, transitions, now), now))
        return;
    m_waiting.insert(row.record.number);
    keep(std::move(row));
}

SweepDemand SweepRun::demand(WallNs now) const
{
    SweepDemand demand{m_record.id, m_record.name, m_spec.devices, static_cast<int>(m_attempts.size()), 0, 1};
    if (m_record.state != sweep::SweepState::Running || now < m_pausedUntil || m_diskIsFull)
        return demand;
    const auto ready = std::find_if(m_waiting.begin(), m_waiting.end(), [&](int number) {
        const auto held = m_notBefore.find(number);
        return held == m_notBefore.end() || held->second <= now;
    });
    if (ready != m_waiting.end()) {
        demand.nextTrial = *ready;
        demand.ranks = m_trials[static_cast<std::size_t>(*ready - 1)].record.ranks;
    }
    return demand;
}

void SweepRun::start(const TrialStart &start, WallNs now)
{
    TrialRow row = trial(start.trial);
    sweep::TrialRecord &record = row.record;
    record.attempts = m_context.starter.nextAttempt(m_record, record);
    record.devices = start.devices.all();
    record.objectiveLast.reset();
    record.objectiveBest.reset();
    record.step = 0;
    record.progress = 0;
    record.attemptStarted = now;
    if (!record.started)
        record.started = now;
    const Transition transition = move(row, TrialEvent::AttemptBegun, {});
    AttemptRow attempt{m_record.id,     start.trial,
                       record.attempts, AttemptStarter::makeAttemptId(m_record, start.trial, record.attempts),
                       std::nullopt,    now};
    if (!written(m_context.store.beginAttempt(row, transition, attempt), now)) {
        m_context.scheduler.release(m_record.id, start.trial);
        return;
    }
    m_waiting.erase(start.trial);
    m_notBefore.erase(start.trial);
    keep(std::move(row));
    m_context.listener.devicesChanged();

    const Expected<launch::ProcessIdentity> agent =
        m_context.starter.start(m_record, m_spec, trial(start.trial).record, attempt.id, start.devices);
    if (agent) {
        attempt.agent = *agent;
        written(m_context.store.noteAgent(attempt), now);  // if not: events.jsonl names the agent too
    }
    const auto [place, isNew] =
        m_attempts.insert_or_assign(start.trial, RunningAttempt{attempt, AttemptMonitor(attemptOf(attempt))});
    if (agent)
        return;
    const bool noSpace = agent.error().code == ErrorCode::NoSpace;
    if (noSpace)
        m_pausedUntil = now + pauseWithoutSpace;  // a disk without room says nothing of the trial
    place->second.monitor.failToStart(noSpace ? AttemptEnd::NeverStarted : AttemptEnd::Failed, agent.error().message,
                                      now);
}

void SweepRun::refuse(int number, const std::string &cause, WallNs now)
{
    TrialRow row = trial(number);
    const Transition transition = move(row, TrialEvent::Failed, cause);
    row.record.ended = now;
    if (!written(m_context.store.changeTrial(row, std::span(&transition, 1), now), now))
        return;
    m_waiting.erase(number);
    m_notBefore.erase(number);
    --m_open;
    keep(std::move(row));
}

void SweepRun::setReason(int number, const std::string &reason)
{
    sweep::TrialRecord &record = trial(number).record;
    if (record.cause == reason)
        return;
    record.cause = reason;  // not written: it is true only as long as this engine runs
    m_context.listener.trialsChanged(m_record.id, number, number);
}

void SweepRun::stop(WallNs now)
{
    sweep::SweepRecord stopping = m_record;
    stopping.state = sweep::SweepState::Stopping;
    if (!written(m_context.store.changeSweepState(stopping, m_record.state, "a person stopped it", now), now))
        return;
    m_record = std::move(stopping);
    m_context.listener.sweepChanged(m_record.id);
    stopWaiting(now);
    for (auto &[number, attempt] : m_attempts) {
        attempt.monitor.stop(now);
        setReason(number, "is being stopped");
    }
}

void SweepRun::stopWaiting(WallNs now)
{
    const std::string cause = "the sweep was stopped before this trial started";
    if (m_waiting.empty() || !written(m_context.store.stopWaitingTrials(m_record.id, cause, now), now))
        return;
    for (const int number : m_waiting) {
        sweep::TrialRecord &record = trial(number).record;
        record.state = TrialState::Stopped;
        record.cause = cause;
        record.ended = now;
        m_context.listener.trialsChanged(m_record.id, number, number);
    }
    m_open -= static_cast<int>(m_waiting.size());
    m_waiting.clear();
    m_notBefore.clear();
}

void SweepRun::poll(WallNs now)
{
    if (m_record.state == sweep::SweepState::Stopping)
        stopWaiting(now);
    std::vector<int> numbers;
    numbers.reserve(m_attempts.size());
    for (const auto &[number, attempt] : m_attempts)
        numbers.push_back(number);
    for (const int number : numbers)
        follow(m_attempts.at(number), now);
    if (m_open == 0 && !hasEnded())
        endSweep(now);
}

void SweepRun::follow(RunningAttempt &attempt, WallNs now)
{
    AttemptMonitor &monitor = attempt.monitor;
    monitor.poll(now);
    const int number = attempt.row.trial;
    if (const std::string warning = monitor.takeWarning(); !warning.empty())
        m_context.listener.note("sweep " + m_record.folder + ", trial " + std::to_string(number) + ": " + warning);
    TrialRow &row = trial(number);
    if (monitor.ranksStarted() && row.record.state == TrialState::Starting) {
        TrialRow running = row;
        const Transition transition = move(running, TrialEvent::RanksStarted, row.record.cause);
        if (!written(m_context.store.changeTrial(running, std::span(&transition, 1), now), now))
            return;
        keep(std::move(running));
    }
    takeProgress(row, monitor);
    if (monitor.verdict() && end(attempt.row, *monitor.verdict(), now)) {
        m_attempts.erase(number);
        m_context.scheduler.release(m_record.id, number);
        m_context.listener.devicesChanged();
    }
}

void SweepRun::takeProgress(TrialRow &row, const AttemptMonitor &monitor)
{
    const ObjectiveTracker &objective = monitor.objective();
    sweep::TrialRecord &record = row.record;
    if (same(record.objectiveLast, objective.last()) && record.step == objective.step()
        && record.progress == objective.progress())
        return;
    record.objectiveLast = objective.last();
    record.objectiveBest = objective.best();
    record.step = objective.step();
    record.progress = objective.progress();
    m_unsaved.insert(record.number);
    m_context.listener.trialsChanged(m_record.id, record.number, record.number);
}

/// False when it could not be written; then nothing has changed, and the next poll tries again.
bool SweepRun::end(const AttemptRow &attempt, const AttemptVerdict &verdict, WallNs now)
{
    TrialRow row = trial(attempt.trial);
    const bool stopping = m_record.state != sweep::SweepState::Running;
    std::vector<Transition> transitions;
    TrialEvent event = stopping && verdict.end == AttemptEnd::NeverStarted ? TrialEvent::Stopped : eventOf(verdict.end);
    if (row.record.state == TrialState::Running && event == TrialEvent::NeverStarted)
        event = TrialEvent::Lost;  // its events.jsonl, which said otherwise before, is gone
    // The feed and the exit may be seen before the word of a started rank, when a trial is very short.
    if (row.record.state == TrialState::Starting && verdict.end == AttemptEnd::Completed)
        transitions.push_back(move(row, TrialEvent::RanksStarted, {}));
    transitions.push_back(move(row, event, verdict.cause));
    std::optional<WallNs> notBefore;
    if (event == TrialEvent::Completed)
        row.record.progress = 1;
    if (event == TrialEvent::NeverStarted) {
        row.record.cause = waitsForItsTurn;
        row.record.attemptStarted.reset();
        if (row.failures == 0)
            row.record.started.reset();
        m_pausedUntil = std::max(m_pausedUntil, now + pauseAfterWriteError);  // what was in the way may still be
    }
    if (event == TrialEvent::Failed || event == TrialEvent::Lost) {
        ++row.failures;
        if (!stopping && m_retryPolicy.mayRetry(row.failures)) {
            const std::chrono::milliseconds delay = m_retryPolicy.delayAfter(row.failures);
            notBefore = now + std::chrono::nanoseconds(delay).count();
            transitions.push_back(move(row, TrialEvent::Retried,
                                       "retry " + std::to_string(row.failures) + " of "
                                           + std::to_string(m_retryPolicy.retries) + " begins after a pause of "
                                           + inSeconds(delay) + "; attempt " + std::to_string(attempt.number) + " "
                                           + toString(verdict.end) + ": " + verdict.cause));
        }
    }
    const bool final = sweep::isFinal(row.record.state);
    if (final)
        row.record.ended = verdict.time;
    if (!written(
            m_context.store.endAttempt(row, transitions, attempt, toString(verdict.end), verdict.cause, verdict.time),
            now))
        return false;
    m_unsaved.erase(attempt.trial);
    if (final)
        --m_open;
    else
        m_waiting.insert(attempt.trial);
    if (notBefore)
        m_notBefore[attempt.trial] = *notBefore;
    keep(std::move(row));
    return true;
}

void SweepRun::endSweep(WallNs now)
{
    sweep::SweepRecord ended = m_record;
    ended.state =
        m_record.state == sweep::SweepState::Stopping ? sweep::SweepState::Stopped : sweep::SweepState::Completed;
    ended.ended = now;
    if (!written(m_context.store.changeSweepState(ended, m_record.state, "its last trial has ended", now), now))
        return;
    ended.warnings.clear();
    m_record = std::move(ended);
    m_context.listener.sweepChanged(m_record.id);
}

void SweepRun::saveProgress()
{
    if (m_unsaved.empty())
        return;
    std::vector<const TrialRow *> rows;
    for (const int number : m_unsaved)
        rows.push_back(&trial(number));
    const Expected<void> saved = m_context.store.updateProgress(rows);
    if (saved)
        m_unsaved.clear();
    noteStore(saved);
}

AttemptMonitor::Attempt SweepRun::attemptOf(const AttemptRow &row) const
{
    const sweep::TrialRecord &record = m_trials[static_cast<std::size_t>(row.trial - 1)].record;
    return {m_context.starter.files(m_record, row.trial, row.number),
            row.id,
            record.ranks,
            m_record.objective,
            m_record.goal,
            row.agent};
}

void SweepRun::keep(TrialRow row)
{
    const int number = row.record.number;
    trial(number) = std::move(row);
    m_context.listener.trialsChanged(m_record.id, number, number);
}

bool SweepRun::written(const Expected<void> &result, WallNs now)
{
    if (!result)
        m_pausedUntil = now + pauseAfterWriteError;
    noteStore(result);
    return result.has_value();
}

void SweepRun::noteStore(const Expected<void> &result)
{
    const std::string warning = result ? std::string() : result.error().message;
    if (warning == m_storeWarning)
        return;
    m_context.listener.note("sweep " + m_record.folder + ": "
                            + (result ? "its trials can be written again" : warning + " (is tried again)"));
    m_storeWarning = warning;
    tellWarnings();
}

void SweepRun::noteDisk(const std::string &warning, bool isFull)
{
    m_diskIsFull = isFull;
    if (isFull && !m_waiting.empty() && m_record.state == sweep::SweepState::Running)
        setReason(*m_waiting.begin(), "waits for room on the disk");
    if (warning == m_diskWarning)
        return;
    m_diskWarning = warning;
    tellWarnings();
}

void SweepRun::tellWarnings()
{
    m_record.warnings.clear();
    for (const std::string &warning : {m_diskWarning, m_storeWarning}) {
        if (!warning.empty())
            m_record.warnings.push_back(warning);
    }
    m_context.listener.sweepChanged(m_record.id);
}

}  // namespace sweepscope::engine
