#include "engine/sweeprun.h"

#include "engine/decisions/attemptbegin.h"
#include "engine/decisions/attemptend.h"
#include "engine/decisions/edit.h"
#include "engine/decisions/enqueue.h"
#include "engine/decisions/mark.h"
#include "engine/decisions/measure.h"
#include "engine/decisions/pause.h"
#include "engine/decisions/priority.h"
#include "engine/decisions/retry.h"
#include "engine/decisions/stop.h"
#include "engine/trialreports.h"
#include "sweep/trialchain.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
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
        m_attempts.insert_or_assign(row.trial, running(row));
        m_attemptTrials.insert(row.trial);
        m_context.scheduler.adopt(record().id, row.trial, m_ledger.trial(row.trial).record.devices, m_spec.devices,
                                  m_context.launcher.cpusOf(record(), row));
        m_context.listener.note("sweep " + record().folder + ": takes over trial " + std::to_string(row.trial)
                                + ", attempt " + std::to_string(row.number));
    }
    for (const TrialRow &row : trials()) {
        if (sweep::isUnderWay(row.record.state) && !m_attempts.contains(row.record.number))
            startOver(row, now);
    }
    holdBackRetries(now);
    loadRungs();
    m_ledger.sayWhetherPaused();
    if (record().state == SweepState::Stopping)
        carryOut(stopIdleTrials(view(), now), now);
    for (const int number : std::set<int>(m_attemptTrials)) {
        const TrialRow &row = m_ledger.trial(number);
        std::vector<AttemptEffect> effects = effectsOf(row.record, m_spec);
        std::optional<sweep::StopMode> mode = stopModeOf(row.asked);
        if (record().state == SweepState::Stopping)
            mode = std::max(mode.value_or(record().stopMode), record().stopMode);
        if (mode)
            std::ranges::copy(stopEffects(view(), number, *mode), std::back_inserter(effects));
        for (const AttemptEffect &effect : effects)
            perform(effect, now);
    }
}

/// A running trial without an attempt: nothing of ours writes that, but a database that was repaired by hand may have it.
void SweepRun::startOver(const TrialRow &row, WallNs now)
{
    Decision decision;
    TrialChange &change = decision.trials.emplace_back(TrialChange{row, {}, {}});
    change.apply(TrialEvent::Lost, facts::Code::AttemptMissing);
    change.apply(TrialEvent::Retried, facts::Code::Queued);
    carryOut(std::move(decision), now);
}

schedule::SweepDemand SweepRun::demand(WallNs now) const
{
    // poll() stops the queued trials; one that is queued again meanwhile does not start either.
    const int next = spent(m_spec.budget, now) ? 0 : m_ledger.nextTrial(now);
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
    const int number = m_context.launcher.nextAttempt(record(), m_ledger.trial(start.trial).record);
    const std::vector<std::string> devices = start.devices.all();
    TrialChange change = beginAttempt(m_ledger.trial(start.trial), {number, devices, start.devices.simulated, now});
    AttemptRow attempt{record().id,
                       start.trial,
                       number,
                       m_context.launcher.makeAttemptId(record(), start.trial, number),
                       std::nullopt,
                       now,
                       static_cast<int>(devices.size())};
    if (!m_ledger.begin(std::move(change), attempt)) {
        m_context.scheduler.release(record().id, start.trial);
        return;
    }
    m_context.listener.devicesChanged();

    const Expected<launch::ProcessIdentity> agent =
        m_context.launcher.start(record(), m_spec, m_ledger.trial(start.trial).record, attempt.id, start.devices,
                                 m_context.scheduler.leasesOf(record().id, start.trial));
    if (agent) {
        m_context.scheduler.handOver(record().id, start.trial, agent->pid);
        attempt.agent = *agent;
        m_ledger.noteAgent(attempt, now);  // if not: events.jsonl names the agent too
    }
    const auto [place, isNew] = m_attempts.insert_or_assign(start.trial, running(attempt));
    m_attemptTrials.insert(start.trial);
    if (agent)
        return;
    const bool noSpace = agent.error().code == ErrorCode::NoSpace;
    if (noSpace)
        m_ledger.holdBack(now + pauseWithoutSpace);  // a disk without room says nothing of the trial
    place->second.observer->failToStart(
        noSpace ? AttemptEnd::NeverStarted : AttemptEnd::Failed,
        facts::Fact(facts::Code::AttemptNotStarted).with(facts::Field::Detail, agent.error().message), now);
}

void SweepRun::refuse(int number, facts::Fact reason, WallNs now)
{
    Decision decision;
    TrialChange &change = decision.trials.emplace_back(TrialChange{m_ledger.trial(number), {}, {}});
    change.apply(TrialEvent::Failed, std::move(reason));
    change.row.record.ended = now;
    carryOut(std::move(decision), now);
}

void SweepRun::poll(WallNs now)
{
    if (record().state == SweepState::Stopping) {
        carryOut(stopIdleTrials(view(), now), now);
    } else if (record().state == SweepState::Running && m_ledger.waitingTrials() != 0) {
        if (const std::optional<facts::Fact> budgetSpent = spent(m_spec.budget, now)) {
            Decision decision;
            decision.queuedStop = budgetSpent;
            carryOut(std::move(decision), now);
        }
    }
    if (m_spec.probe && m_ledger.waitingTrials() != 0)
        carryOut(stopBeyondMemory(view(), now), now);
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
        attempt.observer->moveWaits(change);
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
    AttemptObserver &monitor = *attempt.observer;
    monitor.poll(now);
    const int number = attempt.row.trial;
    if (const std::string warning = monitor.takeWarning(); !warning.empty())
        m_context.listener.note("sweep " + record().folder + ", trial " + std::to_string(number) + ": " + warning);
    facts::Fact silence;
    if (monitor.silence() && !monitor.verdict()) {
        silence = facts::Fact(facts::Code::AgentNotResponding).with(facts::Field::Trial, number);
        if (monitor.silence()->isStopped)
            silence = std::move(silence).with(facts::Field::Signal, SIGSTOP);
    }
    m_ledger.warnOfAgent(number, silence);
    if (monitor.ranksStarted() && m_ledger.trial(number).record.state == TrialState::Starting) {
        Decision decision;
        TrialChange &change = decision.trials.emplace_back(TrialChange{m_ledger.trial(number), {}, {}});
        change.apply(TrialEvent::RanksStarted, change.row.record.reason);
        if (!carryOut(std::move(decision), now))
            return;
    }
    if (monitor.objective().startedAnew() && sweep::chainOf(m_ledger.trial(number).record).first != attempt.row.number)
        forgetRungs(number);
    m_ledger.takeProgress(number, monitor.objective(), !m_spec.probe);
    prune(attempt, now);
    endWhenMeasured(attempt, now);
    if (!monitor.verdict() && isPauseDue(view(), number))
        carryOut(pauseRunning(view(), number), now);
    if (monitor.verdict() && end(attempt, now)) {
        if (monitor.verdict()->withoutAgent)
            m_context.launcher.tidyAfter(record(), number, attempt.row.number);
        m_attempts.erase(number);
        m_attemptTrials.erase(number);
        m_context.scheduler.release(record().id, number);
        m_context.listener.devicesChanged();
    }
}

void SweepRun::endSweepWhenDone(WallNs now)
{
    if (m_ledger.openTrials() != 0 || !m_attempts.empty() || hasEnded())
        return;
    std::map<TrialState, int> counts;
    for (const TrialRow &row : trials())
        ++counts[row.record.state];
    Decision decision;
    decision.sweep = SweepChange{record(), facts::Code::LastTrialEnded};
    decision.sweep->record.state = record().state == SweepState::Stopping ? SweepState::Stopped : sweep::endOf(counts);
    decision.sweep->record.ended = now;
    carryOut(std::move(decision), now);
}

SweepView SweepRun::view() const
{
    return {record(), m_spec, trials(), m_attemptTrials};
}

Reply SweepRun::carryOut(Decided decided, WallNs now)
{
    if (!decided)
        return tl::unexpected<facts::Fact>(std::move(decided.error()));
    facts::Facts reply = std::move(decided->reply);
    if (!carryOut(std::move(*decided), now))
        return tl::unexpected<facts::Fact>(facts::Code::DatabaseNotWritten);
    return reply;
}

bool SweepRun::carryOut(Decision decision, WallNs now)
{
    if (!m_ledger.commit(decision, now))
        return false;
    for (const AttemptEffect &effect : decision.effects)
        perform(effect, now);
    return true;
}

void SweepRun::perform(const AttemptEffect &effect, WallNs now)
{
    const auto found = m_attempts.find(effect.trial);
    if (found == m_attempts.end())
        return;
    AttemptObserver &monitor = *found->second.observer;
    switch (effect.action) {
    case AttemptAction::Freeze:
        return monitor.freeze();
    case AttemptAction::Thaw:
        return monitor.thaw();
    case AttemptAction::SaveAndEnd:
        monitor.saveAndEnd();
        break;
    case AttemptAction::Stop:
        monitor.stop(now);
        break;
    case AttemptAction::Kill:
        monitor.kill(now);
        break;
    }
    if (view().isStopping(effect.trial)
        && !sweep::isFinal(m_ledger.trial(effect.trial).record.state))  // the reason for pruning stays
        setReason(effect.trial, effect.action == AttemptAction::Kill ? facts::Code::Killing : facts::Code::Stopping);
}

Decided SweepRun::decide(const sweep::Control &request, WallNs now) const
{
    using Action = sweep::Control::Action;
    using facts::Code;
    using facts::Fact;
    SweepView view = this->view();
    std::vector<int> trials = request.trials;  // each once
    std::ranges::sort(trials);
    trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
    for (const int number : trials) {
        if (!view.hasTrial(number))
            return tl::unexpected<Fact>(Fact(Code::NoSuchTrial)
                                            .with(facts::Field::Trial, number)
                                            .with(facts::Field::Count, static_cast<std::int64_t>(view.trials.size()))
                                            .with(facts::Field::Sweep, record().folder));
    }
    if (request.action == Action::Mark)
        return markTrials(view, trials, request.mark);
    if (hasEnded() && request.action != Action::Retry)
        return tl::unexpected<Fact>(Fact(Code::SweepHasEnded).with(facts::Field::Sweep, record().folder));
    view.budgetSpent = spent(m_spec.budget, now);
    const bool whole = trials.empty();
    switch (request.action) {
    case Action::Stop:
        return whole ? stopSweep(view, request.stopMode, now) : stopTrials(view, trials, request.stopMode, now);
    case Action::Pause:
        return whole ? pauseSweep(view) : pauseTrials(view, trials);
    case Action::Resume:
        return whole ? resumeSweep(view) : resumeTrials(view, trials);
    case Action::Retry:
        return retryTrials(view, trials, now);
    case Action::SetPriority:
        return setPriority(view, trials, request.priority);
    case Action::Mark:
    case Action::Archive:  // these are the engine's (sweepkeeping.cpp): nothing runs any more
    case Action::Unarchive:
    case Action::Delete:
        break;
    }
    return Decision();
}

Reply SweepRun::control(const sweep::Control &request, WallNs now)
{
    return carryOut(decide(request, now), now);
}

Reply SweepRun::enqueue(const std::map<std::string, std::string> &point, WallNs now)
{
    SweepView view = this->view();
    view.budgetSpent = spent(m_spec.budget, now);
    return carryOut(enqueueTrial(view, point, now), now);
}

tl::expected<facts::Facts, std::vector<sweep::Problem>> SweepRun::redefine(Redefinition redefinition, WallNs now)
{
    SweepView view = this->view();
    view.budgetSpent = spent(redefinition.spec.budget, now);
    auto decision = editSweep(view, {redefinition.toml, redefinition.spec, redefinition.kind}, now);
    if (!decision)
        return tl::unexpected(std::move(decision.error()));
    facts::Facts reply = decision->reply;
    if (redefinition.dryRun)
        return reply;
    if (!carryOut(std::move(*decision), now))
        return tl::unexpected<std::vector<sweep::Problem>>(
            std::vector<sweep::Problem>{{"", "nothing was changed: the database cannot be written; see engine.log"}});
    m_spec = std::move(redefinition.spec);
    m_retryPolicy = RetryPolicy(m_spec.run);
    loadRungs();
    for (auto &[number, attempt] : m_attempts)
        attempt.observer->compareAt(m_spec.prune);
    return reply;
}

bool SweepRun::end(const RunningAttempt &attempt, WallNs now)
{
    const AttemptVerdict &verdict = *attempt.observer->verdict();
    const TrialRow &row = m_ledger.trial(attempt.row.trial);
    AttemptEndDecision decision = endAttempt(
        view(), m_retryPolicy,
        {attempt.row.trial, attempt.row.number, verdict, wasMeasured(attempt, verdict.time), earlierAttempts(row)},
        now);
    if (!m_ledger.end(std::move(decision.change), attempt.row, endingOf(verdict), now))
        return false;
    if (decision.sweepNotBefore)
        m_ledger.holdBack(*decision.sweepNotBefore);
    if (decision.notBefore)
        m_ledger.holdBack(attempt.row.trial, *decision.notBefore);
    if (m_spec.probe)
        carryOut(stopBeyondMemory(view(), now), now);  // before the next one starts
    return true;
}

/// Only where kinds of failure are counted apart: the database is asked for them.
std::vector<sweep::AttemptRecord> SweepRun::earlierAttempts(const TrialRow &row) const
{
    if (!m_retryPolicy.hasRules() || row.failures == 0)
        return {};
    return m_context.store.attempts(record().id, row.record.number).value_or(std::vector<sweep::AttemptRecord>());
}

/// The last engine may have ended while a trial waited for its retry: the delay follows from what is stored.
void SweepRun::holdBackRetries(WallNs now)
{
    for (const TrialRow &row : trials()) {
        if (row.record.state != TrialState::Waiting || row.failures == 0)
            continue;
        const Expected<std::vector<sweep::AttemptRecord>> attempts =
            m_context.store.attempts(record().id, row.record.number);
        if (!attempts || attempts->empty() || !attempts->back().ended)
            continue;
        const sweep::AttemptRecord &last = attempts->back();
        const RetryPolicy::Decision decision = m_retryPolicy.decide(
            launch::failureKindFromString(last.failure), 1 + failuresLike(row, m_retryPolicy, last.failure, *attempts));
        // From now at the latest: the clock may have been set back.
        m_ledger.holdBack(row.record.number,
                          std::min(*last.ended, now) + std::chrono::nanoseconds(decision.delay).count());
    }
}

void SweepRun::loadRungs()
{
    m_pruner.reset();
    if (!m_spec.prune)
        return;
    m_pruner.emplace(*m_spec.prune, record().goal);
    const Expected<std::vector<TrialRung>> stored = m_context.store.rungs(record().id);
    if (!stored)
        return m_context.listener.note("sweep " + record().folder
                                       + ": trials are compared only with later ones: " + stored.error().message);
    for (const TrialRung &rung : *stored)
        m_pruner->reached(rung.trial, rung.value.rung, rung.value.best);
}

/// The trial starts from scratch.
void SweepRun::forgetRungs(int trial)
{
    if (m_pruner)
        m_pruner->forget(trial);
    m_ledger.forgetRungs(trial);
}

void SweepRun::prune(RunningAttempt &attempt, WallNs now)
{
    const int trial = attempt.row.trial;
    std::vector<RungValue> reached = attempt.observer->takeReachedRungs();
    if (!m_pruner || reached.empty())
        return;
    for (RungValue &value : reached)
        value.best = m_pruner->reached(trial, value.rung, value.best);
    // A later engine misses unwritten ones at most, and compares with fewer.
    m_ledger.noteRungs(trial, reached);
    const TrialRow &row = m_ledger.trial(trial);
    if (row.spared || row.record.state != TrialState::Running || view().isStopping(trial)
        || attempt.observer->verdict())
        return;
    std::optional<facts::Fact> reason = m_pruner->verdict(trial, reached.back().rung);
    if (!reason)
        return;
    Decision decision;
    TrialChange &change = decision.trials.emplace_back(TrialChange{row, {}, {}});
    change.apply(TrialEvent::Pruned, std::move(*reason));
    change.row.record.ended = now;
    decision.effects = effectsOf(change.row.record, m_spec);
    carryOut(std::move(decision), now);
}

bool SweepRun::wasMeasured(const RunningAttempt &attempt, WallNs until) const
{
    const std::optional<WallNs> first = attempt.observer->objective().firstReport();
    return m_spec.probe && first && until - *first >= std::chrono::nanoseconds(m_spec.probe->measure).count();
}

void SweepRun::endWhenMeasured(RunningAttempt &attempt, WallNs now)
{
    const int trial = attempt.row.trial;
    if (!m_spec.probe || attempt.observer->verdict() || attempt.observer->stopRequested()
        || m_ledger.trial(trial).record.state != TrialState::Running || !wasMeasured(attempt, now))
        return;
    setReason(trial, facts::Code::Measuring);
    attempt.observer->kill(now);  // there is nothing to save
}

std::optional<facts::Fact> SweepRun::spent(const std::optional<sweep::BudgetSection> &budget, WallNs now) const
{
    sweep::BudgetUse used{now - record().created, record().deviceTime};
    for (const auto &[number, attempt] : m_attempts)
        used.deviceTime += deviceTime(attempt.row, now);
    return sweep::spentBudget(budget, used);
}

void SweepRun::addAgents(std::set<pid_t> &agents) const
{
    for (const auto &[number, attempt] : m_attempts) {
        if (attempt.row.agent)
            agents.insert(attempt.row.agent->pid);
    }
}

SweepRun::RunningAttempt SweepRun::running(const AttemptRow &row) const
{
    const TrialRow &trial = m_ledger.trial(row.trial);
    return {row, m_context.launcher.observe(record(), m_spec, trial.record, row, pastOf(trial, row.number))};
}

}  // namespace sweepscope::engine
