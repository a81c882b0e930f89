#include "engine/sweeprun.h"

#include "base/log.h"
#include "device/foreignprocesses.h"
#include "engine/decisions/attemptbegin.h"
#include "engine/decisions/attemptend.h"
#include "engine/decisions/enqueue.h"
#include "engine/decisions/mark.h"
#include "engine/decisions/means.h"
#include "engine/decisions/measure.h"
#include "engine/decisions/pause.h"
#include "engine/decisions/priority.h"
#include "engine/decisions/promote.h"
#include "engine/decisions/retry.h"
#include "engine/decisions/stop.h"
#include "engine/decisions/suggest.h"
#include "engine/decisions/trace.h"
#include "engine/suggestiondesk.h"
#include "engine/trialreports.h"
#include "series/energy.h"
#include "sweep/deviceplace.h"
#include "sweep/probe.h"
#include "sweep/stoprule.h"
#include "sweep/trialchain.h"
#include "sweep/trialtime.h"
#include "wording/sentence.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::SweepState;
using sweep::TrialState;

/// A program that takes longer to choose a point is named as what the sweep waits for.
constexpr WallNs usualAnswer = std::chrono::nanoseconds(std::chrono::seconds(5)).count();
/// For a checkpoint that another trial is to continue from.
constexpr WallNs betweenLooks = std::chrono::nanoseconds(std::chrono::seconds(1)).count();
constexpr WallNs pauseWithoutSpace = std::chrono::nanoseconds(std::chrono::seconds(10)).count();

bool isDueTo(const facts::Fact &fact, facts::Code code)
{
    return fact.code == code
           || std::ranges::any_of(fact.because, [code](const facts::Fact &cause) { return isDueTo(cause, code); });
}

std::optional<double> kilowattHoursOf(const EnergyUse &use)
{
    return use.joules ? std::optional(*use.joules / series::joulesPerKilowattHour) : std::nullopt;
}

/// The machine with the checkpoints of a trial that may continue from one; empty if it may start anywhere.
std::string homeOf(const sweep::TrialRecord &trial)
{
    const bool mayContinue = trial.firstAttempt != 0 && !trial.devices.empty()
                             && !isDueTo(trial.reason, facts::Code::MachineAway)
                             && !isDueTo(trial.reason, facts::Code::MachineRemoved);
    const std::string machine = mayContinue ? sweep::machineOf(trial.devices.front()) : std::string();
    return mayContinue && machine.empty() ? sweep::thisMachine : machine;
}

}  // namespace

SweepRun::SweepRun(const Context &context, sweep::SweepRecord record, sweep::SweepSpec spec,
                   std::vector<TrialRow> trials)
    : m_context(context),
      m_ledger(context.store, context.listener, std::move(record), std::move(trials)),
      m_spec(std::move(spec)),
      m_retryPolicy(m_spec.run),
      m_pruning(m_context.store, m_ledger, m_spec)
{
    m_ledger.judgeBy(m_spec);
}

void SweepRun::adopt(const std::vector<AttemptRow> &openAttempts, WallNs now)
{
    loadPacking();
    for (const AttemptRow &row : openAttempts) {
        if (!m_ledger.knows(row.trial))
            continue;
        m_attempts.insert_or_assign(row.trial, running(row));
        m_attemptTrials.insert(row.trial);
        m_context.scheduler.adopt(record().id, row.trial, m_ledger.trial(row.trial).record.devices,
                                  m_packing ? m_packing->wishesFor(row.trial, schedule::wishesOf(m_spec))
                                            : schedule::wishesOf(m_spec),
                                  m_context.launcher.cpusOf(record(), row));
        m_context.listener.note("sweep " + record().folder + ": adopted trial " + std::to_string(row.trial)
                                + ", attempt " + std::to_string(row.number));
    }
    for (const TrialRow &row : trials()) {
        if (sweep::isUnderWay(row.record.state) && !m_attempts.contains(row.record.number))
            startOver(row, now);
    }
    holdBackRetries(now);
    loadPruning();
    loadSearch();
    updateConclusions({}, now);
    m_ledger.updatePauseReason();
    if (record().state == SweepState::Stopping)
        carryOut(stopIdleTrials(view(), now), now);
    for (const int number : std::set<int>(m_attemptTrials)) {
        const TrialRow &row = m_ledger.trial(number);
        std::vector<AttemptEffect> effects = effectsOf(row.record, m_spec);
        std::optional<sweep::StopMode> mode = stopModeOf(row.pending);
        if (record().state == SweepState::Stopping)
            mode = std::max(mode.value_or(record().stopMode), record().stopMode);
        if (mode)
            std::ranges::copy(stopEffects(view(), number, *mode), std::back_inserter(effects));
        for (const AttemptEffect &effect : effects)
            perform(effect, now);
    }
}

/// Handles a running trial without an attempt: the engine never writes one, but a database repaired by hand may have
/// it.
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
    const int next = spent(m_spec, now) ? 0 : m_ledger.nextTrial(now);
    const sweep::TrialRecord nobody;
    const sweep::TrialRecord &trial = next != 0 ? m_ledger.trial(next).record : nobody;
    schedule::Request request = schedule::requestOf(m_spec, next, trial.ranks, trial.parameters);
    request.home = homeOf(trial);
    if (m_packing)
        request.gpus = m_packing->wishesFor(next, request.gpus);
    schedule::SweepDemand demand{record().id, static_cast<int>(m_attempts.size()), record().priority,
                                 std::move(request)};
    demand.learns = sweep::isOpenEnded(m_spec);
    for (const auto &[number, attempt] : m_attempts) {
        const sweep::TrialRecord &begun = m_ledger.trial(number).record;
        if (sweep::waitsAsJob(begun))
            ++demand.waitingJobs[sweep::machineOf(begun.devices.front())];
    }
    return demand;
}

void SweepRun::start(const schedule::TrialStart &start, WallNs now)
{
    const int number = m_context.launcher.nextAttempt(record(), m_ledger.trial(start.trial).record);
    const std::vector<std::string> devices = start.devices.all();
    TrialChange change = beginAttempt(m_ledger.trial(start.trial), {number, devices, start.devices.simulated, now});
    if (m_packing && hasGpusHere(devices)) {
        if (facts::Fact why = m_packing->whyAlone(start.trial))
            change.note(std::move(why));
    }
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

    const Expected<std::optional<launch::ProcessIdentity>> agent =
        m_context.launcher.start(record(), m_spec, m_ledger.trial(start.trial).record, attempt.id, start.devices,
                                 m_context.scheduler.leasesOf(record().id, start.trial));
    if (agent && *agent) {
        m_context.scheduler.transferLeases(record().id, start.trial, (*agent)->pid);
        attempt.agent = *agent;
        m_ledger.noteAgent(attempt, now);  // if this fails: events.jsonl names the agent too
    }
    const auto [place, isNew] = m_attempts.insert_or_assign(start.trial, running(attempt));
    m_attemptTrials.insert(start.trial);
    if (agent)
        return requestPoint(now);
    const bool noSpace = agent.error().code == ErrorCode::NoSpace;
    if (noSpace)
        m_ledger.holdBack(now + pauseWithoutSpace);  // a full disk is not the trial's fault
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
    } else if (record().state == SweepState::Running && (m_ledger.waitingTrials() != 0 || record().trialsToCome != 0)) {
        if (const std::optional<facts::Fact> reason = spent(m_spec, now))
            carryOut(endSearch(view(), *reason), now);
    }
    if (m_spec.probe && m_ledger.waitingTrials() != 0)
        carryOut(stopBeyondMemory(view(), now), now);
    warnOfUnknownEnergy();
    std::vector<int> numbers;
    numbers.reserve(m_attempts.size());
    for (const auto &[number, attempt] : m_attempts)
        numbers.push_back(number);
    for (const int number : numbers)
        follow(m_attempts.at(number), now);
    promote(now);
    requestPoint(now);
    if (m_askedUnder && search::methodOf(m_spec) == search::Method::Command && now - m_requested > usualAnswer)
        m_ledger.noteWait(facts::Code::SamplerAwaited);
    endSweepWhenDone(now);
}

bool SweepRun::isPointWanted(WallNs now) const
{
    if (record().trialsToCome == 0 || !m_ledger.mayStart(now) || m_ledger.nextTrial(now) != 0
        || m_waitsSince == m_ledger.revision() || now < m_asksAgain)
        return false;
    SweepView view = this->view();
    view.budgetSpent = spent(m_spec, now);
    return wantsPoint(view);
}

/// As late as possible, so that the choice knows the last result: when an attempt could begin and no trial is queued.
void SweepRun::requestPoint(WallNs now)
{
    if (m_askedUnder || !isPointWanted(now) || !m_pruning.writeLog())
        return;
    if (record().trialsTotal >= static_cast<int>(sweep::maxTrials)) {
        carryOut(endSearch(view(), facts::Fact(facts::Code::TooManyTrials)
                                       .with(facts::Field::Limit, static_cast<std::int64_t>(sweep::maxTrials))),
                 now);
        return;
    }
    SuggestionRequest request;
    request.sweepId = record().id;
    request.number = record().trialsTotal + 1;
    request.sweepFolder = record().folder;
    request.inputs = {m_ledger.revision(), record().definition, learnsFromRungs() ? m_pruning.logSize() : 0};
    if (m_wholeHistory) {
        request.spec = m_spec;
        request.folder = record().baseFolder;
        request.trials = *std::exchange(m_wholeHistory, {});
    }
    const search::TrialObserver observe(m_spec);
    for (const sweep::TrialRecord &changed : m_ledger.takeChanges())
        request.trials.push_back(observe(changed));
    if (learnsFromRungs()) {
        for (const search::Observation &trial : request.trials)
            m_observed.insert_or_assign(trial.number, trial);
        for (const int number : m_pruning.takeReached())
            request.trials.push_back(m_observed[number]);
        for (search::Observation &trial : request.trials)
            addRungs(trial, *m_pruning.pruner(), record().goal);
    }
    m_askedUnder = record().definition;
    m_requested = now;
    m_context.suggester.request(std::move(request));
}

void SweepRun::applySuggestion(const SuggestionAnswer &answer, WallNs now)
{
    if (answer.inputs.definition != m_askedUnder)
        return;  // an edit has replaced the request
    m_askedUnder.reset();
    if (search::methodOf(m_spec) == search::Method::Command)
        m_ledger.noteWait({});
    const bool isCurrent = answer.number == record().trialsTotal + 1 && answer.inputs.definition == record().definition;
    if (!isCurrent || !isPointWanted(now))
        return requestPoint(now);
    if (isParentTrained(view(), answer.point)) {  // it will end soon, or has
        m_asksAgain = now + betweenLooks;
        return;
    }
    const facts::Code problem = answer.point ? facts::Code::None : answer.point.error().code;
    const bool lacksCheckpoint =
        problem == facts::Code::CheckpointAwaited || problem == facts::Code::CheckpointNotCopied;
    m_ledger.noteWait(lacksCheckpoint ? answer.point.error() : facts::Fact());
    if (answer.point) {
        carryOut(addSuggested(view(), *answer.point, answer.inputs), now);
        updateConclusions(record().trialsTotal, now);
    } else if (problem == facts::Code::ResultsAwaited) {
        m_waitsSince = answer.inputs.revision;
    } else if (lacksCheckpoint) {
        m_asksAgain = now + betweenLooks;
    } else if (carryOut(endSearch(view(), answer.point.error()), now)) {
        if (problem == facts::Code::SamplerFailed || problem == facts::Code::WarmStartUnreadable)
            noteSearchFailure(answer.point.error());
    }
    endSweepWhenDone(now);
}

void SweepRun::noteSearchFailure(const facts::Fact &failure)
{
    m_ledger.noteSearch(failure);
    m_context.listener.note("sweep " + record().folder + ": " + wording::clause(failure));
}

/// For the first request under this definition, which carries all trials.
void SweepRun::loadSearch()
{
    m_askedUnder.reset();
    if (!sweep::isOpenEnded(m_spec))
        return;
    const Expected<std::vector<sweep::TrialRecord>> changes = m_context.store.changes(record().id);
    if (!changes)
        m_context.listener.note("sweep " + record().folder
                                + ": the search ignores its first trials: " + changes.error().message);
    const std::vector<sweep::TrialRecord> known = changes.value_or(std::vector<sweep::TrialRecord>());
    const auto revision = static_cast<std::int64_t>(known.size());
    m_ledger.noteSearch({});
    m_ledger.followChanges(revision);
    m_waitsSince = -1;
    (void)m_pruning.takeReached();
    m_wholeHistory = observationsAt(trials(), known, record().trialsTotal + 1, revision, m_spec);
}

void SweepRun::moveWaits(WallNs change)
{
    m_ledger.moveWaits(change);
    m_asksAgain += change;
    m_requested += change;
    for (auto &[number, attempt] : m_attempts)
        attempt.observer->moveWaits(change);
}

bool SweepRun::pollTrial(int trial, WallNs now)
{
    const auto found = m_attempts.find(trial);
    if (found == m_attempts.end())
        return false;
    follow(found->second, now);
    promote(now);
    requestPoint(now);
    endSweepWhenDone(now);
    return m_attempts.count(trial) == 0;
}

/// Of the other machine on which the trial runs; None if it has room.
facts::Fact SweepRun::fullDiskOf(int trial) const
{
    const std::vector<std::string> &devices = m_ledger.trial(trial).record.devices;
    const auto &machines = m_context.scheduler.machines();
    const auto machine = machines.find(devices.empty() ? std::string() : sweep::machineOf(devices.front()));
    const bool isFull = machine != machines.end() && machine->second.unavailable.code == facts::Code::MachineDiskFull;
    return isFull ? machine->second.unavailable : facts::Fact();
}

/// Returns what is wrong with the attempt's agent, or with the connection to it; None if nothing is.
facts::Fact SweepRun::silenceOf(const RunningAttempt &attempt) const
{
    const auto silence = attempt.observer->silence();
    if (!silence || attempt.observer->verdict())
        return {};
    const int trial = attempt.row.trial;
    if (silence->isUnreachable) {
        const std::string &first = m_ledger.trial(trial).record.devices.front();
        return facts::Fact(facts::Code::TrialUnreachable)
            .with(facts::Field::Machine, silence->machine.empty() ? sweep::machineOf(first) : silence->machine);
    }
    facts::Fact fact = facts::Fact(facts::Code::AgentNotResponding).with(facts::Field::Trial, trial);
    return silence->isStopped ? std::move(fact).with(facts::Field::Signal, SIGSTOP) : fact;
}

bool SweepRun::isEnding(int trial) const
{
    const facts::Code reason = m_ledger.trial(trial).record.reason.code;
    return reason == facts::Code::Stopping || reason == facts::Code::Killing;
}

/// `unreachable`: None once the trial's machine can be reached again. A stop that was requested stays in the reason.
void SweepRun::noteReachable(int trial, const facts::Fact &unreachable)
{
    using facts::Code;
    if (unreachable)
        m_unreachable.insert(trial);
    else
        m_unreachable.erase(trial);
    const sweep::TrialRecord &record = m_ledger.trial(trial).record;
    const bool isEnding = this->isEnding(trial);
    const bool saysSo = isEnding ? !record.reason.because.empty() : record.reason.code == Code::TrialUnreachable;
    if (!sweep::isUnderWay(record.state) || (!unreachable && !saysSo))
        return;
    const facts::Fact ending = record.reason.code;
    if (unreachable)
        setReason(trial, isEnding ? facts::Fact(ending).dueTo(unreachable) : unreachable);
    else
        setReason(trial, isEnding ? ending : facts::Fact());
}

void SweepRun::follow(RunningAttempt &attempt, WallNs now)
{
    AttemptObserver &monitor = *attempt.observer;
    monitor.poll(now);
    const int number = attempt.row.trial;
    if (const std::string warning = monitor.takeWarning(); !warning.empty())
        m_context.listener.note("sweep " + record().folder + ", trial " + std::to_string(number) + ": " + warning);
    const facts::Fact silence = silenceOf(attempt);
    const bool isUnreachable = silence.code == facts::Code::TrialUnreachable;
    const bool isStopDelayed = isUnreachable && isEnding(number);
    m_ledger.warnOfAgent(number, isStopDelayed ? facts::Fact(facts::Code::Stopping).dueTo(silence)
                                 : silence     ? silence
                                               : fullDiskOf(number));
    noteReachable(number, isUnreachable ? silence : facts::Fact());
    const sweep::TrialRecord &followed = m_ledger.trial(number).record;
    const bool mayNameJob =
        followed.reason.code == facts::Code::JobRuns
        || (!followed.reason && !followed.devices.empty() && sweep::isJobDevice(followed.devices.front()));
    const bool isOfJob =
        followed.state == TrialState::Starting || (followed.state == TrialState::Running && mayNameJob);
    if (const auto waits = monitor.waits(); waits && isOfJob && !isUnreachable)
        setReason(number, *waits);
    if (monitor.ranksStarted() && m_ledger.trial(number).record.state == TrialState::Starting) {
        Decision decision;
        TrialChange &change = decision.trials.emplace_back(TrialChange{m_ledger.trial(number), {}, {}});
        change.apply(TrialEvent::RanksStarted, change.row.record.reason);
        sweep::TrialRecord &record = change.row.record;
        const bool isJob = !record.attemptStarted;
        if (isJob)
            record.attemptStarted = std::min(std::max(monitor.agentStarted().value_or(now), attempt.row.created), now);
        if (!record.started)
            record.started = record.attemptStarted;
        const WallNs began = *record.attemptStarted;
        if (!carryOut(std::move(decision), now))
            return;
        if (isJob && monitor.agent()) {
            attempt.row.created = began;
            attempt.row.agent = monitor.agent();
            m_ledger.noteAgent(attempt.row, now);
        }
    }
    if (monitor.objective().startedAnew()
        && sweep::chainOf(m_ledger.trial(number).record).first != attempt.row.number) {
        m_pruning.startedOver(number);
        m_mayPromote = true;
    }
    m_ledger.updateProgress(number, monitor.objective(), !m_spec.probe);
    measureSharing(attempt, now);
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

/// What follows from trials that were written: of one that has changed, or of all. What cannot be written now is later.
void SweepRun::updateConclusions(std::optional<int> trial, WallNs now)
{
    const bool areAll = !trial || m_conclusionsAreStale;
    Decision decision = areAll ? meanChanges(view()) : meanChanges(view(), *trial);
    std::set<int> changed;
    for (const TrialChange &change : decision.trials)
        changed.insert(change.row.record.number);
    for (const int number : areAll ? m_ledger.misjudgedTrials() : std::vector<int>()) {
        if (!changed.contains(number))
            decision.trials.push_back(TrialChange{m_ledger.trial(number), {}, {}});
    }
    m_conclusionsAreStale = !carryOut(std::move(decision), now);
}

void SweepRun::endSweepWhenDone(WallNs now)
{
    if (m_conclusionsAreStale)
        updateConclusions({}, now);
    const bool isSearching = record().trialsToCome != 0 && record().state != SweepState::Stopping;
    if (m_ledger.openTrials() != 0 || !m_attempts.empty() || hasEnded() || isSearching || m_conclusionsAreStale)
        return;
    std::map<TrialState, int> counts;
    for (const TrialRow &row : trials())
        ++counts[row.record.state];
    Decision decision;
    const facts::Fact &failure = m_ledger.searchFailure();
    decision.sweep = SweepChange{record(), failure ? failure : facts::Fact(facts::Code::LastTrialEnded)};
    decision.sweep->record.state = record().state == SweepState::Stopping ? SweepState::Stopped
                                   : failure                              ? SweepState::Failed
                                                                          : sweep::endOf(counts);
    decision.sweep->record.ended = now;
    carryOut(std::move(decision), now);
}

SweepView SweepRun::view() const
{
    return {record(), m_spec, trials(), m_attemptTrials, {}, m_unreachable};
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
    for (const TrialChange &change : decision.trials)
        m_pruning.noteChange(change.row.record.number);
    for (const TrialRow &row : decision.added)
        m_pruning.noteChange(row.record.number);
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
    case AttemptAction::Trace:
        if (const Expected<void> requested = monitor.requestTrace({now, effect.steps}); !requested)
            noteUntraced(effect.trial, requested.error(), now);
        return;
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

void SweepRun::noteUntraced(int trial, const Error &error, WallNs now)
{
    Decision decision;
    TrialChange &change = decision.trials.emplace_back(TrialChange{m_ledger.trial(trial), {}, {}});
    change.note(facts::Fact(facts::Code::TraceNotRequested).with(facts::Field::Detail, error.message));
    carryOut(std::move(decision), now);
}

/// In their order, each once; NoSuchTrial for the first that there is not.
tl::expected<std::vector<int>, facts::Fact> SweepRun::knownTrials(std::vector<int> numbers) const
{
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const int number : numbers) {
        if (!view().hasTrial(number))
            return tl::unexpected(facts::Fact(facts::Code::NoSuchTrial)
                                      .with(facts::Field::Trial, number)
                                      .with(facts::Field::Count, static_cast<std::int64_t>(trials().size()))
                                      .with(facts::Field::Sweep, record().folder));
    }
    return numbers;
}

Decided SweepRun::decide(const sweep::Control &request, WallNs now) const
{
    using Action = sweep::Control::Action;
    using facts::Code;
    using facts::Fact;
    SweepView view = this->view();
    const auto known = knownTrials(request.trials);
    if (!known)
        return tl::unexpected(known.error());
    const std::vector<int> &trials = *known;
    if (request.action == Action::Mark)
        return trials.empty() ? markSweep(view, request.mark) : markTrials(view, trials, request.mark);
    if (hasEnded() && request.action != Action::Retry)
        return tl::unexpected<Fact>(Fact(Code::SweepHasEnded).with(facts::Field::Sweep, record().folder));
    view.budgetSpent = spent(m_spec, now);
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
    case Action::Trace:
        return traceTrials(view, trials, request.steps);
    case Action::Mark:
    case Action::Archive:  // handled by the engine (sweepkeeping.cpp): nothing runs any more
    case Action::Unarchive:
    case Action::Delete:
        break;
    }
    return Decision();
}

/// `trials`: as Control::trials.
int SweepRun::unreachableAmong(const std::vector<int> &trials) const
{
    return static_cast<int>(std::ranges::count_if(m_attempts, [&](const auto &item) {
        const auto &[number, attempt] = item;
        const auto silence = attempt.observer->silence();
        const bool isMeant = trials.empty() || std::ranges::find(trials, number) != trials.end();
        return isMeant && silence && silence->isUnreachable && !attempt.observer->verdict();
    }));
}

Reply SweepRun::control(const sweep::Control &request, WallNs now)
{
    const int unreachable = unreachableAmong(request.trials);
    Reply reply = carryOut(decide(request, now), now);
    using Action = sweep::Control::Action;
    const bool concernsRanks = request.action == Action::Pause || request.action == Action::Resume
                               || request.action == Action::Stop || request.action == Action::Trace;
    if (reply && concernsRanks && unreachable > 0)
        reply->push_back(facts::Fact(facts::Code::RanksUnreachable).with(facts::Field::Count, unreachable));
    if (reply && request.action == Action::Retry)
        updateConclusions({}, now);
    return reply;
}

Reply SweepRun::enqueue(const std::map<std::string, std::string> &point, WallNs now)
{
    SweepView view = this->view();
    view.budgetSpent = spent(m_spec, now);
    Reply reply = carryOut(enqueueTrial(view, point, now), now);
    updateConclusions({}, now);
    return reply;
}

Reply SweepRun::continueTrials(const std::vector<int> &parents, const std::map<std::string, std::string> &changes,
                               const BringCheckpoint &bring, WallNs now)
{
    SweepView view = this->view();
    view.budgetSpent = spent(m_spec, now);
    const auto numbers = knownTrials(parents);
    if (!numbers)
        return tl::unexpected(numbers.error());
    Decided decided = engine::continueTrials(view, *numbers, changes, now);
    for (std::size_t i = 0; decided && i < numbers->size(); ++i) {  // before the transaction, so that no trial lacks it
        if (auto brought = bring((*numbers)[i], decided->added[i].record.number); !brought)
            return tl::unexpected(std::move(brought.error()));
    }
    Reply reply = carryOut(std::move(decided), now);
    updateConclusions({}, now);
    return reply;
}

tl::expected<facts::Facts, std::vector<sweep::Problem>> SweepRun::redefine(Definition definition, bool dryRun,
                                                                           WallNs now)
{
    SweepView view = this->view();
    view.budgetSpent = spent(definition.spec, now);
    sweep::SweepSpec spec = definition.spec;
    const bool isJudgedAnew = spec.objective != m_spec.objective || spec.goal != m_spec.goal;
    const bool readsOutput = spec.run.metrics && spec.run.metrics->tensorboard.empty() && !m_spec.run.metrics;
    auto decision = editSweep(view, std::move(definition), now);
    if (!decision)
        return tl::unexpected(std::move(decision.error()));
    facts::Facts reply = decision->reply;
    if (dryRun || !decision->changesRows())
        return reply;
    if (!carryOut(std::move(*decision), now))
        return tl::unexpected<std::vector<sweep::Problem>>(
            std::vector<sweep::Problem>{{"", "nothing was changed: the database cannot be written; see engine.log"}});
    m_spec = std::move(spec);
    m_ledger.judgeBy(m_spec);
    m_retryPolicy = RetryPolicy(m_spec.run);
    if (isJudgedAnew)
        m_pruning.forget();
    loadPacking();
    loadPruning();
    m_mayPromote = true;
    m_pruning.judgeAgain(m_attemptTrials);
    loadSearch();
    updateConclusions({}, now);
    for (auto &[number, attempt] : m_attempts)
        attempt.observer->judgeBy(m_spec, pastOf(m_ledger.trial(number), attempt.row.number));
    for (auto &[number, attempt] : m_attempts) {
        const Expected<void> requested =
            readsOutput ? attempt.observer->readOutput(*m_spec.run.metrics) : Expected<void>();
        if (!requested)
            log(LogLevel::Warning, "engine", "trial " + std::to_string(number) + ": " + requested.error().message);
    }
    return reply;
}

bool SweepRun::end(const RunningAttempt &attempt, WallNs now)
{
    const AttemptVerdict &verdict = *attempt.observer->verdict();
    const TrialRow &row = m_ledger.trial(attempt.row.trial);
    AttemptEndDecision decision = endAttempt(
        view(), m_retryPolicy,
        {attempt.row.trial, attempt.row.number, verdict, wasMeasured(attempt, verdict.time), earlierAttempts(row),
         attempt.observer->objective().firstReport() && !attempt.observer->objective().droppedPast(),
         m_packing && m_packing->mayRerunAlone(attempt.row.trial)},
        now);
    const facts::Fact measured =
        m_packing ? m_packing->measuredBy(attempt.row.trial, verdict.end == AttemptEnd::Completed) : facts::Fact();
    if (measured)
        decision.change.note(measured);
    AttemptRow ended = attempt.row;
    if (sweep::waitsAsJob(row.record))
        ended.created = verdict.time;  // it never began
    if (!m_ledger.end(std::move(decision.change), ended, endingOf(verdict), now))
        return false;
    m_context.launcher.noteEnd(ended, verdict.time);
    if (m_packing) {
        const facts::Fact before = m_packing->verdict();
        m_packing->end(attempt.row.trial, measured, row.record.reason.code == facts::Code::RerunAlone);
        m_ledger.noteSharing(m_packing->verdict());
        updateWishes();
        if (m_packing->verdict() && !before)
            m_context.listener.note("sweep " + record().folder + ": " + wording::clause(m_packing->verdict()));
    }
    m_mayPromote = true;
    m_pruning.noteChange(attempt.row.trial);
    updateConclusions(attempt.row.trial, now);
    if (row.record.state == TrialState::Completed)
        m_pruning.completed(row);
    if (decision.sweepNotBefore)
        m_ledger.holdBack(*decision.sweepNotBefore);
    if (decision.notBefore)
        m_ledger.holdBack(attempt.row.trial, *decision.notBefore);
    if (m_spec.probe)
        carryOut(stopBeyondMemory(view(), now), now);  // before the next one starts
    return true;
}

/// Queries the database only if kinds of failure are counted separately.
std::vector<sweep::AttemptRecord> SweepRun::earlierAttempts(const TrialRow &row) const
{
    if (!m_retryPolicy.hasRules() || row.failures == 0)
        return {};
    return m_context.store.attempts(record().id, row.record.number).value_or(std::vector<sweep::AttemptRecord>());
}

/// The last engine may have ended while a trial waited for its retry: the delay follows from the stored data.
void SweepRun::holdBackRetries(WallNs now)
{
    for (const TrialRow &row : trials()) {
        if (row.record.state != TrialState::Queued || row.failures == 0)
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

void SweepRun::loadPacking()
{
    m_packing.reset();
    if (m_spec.devices.perGpu == 0 && !m_spec.probe) {
        const Expected<std::vector<sweep::HistoryEntry>> history = m_context.store.history(record().id, 0);
        if (!history)
            m_context.listener.note("sweep " + record().folder
                                    + ": the memory of its trials is measured again: " + history.error().message);
        m_packing.emplace(history.value_or(std::vector<sweep::HistoryEntry>()));
    }
    m_ledger.noteSharing(m_packing ? m_packing->verdict() : facts::Fact());
    updateWishes();
}

/// A job has devices that only Slurm knows.
bool SweepRun::hasGpusHere(const std::vector<std::string> &devices)
{
    return !devices.empty() && !devices.front().starts_with("cpu:")
           && std::ranges::all_of(
               devices, [](const std::string &id) { return !sweep::isJobDevice(id) && sweep::machineOf(id).empty(); });
}

int SweepRun::trialsOn(const std::vector<std::string> &gpus) const
{
    int most = 0;
    for (const std::string &gpu : gpus)
        most = std::max(most, m_context.scheduler.allocator().trialsOn(gpu));
    return most;
}

void SweepRun::measureSharing(const RunningAttempt &attempt, WallNs now)
{
    const sweep::TrialRecord &trial = m_ledger.trial(attempt.row.trial).record;
    if (!m_packing || !hasGpusHere(trial.devices))
        return;
    schedule::PackingMeter &meter = m_packing->meter(trial.number);
    if (trial.state == TrialState::Paused)
        return meter.interrupt();
    const ObjectiveTracker &reported = attempt.observer->objective();
    meter.noteStep(reported.firstReport() ? std::optional(reported.step()) : std::nullopt, now,
                   trialsOn(trial.devices));
}

void SweepRun::noteGpus(const node::DeviceSnapshot &snapshot)
{
    if (!m_packing)
        return;
    auto newest = m_gpusRead;
    for (const auto &[id, gpu] : snapshot.gpus)
        newest = std::max(newest, gpu.at);
    if (newest == std::exchange(m_gpusRead, newest))
        return;
    for (const auto &[number, attempt] : m_attempts) {
        const std::vector<std::string> &devices = m_ledger.trial(number).record.devices;
        if (!attempt.row.agent || !hasGpusHere(devices))
            continue;
        schedule::PackingMeter &meter = m_packing->meter(number);
        const std::set<pid_t> agent{attempt.row.agent->pid};
        const auto isOfAttempt = [&agent](pid_t pid) { return device::descendsFrom(pid, agent); };
        for (const std::string &gpu : std::set<std::string>(devices.begin(), devices.end())) {
            const auto seen = snapshot.gpus.find(gpu);
            const bool isAlone = !meter.hasShared() && m_context.scheduler.allocator().trialsOn(gpu) == 1;
            const auto bytes = seen == snapshot.gpus.end()
                                   ? std::nullopt
                                   : memoryPerRank(seen->second, static_cast<int>(std::ranges::count(devices, gpu)),
                                                   isOfAttempt, isAlone);
            meter.noteMemory(bytes.value_or(0));
        }
    }
    updateWishes();
}

/// What is measured decides who may join trials that run.
void SweepRun::updateWishes()
{
    if (!m_packing)
        return;
    for (const auto &[number, attempt] : m_attempts) {
        if (hasGpusHere(m_ledger.trial(number).record.devices))
            m_context.scheduler.setWishes(record().id, number,
                                          m_packing->wishesFor(number, schedule::wishesOf(m_spec)));
    }
}

void SweepRun::loadPruning()
{
    if (auto loaded = m_pruning.load(m_attemptTrials); !loaded)
        m_context.listener.note("sweep " + record().folder
                                + ": pruning compares trials only with later ones: " + loaded.error().message);
}

bool SweepRun::learnsFromRungs() const
{
    return m_pruning.pruner() != nullptr
           && (m_spec.prune->method == sweep::PruneMethod::Hyperband || m_spec.method == sweep::SearchMethod::Pbt);
}

void SweepRun::prune(RunningAttempt &attempt, WallNs now)
{
    const std::vector<pruning::RungValue> reached = attempt.observer->takeReachedRungs();
    if (m_pruning.pruner() == nullptr || reached.empty())
        return;
    m_mayPromote = true;
    std::optional<pruning::Verdict> verdict = m_pruning.judge(attempt.row.trial, reached, mayBePruned(attempt));
    if (verdict && verdict->asksProgram && !m_ledger.pruningFailure())
        m_context.suggester.request(m_pruning.requestFor(attempt.row, reached.back()));
    if (verdict && verdict->reason)
        endPruned(attempt.row.trial, std::move(*verdict->reason), now);
}

bool SweepRun::mayBePruned(const RunningAttempt &attempt) const
{
    const TrialRow &row = m_ledger.trial(attempt.row.trial);
    return !row.spared && row.record.state == TrialState::Running && !view().isStopping(row.record.number)
           && !attempt.observer->verdict();
}

void SweepRun::endPruned(int trial, facts::Fact reason, WallNs now)
{
    Decision decision;
    TrialChange &change = decision.trials.emplace_back(TrialChange{m_ledger.trial(trial), {}, {}});
    change.apply(TrialEvent::Pruned, std::move(reason));
    change.row.record.ended = now;
    decision.effects = effectsOf(change.row.record, m_spec);
    carryOut(std::move(decision), now);
}

void SweepRun::applyVerdict(const VerdictAnswer &answer, WallNs now)
{
    if (answer.definition != record().definition || m_pruning.pruner() == nullptr)
        return;
    if (!answer.reason) {
        m_ledger.notePruning(answer.reason.error());
        return m_context.listener.note("sweep " + record().folder + ": " + wording::clause(answer.reason.error()));
    }
    const auto found = m_attempts.find(answer.trial);
    if (found == m_attempts.end() || found->second.row.number != answer.attempt || !mayBePruned(found->second))
        return;
    m_pruning.log(
        {pruning::reachedEntry(answer.trial, answer.value, pruning::Verdict{*answer.reason, 0, std::nullopt})});
    if (*answer.reason)
        endPruned(answer.trial, **answer.reason, now);
}

/// Lets trials continue that were ended too early. Whether one may changes with values at rungs and as attempts end.
void SweepRun::promote(WallNs now)
{
    if (m_pruning.pruner() == nullptr || !m_spec.prune->promote || !std::exchange(m_mayPromote, false))
        return;
    SweepView view = this->view();
    view.budgetSpent = spent(m_spec, now);
    Promotion promotion = promoteTrials(view, *m_pruning.pruner());
    if (promotion.entries.empty())
        return;
    if (carryOut(std::move(promotion.decision), now))
        m_pruning.log(promotion.entries);
    else
        m_mayPromote = true;
}

bool SweepRun::wasMeasured(const RunningAttempt &attempt, WallNs until) const
{
    const std::optional<WallNs> first = attempt.observer->objective().firstReport();
    return m_spec.probe && first && until - *first >= std::chrono::nanoseconds(m_spec.probe->measure).count();
}

/// A noisy measurement goes on, three times as long at most.
bool SweepRun::isMeasuredWell(const RunningAttempt &attempt, WallNs now) const
{
    const std::optional<WallNs> first = attempt.observer->objective().firstReport();
    const std::optional<double> error = attempt.observer->objective().pace().relativeError();
    const auto longest = std::chrono::nanoseconds(m_spec.probe->measure).count() * sweep::longestMeasurement;
    return wasMeasured(attempt, now) && (error.value_or(0) <= sweep::acceptedPaceError || now - *first >= longest);
}

void SweepRun::endWhenMeasured(RunningAttempt &attempt, WallNs now)
{
    const int trial = attempt.row.trial;
    if (!m_spec.probe || attempt.observer->verdict() || attempt.observer->stopRequested()
        || m_ledger.trial(trial).record.state != TrialState::Running || !isMeasuredWell(attempt, now))
        return;
    setReason(trial, facts::Code::Measuring);
    attempt.observer->kill(now);  // there is nothing to save
}

std::optional<facts::Fact> SweepRun::spent(const sweep::SweepSpec &spec, WallNs now) const
{
    sweep::BudgetUse used{now - record().created, record().deviceTime};
    for (const auto &[number, attempt] : m_attempts)
        used.deviceTime += sweep::waitsAsJob(m_ledger.trial(number).record) ? 0 : deviceTime(attempt.row, now);
    if (spec.budget && spec.budget->kilowattHours)
        used.kilowattHours = kilowattHoursOf(m_context.launcher.energyUse(record()));
    std::optional<facts::Fact> reason = sweep::spentBudget(spec.budget, used);
    if (reason || !spec.stop)
        return reason;
    std::vector<const sweep::TrialRecord *> records;
    records.reserve(trials().size());
    for (const TrialRow &row : trials())
        records.push_back(&row.record);
    return sweep::appliedStopRule(spec, records);
}

/// An energy budget that misses attempts may end the sweep late, or never.
void SweepRun::warnOfUnknownEnergy()
{
    const bool isLimited = m_spec.budget && m_spec.budget->kilowattHours;
    const int unknown = isLimited ? m_context.launcher.energyUse(record()).unknown : 0;
    m_ledger.noteEnergy(unknown != 0 ? facts::Fact(facts::Code::EnergyUnknown).with(facts::Field::Count, unknown)
                                     : facts::Fact());
}

void SweepRun::addAgents(std::set<pid_t> &agents) const
{
    for (const auto &[number, attempt] : m_attempts) {
        const std::vector<std::string> &devices = m_ledger.trial(number).record.devices;
        const bool isHere = devices.empty() || sweep::machineOf(devices.front()).empty();
        if (attempt.row.agent && isHere)
            agents.insert(attempt.row.agent->pid);
    }
}

SweepRun::RunningAttempt SweepRun::running(const AttemptRow &row) const
{
    const TrialRow &trial = m_ledger.trial(row.trial);
    return {row, m_context.launcher.observe(record(), m_spec, trial.record, row, pastOf(trial, row.number))};
}

}  // namespace sweepscope::engine
