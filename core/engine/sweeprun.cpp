#include "engine/sweeprun.h"

#include "engine/storereader.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::SweepState;
using sweep::TrialState;

constexpr WallNs pauseAfterNeverStarted = std::chrono::nanoseconds(std::chrono::seconds(2)).count();
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

std::string inSeconds(std::chrono::milliseconds delay)
{
    return std::to_string((delay.count() + 999) / 1000) + " s";
}

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

device::SweepDemand SweepRun::demand(WallNs now) const
{
    const int next = m_ledger.nextTrial(now);
    const sweep::TrialRecord nobody;
    const sweep::TrialRecord &trial = next != 0 ? m_ledger.trial(next).record : nobody;
    device::SweepDemand demand = device::demandOf(m_spec, trial.ranks, trial.parameters);
    demand.sweepId = record().id;
    demand.name = record().name;
    demand.priority = record().priority;
    demand.running = static_cast<int>(m_attempts.size());
    demand.nextTrial = next;
    return demand;
}

void SweepRun::start(const device::TrialStart &start, WallNs now)
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

/// False when it could not be written; then nothing has changed, and the next poll tries again.
bool SweepRun::end(const RunningAttempt &attempt, WallNs now)
{
    const AttemptVerdict &verdict = *attempt.monitor.verdict();
    TrialChange change{m_ledger.trial(attempt.row.trial), {}};
    const Asked asked = std::exchange(change.row.asked, Asked::Nothing);
    const bool wasPaused = change.row.record.state == TrialState::Paused;
    const bool staysPaused = asked == Asked::Pause || (wasPaused && asked != Asked::Resume);
    std::optional<WallNs> notBefore;
    if (change.row.record.state == TrialState::Pruned) {
        // Its end was decided before; whatever the attempt came to meanwhile.
    } else if (wasPaused && verdict.end == AttemptEnd::Stopped && !isToStop(attempt.row.trial)) {
        change.row.record.cause = "paused: its checkpoint is saved and its devices are free";
        if (!staysPaused)
            change.transitions.push_back(move(change.row, TrialEvent::Requeued, "goes on from its checkpoint"));
    } else {
        takeEnd(change, attempt, verdict, now);
        notBefore = planRetry(change, attempt, now);
        if (staysPaused && change.row.record.state == TrialState::Waiting)
            change.transitions.push_back(move(change.row, TrialEvent::Paused, change.row.record.cause));
    }
    if (sweep::isFinal(change.row.record.state))
        change.row.record.ended = verdict.time;
    const AttemptEnding ending{toString(verdict.end), verdict.failure ? toString(*verdict.failure) : std::string(),
                               verdict.cause, verdict.time};
    if (!m_ledger.end(std::move(change), attempt.row, ending, now))
        return false;
    if (m_budget)
        m_budget->attemptEnded(deviceTime(attempt.row, verdict.time));
    if (notBefore)
        m_ledger.holdBack(attempt.row.trial, *notBefore);
    stopBeyondMemory(now);  // before the next one starts
    return true;
}

void SweepRun::takeEnd(TrialChange &change, const RunningAttempt &attempt, const AttemptVerdict &verdict, WallNs now)
{
    TrialRow &row = change.row;
    TrialEvent event = isToStop(attempt.row.trial) && verdict.end == AttemptEnd::NeverStarted ? TrialEvent::Stopped
                                                                                              : eventOf(verdict.end);
    if (row.record.state != TrialState::Starting && event == TrialEvent::NeverStarted)
        event = TrialEvent::Lost;  // its events.jsonl, which said otherwise before, is gone
    // The feed and the exit may be seen before the word of a started rank, when a trial is very short.
    if (row.record.state == TrialState::Starting && verdict.end == AttemptEnd::Completed)
        change.transitions.push_back(move(row, TrialEvent::RanksStarted, {}));
    const auto probed = probeEnd(attempt, verdict);
    if (probed)
        event = probed->first;
    change.transitions.push_back(move(row, event, probed ? probed->second : verdict.cause));
    if (event == TrialEvent::Completed) {
        row.record.progress = 1;
        if (!probed && !row.record.objectiveLast) {
            row.record.cause = "it completed and reported no value of '" + record().objective + "', the objective";
            change.transitions.back().cause = row.record.cause;
        }
    }
    if (event == TrialEvent::NeverStarted) {
        row.record.cause = waitsForItsTurn;
        row.record.attemptStarted.reset();
        if (row.failures == 0)
            row.record.started.reset();
        m_ledger.holdBack(now + pauseAfterNeverStarted);  // what was in the way may still be
    }
    if (event == TrialEvent::Failed || event == TrialEvent::Lost)
        ++row.failures;
}

/// The time before which the trial is not to start again, if it is to be tried again.
std::optional<WallNs> SweepRun::planRetry(TrialChange &change, const RunningAttempt &attempt, WallNs now) const
{
    TrialRow &row = change.row;
    const bool failed = row.record.state == TrialState::Failed || row.record.state == TrialState::Lost;
    if (!failed || isToStop(attempt.row.trial))
        return std::nullopt;
    const AttemptVerdict &verdict = *attempt.monitor.verdict();
    const std::string kind = verdict.failure ? toString(*verdict.failure) : std::string();
    const RetryPolicy::Decision decision = m_retryPolicy.decide(verdict.failure, 1 + failuresLike(row, kind));
    if (!decision.why.empty()) {
        row.record.cause += " (not tried again: " + decision.why + ")";
        change.transitions.back().cause = row.record.cause;
    }
    if (!decision.again)
        return std::nullopt;
    change.transitions.push_back(
        move(row, TrialEvent::Retried,
             "retry " + std::to_string(decision.retry) + " of " + std::to_string(decision.most) + " begins "
                 + inSeconds(decision.delay) + " after " + (kind.empty() ? "the failure" : kind) + "; attempt "
                 + std::to_string(attempt.row.number) + " " + toString(verdict.end) + ": " + verdict.cause));
    return now + std::chrono::nanoseconds(decision.delay).count();
}

/// How many attempts before the last one failed in a way that counts together with `kind`. `row.failures` counts the
/// last one already, and none before a person asked for a retry.
int SweepRun::failuresLike(const TrialRow &row, const std::string &kind) const
{
    if (!m_retryPolicy.hasRules() || row.failures <= 1)
        return row.failures - 1;
    const Expected<std::vector<sweep::AttemptRecord>> attempts =
        StoreReader(m_context.store.database()).attempts(record().id, row.record.number);
    if (!attempts)
        return row.failures - 1;
    int left = row.failures - 1;
    int alike = 0;
    for (auto attempt = attempts->rbegin(); attempt != attempts->rend() && left > 0; ++attempt) {
        if (attempt->outcome != toString(AttemptEnd::Failed) && attempt->outcome != toString(AttemptEnd::Lost))
            continue;
        alike += m_retryPolicy.countTogether(kind, attempt->failure) ? 1 : 0;
        --left;
    }
    return alike;
}

/// The last engine may have ended while a trial waited for its retry: what it waits for follows from what is stored.
void SweepRun::holdBackRetries(WallNs now)
{
    for (const TrialRow &row : trials()) {
        if (row.record.state != TrialState::Waiting || row.failures == 0)
            continue;
        const Expected<std::vector<sweep::AttemptRecord>> attempts =
            StoreReader(m_context.store.database()).attempts(record().id, row.record.number);
        if (!attempts || attempts->empty() || !attempts->back().ended)
            continue;
        const sweep::AttemptRecord &last = attempts->back();
        const RetryPolicy::Decision decision =
            m_retryPolicy.decide(launch::failureKindFromString(last.failure), 1 + failuresLike(row, last.failure));
        // From now at the latest: the clock may have been set back.
        m_ledger.holdBack(row.record.number,
                          std::min(*last.ended, now) + std::chrono::nanoseconds(decision.delay).count());
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
