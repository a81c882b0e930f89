#include "engine/sweeprun.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::SweepState;
using sweep::TrialState;

constexpr WallNs pauseWithoutSpace = std::chrono::nanoseconds(std::chrono::seconds(10)).count();

}  // namespace

SweepRun::SweepRun(const Context &context, sweep::SweepRecord record, sweep::SweepSpec spec,
                   std::vector<TrialRow> trials)
    : m_context(context),
      m_ledger(context.store, context.listener, std::move(record), std::move(trials)),
      m_spec(std::move(spec)),
      m_retryPolicy(m_spec.run)
{}

void SweepRun::adopt(const std::vector<AttemptRow> &openAttempts, WallNs now)
{
    for (const AttemptRow &row : openAttempts) {
        if (!m_ledger.knows(row.trial))
            continue;
        m_attempts.insert_or_assign(row.trial, RunningAttempt{row, AttemptMonitor(attemptOf(row))});
        const Expected<launch::LaunchSpec> launched =
            launch::readLaunchSpec(m_context.starter.files(record(), row.trial, row.number).launchFile());
        m_context.scheduler.adopt(record().id, row.trial, m_ledger.trial(row.trial).record.devices, m_spec.devices,
                                  launched ? launched->cpus : std::vector<std::vector<int>>());
        m_context.watch.begin(record().id, row.trial, m_context.starter.files(record(), row.trial, row.number));
        m_context.listener.note("sweep " + record().folder + ": takes over trial " + std::to_string(row.trial)
                                + ", attempt " + std::to_string(row.number));
    }
    for (const TrialRow &row : trials()) {
        if (sweep::isUnderWay(row.record.state) && !m_attempts.contains(row.record.number))
            startOver(row, now);
    }
    holdBackRetries(now);
    loadRungs();
    m_budget = budgetOf(m_spec);
    m_ledger.sayWhetherPaused();
    for (auto &[number, attempt] : m_attempts) {
        enforceState(attempt, now);
        if (const std::optional<sweep::StopMode> mode = stopModeOf(m_ledger.trial(number).asked))
            applyStop(attempt, *mode, now);
    }
    if (record().state == SweepState::Stopping) {
        stopIdle(now);
        for (auto &[number, attempt] : m_attempts)
            applyStop(attempt, record().stopMode, now);
    }
}

/// A trial that is under way without an attempt: nobody writes that, but a database that was repaired by hand may say
/// so.
void SweepRun::startOver(TrialRow row, WallNs now)
{
    TrialChange change{std::move(row), {}};
    change.transitions.push_back(move(change.row, TrialEvent::Lost, "the database knows no attempt of it"));
    change.transitions.push_back(move(change.row, TrialEvent::Retried, waitsForItsTurn));
    m_ledger.change(std::move(change), now);
}

schedule::SweepDemand SweepRun::demand(WallNs now) const
{
    const int next = m_ledger.nextTrial(now);
    const sweep::TrialRecord nobody;
    const sweep::TrialRecord &trial = next != 0 ? m_ledger.trial(next).record : nobody;
    schedule::SweepDemand demand = schedule::demandOf(m_spec, trial.ranks, trial.parameters);
    demand.sweepId = record().id;
    demand.name = record().name;
    demand.priority = record().priority;
    demand.running = static_cast<int>(m_attempts.size());
    demand.nextTrial = next;
    return demand;
}

void SweepRun::start(const schedule::TrialStart &start, WallNs now)
{
    TrialRow row = m_ledger.trial(start.trial);
    sweep::TrialRecord &trial = row.record;
    trial.attempts = m_context.starter.nextAttempt(record(), trial);
    trial.devices = start.devices.all();
    trial.simulated = start.devices.simulated;
    trial.objectiveLast.reset();
    trial.objectiveBest.reset();
    trial.metrics.clear();
    trial.step = 0;
    trial.progress = 0;
    trial.attemptStarted = now;
    trial.paused = 0;
    if (!trial.started)
        trial.started = now;
    const Transition transition = move(row, TrialEvent::AttemptBegun, {});
    AttemptRow attempt{record().id,
                       start.trial,
                       trial.attempts,
                       AttemptStarter::makeAttemptId(record(), start.trial, trial.attempts),
                       std::nullopt,
                       now,
                       static_cast<int>(trial.devices.size())};
    if (!m_ledger.begin(std::move(row), transition, attempt)) {
        m_context.scheduler.release(record().id, start.trial);
        return;
    }
    m_context.listener.devicesChanged();

    const Expected<launch::ProcessIdentity> agent =
        m_context.starter.start(record(), m_spec, m_ledger.trial(start.trial).record, attempt.id, start.devices,
                                m_context.scheduler.leasesOf(record().id, start.trial));
    if (agent) {
        m_context.scheduler.handOver(record().id, start.trial, agent->pid);
        attempt.agent = *agent;
        m_ledger.noteAgent(attempt, now);  // if not: events.jsonl names the agent too
    }
    const auto [place, isNew] =
        m_attempts.insert_or_assign(start.trial, RunningAttempt{attempt, AttemptMonitor(attemptOf(attempt))});
    if (agent) {
        m_context.watch.begin(record().id, start.trial, m_context.starter.files(record(), start.trial, attempt.number));
        return;
    }
    const bool noSpace = agent.error().code == ErrorCode::NoSpace;
    if (noSpace)
        m_ledger.holdBack(now + pauseWithoutSpace);  // a disk without room says nothing of the trial
    place->second.monitor.failToStart(noSpace ? AttemptEnd::NeverStarted : AttemptEnd::Failed, agent.error().message,
                                      now);
}

void SweepRun::refuse(int number, const std::string &cause, WallNs now)
{
    TrialChange change{m_ledger.trial(number), {}};
    change.transitions.push_back(move(change.row, TrialEvent::Failed, cause));
    change.row.record.ended = now;
    m_ledger.change(std::move(change), now);
}

void SweepRun::poll(WallNs now)
{
    if (record().state == SweepState::Stopping)
        stopIdle(now);
    keepToBudget(now);
    stopBeyondMemory(now);
    std::vector<int> numbers;
    numbers.reserve(m_attempts.size());
    for (const auto &[number, attempt] : m_attempts)
        numbers.push_back(number);
    for (const int number : numbers)
        follow(m_attempts.at(number), now);
    endSweepWhenDone(now);
}

void SweepRun::moveWaits(WallNs change)
{
    m_ledger.moveWaits(change);
    for (auto &[number, attempt] : m_attempts)
        attempt.monitor.moveWaits(change);
}

bool SweepRun::look(int trial, WallNs now)
{
    const auto found = m_attempts.find(trial);
    if (found == m_attempts.end())
        return false;
    follow(found->second, now);
    endSweepWhenDone(now);
    return m_attempts.count(trial) == 0;
}

void SweepRun::follow(RunningAttempt &attempt, WallNs now)
{
    AttemptMonitor &monitor = attempt.monitor;
    monitor.poll(now);
    const int number = attempt.row.trial;
    if (const std::string warning = monitor.takeWarning(); !warning.empty())
        m_context.listener.note("sweep " + record().folder + ", trial " + std::to_string(number) + ": " + warning);
    if (monitor.ranksStarted() && m_ledger.trial(number).record.state == TrialState::Starting) {
        TrialChange change{m_ledger.trial(number), {}};
        change.transitions.push_back(move(change.row, TrialEvent::RanksStarted, change.row.record.cause));
        if (!m_ledger.change(std::move(change), now))
            return;
    }
    m_ledger.takeProgress(number, monitor.objective());
    prune(attempt, now);
    endWhenMeasured(attempt, now);
    const bool pause = m_ledger.trial(number).asked == Asked::Pause || record().state == SweepState::Paused;
    if (pause && !monitor.verdict() && m_ledger.trial(number).record.state == TrialState::Running)
        pauseAttempt(attempt, now);
    if (monitor.verdict() && end(attempt, now)) {
        if (monitor.verdict()->withoutAgent)
            m_context.starter.tidyAfter(record(), number, attempt.row.number);
        m_attempts.erase(number);
        m_context.watch.end(record().id, number);
        m_context.scheduler.release(record().id, number);
        m_context.listener.devicesChanged();
    }
}

/// What waits or is paused without an attempt, in a sweep that is being stopped.
void SweepRun::stopIdle(WallNs now)
{
    if (!m_ledger.stopWaiting("the sweep was stopped before this trial started", now))
        return;
    std::vector<TrialChange> changes;
    for (const int number : m_ledger.pausedTrials()) {
        if (m_attempts.contains(number))
            continue;
        TrialChange change{m_ledger.trial(number), {}};
        change.transitions.push_back(
            move(change.row, TrialEvent::Stopped, "the sweep was stopped while it was paused"));
        change.row.record.ended = now;
        changes.push_back(std::move(change));
    }
    if (!changes.empty())
        m_ledger.changeAll(changes, now);
}

void SweepRun::endSweepWhenDone(WallNs now)
{
    if (m_ledger.openTrials() != 0 || !m_attempts.empty() || hasEnded())
        return;
    sweep::SweepRecord ended = record();
    ended.state = record().state == SweepState::Stopping ? SweepState::Stopped : stateAtEnd();
    ended.ended = now;
    m_ledger.changeSweep(std::move(ended), "its last trial has ended", now);
}

SweepState SweepRun::stateAtEnd() const
{
    std::map<TrialState, int> counts;
    for (const TrialRow &row : trials())
        ++counts[row.record.state];
    return sweep::endOf(counts);
}

void SweepRun::addAgents(std::set<pid_t> &agents) const
{
    for (const auto &[number, attempt] : m_attempts) {
        if (attempt.row.agent)
            agents.insert(attempt.row.agent->pid);
    }
}

AttemptMonitor::Attempt SweepRun::attemptOf(const AttemptRow &row) const
{
    return {m_context.starter.files(record(), row.trial, row.number),
            row.id,
            m_ledger.trial(row.trial).record.ranks,
            record().objective,
            record().goal,
            m_spec.prune,
            row.agent};
}

}  // namespace sweepscope::engine
