#include "simulation/invariants.h"

#include "base/enumnames.h"
#include "engine/prunereplay.h"
#include "engine/searchreplay.h"
#include "engine/storereader.h"
#include "pruning/hyperband.h"
#include "simulation/world.h"
#include "sweep/budgetuse.h"

#include <QVariant>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace sweepscope::simulation {

namespace {

using engine::AttemptEnd;
using engine::TrialRow;
using sweep::TrialState;

constexpr EnumNames<Invariant, 26> names{{
    {Invariant::NoTrialIsLost, "no trial is lost"},
    {Invariant::MemoryIsTheDatabase, "memory is the database"},
    {Invariant::HistoryGivesThePresent, "history gives the present"},
    {Invariant::HistoryOnlyGrows, "history only grows"},
    {Invariant::AttemptsEndAsTheirAgents, "attempts end as their agents"},
    {Invariant::TrialsCompleteOnce, "trials complete once"},
    {Invariant::StoppedStaysStopped, "stopped stays stopped"},
    {Invariant::PausedStaysPaused, "paused stays paused"},
    {Invariant::PausedStandsStill, "paused stands still"},
    {Invariant::OneTrialPerDevice, "one trial per device"},
    {Invariant::OneAgentPerTrial, "one agent per trial"},
    {Invariant::ConcurrentTrials, "concurrent trials"},
    {Invariant::Retries, "retries"},
    {Invariant::Budget, "budget"},
    {Invariant::ResultsAreTheReports, "results are the reports"},
    {Invariant::BestOfTheSweep, "best of the sweep"},
    {Invariant::PrunedAreBehind, "pruned are behind"},
    {Invariant::FinalTrialsHaveEnded, "final trials have ended"},
    {Invariant::TransitionsAreAllowed, "transitions are allowed"},
    {Invariant::DatabaseIsWhole, "database is whole"},
    {Invariant::DeviceTime, "device time"},
    {Invariant::SweepEnds, "the sweep ends"},
    {Invariant::SeedsReplay, "seeds replay"},
    {Invariant::SearchReplays, "search replays"},
    {Invariant::MeansOfPoints, "means of points"},
    {Invariant::DefinitionIsValid, "definition is valid"},
}};

std::string nameOfTrial(int number)
{
    return "trial " + std::to_string(number);
}

std::string written(const std::optional<sweep::ObjectiveValue> &value)
{
    return value ? std::to_string(value->value) + " at step " + std::to_string(value->step) : "nothing";
}

bool isSame(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool isSame(const std::optional<sweep::ObjectiveValue> &a, const std::optional<sweep::ObjectiveValue> &b)
{
    return a.has_value() == b.has_value() && (!a || (a->step == b->step && isSame(a->value, b->value)));
}

/// Each row of the query's answer.
template <typename Take>
bool forEach(engine::Database &database, const std::string &sql, Take &&take)
{
    Expected<QSqlQuery> query = database.prepare(sql.c_str());
    if (!query || !database.execute(*query))
        return false;
    for (;;) {
        const Expected<bool> isThere = database.next(*query);
        if (!isThere || !*isThere)
            return isThere.has_value();
        take(*query);
    }
}

/// Whether the rule follows from the values that trials have at a rung. For others, only the replay of the decisions is checked.
bool comparesTrials(const sweep::PruneSection &prune)
{
    using sweep::PruneMethod;
    return prune.method == PruneMethod::Median || prune.method == PruneMethod::Percentile
           || prune.method == PruneMethod::Halving || prune.method == PruneMethod::Hyperband;
}

bool isAllowed(const std::string &before, const std::string &after)
{
    if (before == after)
        return true;  // only a new reason
    const auto from = sweep::trialStateFromString(before);
    const auto to = sweep::trialStateFromString(after);
    for (int event = 0; from && to && event <= static_cast<int>(engine::TrialEvent::Retried); ++event) {
        if (engine::after(*from, static_cast<engine::TrialEvent>(event)) == to)
            return true;
    }
    return false;
}

}  // namespace

std::string toString(Invariant invariant)
{
    return nameOf(names, invariant);
}

void Invariants::allow(const Limits &limits)
{
    const int retries = std::max(m_limits.retries, limits.retries);  // a trial that waits for a retry gets it
    if (limits.prune != m_limits.prune)
        m_areRungsSure = false;  // running trials are compared at rungs that they have passed
    m_limits = limits;
    m_limits.retries = retries;
    m_mostRepeats = std::max(m_mostRepeats, limits.repeats);
}

void Invariants::launched(int trials, WallNs now)
{
    m_trials = trials;
    m_launched = now;
}

void Invariants::acknowledged(const sweep::Control &control, const engine::SweepRun &run)
{
    using Action = sweep::Control::Action;
    std::vector<int> numbers = control.trials;
    for (int number = 1; control.trials.empty() && number <= m_trials; ++number)
        numbers.push_back(number);
    switch (control.action) {
    case Action::Stop:
        m_stopped.insert(numbers.begin(), numbers.end());
        break;
    case Action::Pause:
        if (control.trials.empty()) {
            m_isPaused = true;
            break;
        }
        for (const int number : numbers) {
            if (!sweep::isFinal(run.trials()[static_cast<std::size_t>(number - 1)].record.state))
                m_paused.insert(number);
        }
        break;
    case Action::Resume:
        m_isPaused = m_isPaused && !control.trials.empty();
        for (const int number : numbers)
            m_paused.erase(number);
        break;
    case Action::Retry:
        allowQueued(run);
        for (const TrialRow &row : run.trials()) {
            if (row.record.state == TrialState::Queued)
                forgive(row.record.number);
        }
        break;
    default:
        break;
    }
}

void Invariants::trialsChanged(const engine::SweepRun &run)
{
    m_trials = static_cast<int>(run.trials().size());
    m_states.erase(m_states.upper_bound(m_trials), m_states.end());
    m_mayHaveDiscarded = true;
    allowQueued(run);
}

/// Trials queued by a user may begin.
void Invariants::allowQueued(const engine::SweepRun &run)
{
    for (const TrialRow &row : run.trials()) {
        if (row.record.state == TrialState::Queued) {
            m_stopped.erase(row.record.number);
            m_paused.erase(row.record.number);
        }
    }
    m_isPaused = m_isPaused && run.record().state != sweep::SweepState::Running;
}

/// Earlier failures no longer count.
void Invariants::forgive(int trial)
{
    m_failures.erase(trial);
    for (const Agent *attempt : attemptsOf(trial))
        m_counted.insert(attempt->id);
}

void Invariants::unanswered()
{
    for (const auto &[id, agent] : m_world.agents)
        forgive(agent.trial);
    m_stopped.clear();
    m_paused.clear();
    m_isPaused = false;
    m_mayHaveOthers = true;
}

void Invariants::killed()
{
    for (const Reading &reading : m_world.readings) {
        m_shown[reading.attempt] = reading.to;
        // The last one may have been read but not noted.
        if (&reading == &m_world.readings.back() && rungOf(reading) != 0)
            m_areRungsSure = false;
    }
    m_world.readings.clear();
}

std::vector<const Agent *> Invariants::attemptsOf(int trial) const
{
    std::vector<const Agent *> attempts;
    for (const auto &[id, agent] : m_world.agents) {
        if (agent.trial == trial)
            attempts.push_back(&agent);
    }
    std::ranges::sort(attempts, {}, &Agent::number);
    return attempts;
}

/// Returns the attempts that continue one another, as sweep/trialchain.h defines it.
std::vector<const Agent *> Invariants::chainOf(int trial) const
{
    std::vector<const Agent *> chain;
    for (const Agent *attempt : attemptsOf(trial)) {
        if (attempt->reports.empty())
            continue;
        if (!chain.empty() && attempt->reports.front().step <= chain.front()->reports.front().step)
            chain.clear();
        chain.push_back(attempt);
    }
    return chain;
}

void Invariants::began(const Agent &agent)
{
    const std::string name = nameOfTrial(agent.trial);
    if (m_stopped.contains(agent.trial))
        violated(Invariant::StoppedStaysStopped, name + " was stopped, and attempt " + agent.id + " begins");
    if (m_isPaused || m_paused.contains(agent.trial))
        violated(Invariant::PausedStaysPaused, name + " is paused, and attempt " + agent.id + " begins");
    checkBudget(agent);
    int running = 0;
    for (const auto &[id, other] : m_world.agents) {
        if (!World::isAlive(other))
            continue;
        ++running;
        for (const std::string &device : other.devices) {
            if (other.id != agent.id && std::ranges::find(agent.devices, device) != agent.devices.end())
                violated(Invariant::OneTrialPerDevice, device + " has attempts " + other.id + " and " + agent.id);
        }
        if (other.id != agent.id && other.trial == agent.trial)
            violated(Invariant::OneAgentPerTrial, name + " has several living agents");
    }
    if (running > m_limits.concurrent)
        violated(Invariant::ConcurrentTrials, std::to_string(running) + " trials run at a time");
    for (const Agent *earlier : attemptsOf(agent.trial)) {
        if (earlier->end == AttemptEnd::Completed && !m_everPruned.contains(agent.trial))
            violated(Invariant::TrialsCompleteOnce, name + " has completed, and attempt " + agent.id + " begins");
        const bool failed = earlier->end == AttemptEnd::Failed || earlier->end == AttemptEnd::Lost;
        if (failed && m_counted.insert(earlier->id).second)
            ++m_failures[agent.trial];
    }
    if (m_failures[agent.trial] > m_limits.retries)
        violated(Invariant::Retries,
                 name + " begins again after " + std::to_string(m_failures[agent.trial]) + " failures");
}

void Invariants::checkBudget(const Agent &agent)
{
    const auto isSpent = [](WallNs used, std::optional<std::chrono::seconds> limit) {
        return limit && std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(used)) >= *limit;
    };
    const WallNs now = m_world.wall();
    WallNs devices = m_endedDeviceTime;
    for (const auto &[id, other] : m_world.agents) {
        if (World::isAlive(other))
            devices += std::max<WallNs>(0, now - other.created) * static_cast<WallNs>(other.devices.size());
    }
    if (isSpent(now - m_launched, m_limits.time) || isSpent(devices, m_limits.deviceTime))
        violated(Invariant::Budget, "the budget is spent, and attempt " + agent.id + " begins");
}

void Invariants::checkDatabase(engine::Database &database, const engine::SweepRun &run)
{
    checkTrials(database, run);
    checkHistory(database, run);
    checkAttempts(database, run);
}

void Invariants::check(const engine::SweepRun &run, bool isSettled)
{
    checkAgents(run);
    if (!isSettled) {
        m_areRungsSure = m_areRungsSure && m_world.readings.empty();
        m_world.readings.clear();
        m_pruned.clear();
        return;
    }
    checkFrozen(run);
    checkResults(run.trials());
    checkPruning(run);
}

void Invariants::checkTrials(engine::Database &database, const engine::SweepRun &run)
{
    const std::vector<TrialRow> &trials = run.trials();
    if (m_mayHaveOthers)
        trialsChanged(run);
    m_mayHaveOthers = false;
    std::size_t rows = 0;
    const bool isRead = forEach(
        database,
        "SELECT number, state, asked, attempts, failures, priority, spared, starred, ended FROM trial "
        "WHERE sweep = 1 ORDER BY number",
        [&](const QSqlQuery &row) {
            const int number = row.value(0).toInt();
            ++rows;
            if (number != static_cast<int>(rows) || rows > trials.size())
                return;
            const TrialRow &known = trials[rows - 1];
            const std::string state = row.value(1).toString().toStdString();
            const bool isSameRow =
                state == sweep::toString(known.record.state) && known.record.sweepId == 1
                && row.value(2).toString().toStdString() == toString(known.pending)
                && row.value(3).toInt() == known.record.attempts && row.value(4).toInt() == known.failures
                && row.value(5).toInt() == known.record.priority && row.value(6).toBool() == known.spared
                && row.value(7).toBool() == known.record.mark.starred;
            if (!isSameRow)
                violated(Invariant::MemoryIsTheDatabase,
                         nameOfTrial(number) + " is " + state + " in the database, and memory has another row");
            if (sweep::isFinal(sweep::trialStateFromString(state).value_or(TrialState::Lost)) == row.value(8).isNull())
                violated(Invariant::FinalTrialsHaveEnded, nameOfTrial(number) + " is " + state
                                                              + (row.value(8).isNull() ? " without" : " with")
                                                              + " the time of its end");
        });
    if (!isRead)
        violated(Invariant::DatabaseIsWhole, "trials cannot be read");
    if (static_cast<int>(rows) != m_trials || rows != trials.size())
        violated(Invariant::NoTrialIsLost, "the database has " + std::to_string(rows) + " trials, memory "
                                               + std::to_string(trials.size()) + ", and people were told of "
                                               + std::to_string(m_trials));
}

void Invariants::checkHistory(engine::Database &database, const engine::SweepRun &run)
{
    std::vector<int> pruned;
    forEach(database,
            "SELECT id, trial, state_before, state_after, reason FROM history WHERE sweep = 1 AND id > "
                + std::to_string(m_historySeen) + " ORDER BY id",
            [&](const QSqlQuery &row) {
                m_historySeen = row.value(0).toLongLong();
                ++m_historyRows;
                const int trial = row.value(1).toInt();
                const std::string before = row.value(2).toString().toStdString();
                const std::string after = row.value(3).toString().toStdString();
                const auto known = m_states.find(trial);
                const std::string expected = known != m_states.end() ? known->second : trial != 0 ? "queued" : "";
                if (before != expected)
                    violated(Invariant::HistoryGivesThePresent,
                             "trial " + std::to_string(trial) + " goes from " + before + " but was " + expected);
                if (trial != 0 && !isAllowed(before, after))
                    violated(Invariant::TransitionsAreAllowed,
                             nameOfTrial(trial) + " goes from " + before + " to " + after);
                m_states[trial] = after;
                if (trial != 0 && after == "pruned" && before != after) {
                    m_everPruned.insert(trial);
                    for (const Agent *attempt : attemptsOf(trial))
                        m_counted.insert(attempt->id);  // however it ends, it is no failure
                    m_pruned[trial] = facts::fromJson(row.value(4).toString().toStdString()).value_or(facts::Fact());
                }
            });
    qint64 rows = 0;
    forEach(database, "SELECT COUNT(*) FROM history WHERE sweep = 1",
            [&](const QSqlQuery &row) { rows = row.value(0).toLongLong(); });
    if (std::exchange(m_mayHaveDiscarded, false))
        m_historyRows = rows;
    if (rows != m_historyRows)
        violated(Invariant::HistoryOnlyGrows,
                 "the history has " + std::to_string(rows) + " entries, and had " + std::to_string(m_historyRows));
    for (const TrialRow &row : run.trials()) {
        const auto known = m_states.find(row.record.number);
        const std::string state = known != m_states.end() ? known->second : "queued";
        if (state != sweep::toString(row.record.state))
            violated(Invariant::HistoryGivesThePresent, nameOfTrial(row.record.number) + " is "
                                                            + sweep::toString(row.record.state)
                                                            + ", and its history leads to " + state);
    }
    if (m_states[0] != sweep::toString(run.record().state))
        violated(Invariant::HistoryGivesThePresent,
                 "the sweep is " + sweep::toString(run.record().state) + ", and its history leads to " + m_states[0]);
}

void Invariants::checkAttempts(engine::Database &database, const engine::SweepRun &run)
{
    m_openAttempts.clear();
    double deviceTime = 0;
    forEach(database, "SELECT id, outcome, created, ended FROM attempt WHERE sweep = 1", [&](const QSqlQuery &row) {
        const std::string id = row.value(0).toString().toStdString();
        if (row.value(3).isNull()) {
            m_openAttempts.insert(id);
            return;
        }
        const auto agent = m_world.agents.find(id);
        deviceTime += std::max(0.0, row.value(3).toDouble() - row.value(2).toDouble());  // each has one core
        if (agent == m_world.agents.end())
            return;  // it was never started
        const std::string outcome = row.value(1).toString().toStdString();
        const std::string own = agent->second.end ? toString(*agent->second.end) : "running";
        if (outcome != own)
            violated(Invariant::AttemptsEndAsTheirAgents,
                     "attempt " + id + " is " + own + ", and the database has " + outcome);
    });
    m_endedDeviceTime = static_cast<WallNs>(deviceTime);
    if (std::abs(deviceTime - static_cast<double>(run.record().deviceTime)) > 1e6)
        violated(Invariant::DeviceTime, "attempts had devices for " + std::to_string(deviceTime / 1e9)
                                            + " s, and the sweep has "
                                            + std::to_string(static_cast<double>(run.record().deviceTime) / 1e9));
}

void Invariants::checkAgents(const engine::SweepRun &run)
{
    for (const auto &[id, agent] : m_world.agents) {
        if (!World::isAlive(agent))
            continue;
        if (!m_openAttempts.contains(id))
            violated(Invariant::OneAgentPerTrial, "the agent of attempt " + id + " has no open attempt");
        const TrialState state = run.trials()[static_cast<std::size_t>(agent.trial - 1)].record.state;
        if (sweep::isFinal(state) && state != TrialState::Pruned)
            violated(Invariant::OneAgentPerTrial,
                     nameOfTrial(agent.trial) + " is " + sweep::toString(state) + ", and its agent lives");
    }
}

/// A paused attempt that saves no checkpoint is frozen, and no other one is.
void Invariants::checkFrozen(const engine::SweepRun &run)
{
    for (const auto &[id, agent] : m_world.agents) {
        const TrialRow &row = run.trials()[static_cast<std::size_t>(agent.trial - 1)];
        const bool isStopping =
            run.record().state == sweep::SweepState::Stopping || engine::stopModeOf(row.pending).has_value();
        if (!World::isAlive(agent) || agent.savesCheckpoints || isStopping)
            continue;
        const bool isPaused = row.record.state == TrialState::Paused;
        if (isPaused != agent.isFrozen)
            violated(Invariant::PausedStandsStill, nameOfTrial(agent.trial) + " is " + sweep::toString(row.record.state)
                                                       + ", and its attempt " + id
                                                       + (agent.isFrozen ? " is frozen" : " runs"));
    }
}

void Invariants::checkResults(const std::vector<TrialRow> &trials)
{
    for (const TrialRow &row : trials) {
        const int number = row.record.number;
        std::optional<sweep::ObjectiveValue> best;
        std::optional<sweep::ObjectiveValue> last;
        const double none = std::numeric_limits<double>::quiet_NaN();
        double lowest = none;
        double highest = none;
        const std::vector<const Agent *> chain = chainOf(number);
        for (const Agent *attempt : chain) {
            for (const Report &report : attempt->reports) {
                last = sweep::ObjectiveValue{report.loss, report.step};
                const bool isBetter =
                    !best || (m_limits.maximize ? report.loss > best->value : report.loss < best->value);
                if (isBetter && !std::isnan(report.loss))
                    best = last;
                lowest = std::fmin(lowest, report.accuracy);
                highest = std::fmax(highest, report.accuracy);
            }
        }
        const std::string name = nameOfTrial(number);
        if (!isSame(row.record.objectiveBest, best) || !isSame(row.record.objectiveLast, last))
            violated(Invariant::ResultsAreTheReports, name + " has the best " + written(row.record.objectiveBest)
                                                          + " and the last " + written(row.record.objectiveLast)
                                                          + ", its agents reported " + written(best) + " and "
                                                          + written(last));
        if (!last)
            continue;
        const sweep::MetricValue *accuracy = sweep::find(row.record.metrics, "accuracy");
        if (accuracy == nullptr || accuracy->step != last->step || !isSame(accuracy->lowest, lowest)
            || !isSame(accuracy->highest, highest) || row.record.step != last->step)
            violated(Invariant::ResultsAreTheReports, name + " has another range of its metric than was reported");
        if (row.record.firstAttempt != chain.front()->number)
            violated(Invariant::ResultsAreTheReports, name + " has the chain from attempt "
                                                          + std::to_string(row.record.firstAttempt) + ", not "
                                                          + std::to_string(chain.front()->number));
    }
}

/// Returns what engines have read of the trial's chain.
Invariants::Values Invariants::shownOf(int trial) const
{
    Values values;
    for (const Agent *attempt : attemptsOf(trial)) {
        const auto shown = m_shown.find(attempt->id);
        const std::size_t count = shown != m_shown.end() ? shown->second : attempt->reports.size();
        if (count == 0)
            continue;
        if (!values.empty() && attempt->reports.front().step <= values.front().first)
            values.clear();
        for (std::size_t i = 0; i < count; ++i)
            values.emplace_back(attempt->reports[i].step, attempt->reports[i].loss);
    }
    return values;
}

/// Returns the last rung that these reports reach; 0: none.
std::int64_t Invariants::rungOf(const Reading &reading) const
{
    std::int64_t rung = 0;
    if (!m_limits.prune)
        return rung;
    const std::vector<Report> &reports = m_world.agents.at(reading.attempt).reports;
    for (std::size_t i = reading.from; i < reading.to; ++i) {
        const std::vector<std::int64_t> rungs = rungsUpTo(reports[i].step);
        if (!rungs.empty() && rungs.back() == reports[i].step)
            rung = reports[i].step;
    }
    return rung;
}

std::vector<std::int64_t> Invariants::rungsUpTo(std::int64_t step) const
{
    std::vector<std::int64_t> rungs;
    const sweep::PruneMethod method = m_limits.prune->method;
    const bool grow = method == sweep::PruneMethod::Halving || method == sweep::PruneMethod::Hyperband;
    for (std::int64_t rung = m_limits.prune->firstStep; rung <= step;) {
        rungs.push_back(rung);
        rung = grow ? static_cast<std::int64_t>(std::ceil(static_cast<double>(rung) * m_limits.prune->factor))
                    : rung + m_limits.prune->firstStep;
    }
    return rungs;
}

/// Lower is better.
double Invariants::rankAt(const Values &values, std::int64_t rung) const
{
    double rank = std::numeric_limits<double>::infinity();
    for (const auto &[step, value] : values) {
        if (step <= rung && !std::isnan(value))
            rank = std::min(rank, m_limits.maximize ? -value : value);
    }
    return rank;
}

int Invariants::bracketOf(int trial) const
{
    const bool hasBrackets = m_limits.prune->method == sweep::PruneMethod::Hyperband;
    return hasBrackets ? pruning::bracketOf(*m_limits.prune, 0, trial) : 0;
}

/// Of the trials in the bracket of this one that have reached the rung, in ascending order.
std::vector<double> Invariants::ranksAt(int trial, std::int64_t rung) const
{
    std::vector<double> ranks;
    for (int other = 1; other <= m_trials; ++other) {
        const Values values = shownOf(other);
        const auto reached = [&](const auto &value) { return value.first >= rung; };
        if (std::ranges::any_of(values, reached) && bracketOf(other) == bracketOf(trial))
            ranks.push_back(rankAt(values, rung));
    }
    std::ranges::sort(ranks);
    return ranks;
}

bool Invariants::isBehind(int trial, std::int64_t rung) const
{
    if (m_limits.prune->method == sweep::PruneMethod::Hyperband
        && (rung < pruning::firstRungOf(*m_limits.prune, bracketOf(trial)) || rung >= m_limits.prune->maxStep))
        return false;
    const std::vector<double> ranks = ranksAt(trial, rung);
    if (static_cast<int>(ranks.size()) < m_limits.prune->minTrials)
        return false;
    const double share = m_limits.prune->method == sweep::PruneMethod::Median       ? 0.5
                         : m_limits.prune->method == sweep::PruneMethod::Percentile ? m_limits.prune->percentile / 100
                                                                                    : 1 / m_limits.prune->factor;
    const double going = std::max(1.0, std::ceil(share * static_cast<double>(ranks.size()) - 1e-9));
    return rankAt(shownOf(trial), rung) > ranks[static_cast<std::size_t>(going) - 1];
}

void Invariants::checkPruning(const engine::SweepRun &run)
{
    for (const Reading &reading : m_world.readings)
        m_shown.try_emplace(reading.attempt,
                            reading.from);  // those that are read for the first time were unknown so far
    for (const Reading &reading : m_world.readings)
        judge(reading, run);
    m_world.readings.clear();
    for (const auto &[trial, reason] : m_pruned) {
        if (m_limits.prune && comparesTrials(*m_limits.prune) && m_areRungsSure)
            violated(Invariant::PrunedAreBehind,
                     nameOfTrial(trial) + " is pruned, " + facts::toJson(reason) + ", and is not behind there");
    }
    m_pruned.clear();
}

/// Requires that the trial is compared at the last rung that these reports reach, unless it is ending anyway. What a
/// former engine has read was decided then.
void Invariants::judge(const Reading &reading, const engine::SweepRun &run)
{
    Reading unread = reading;
    unread.from = std::max(reading.from, m_shown[reading.attempt]);
    m_shown[reading.attempt] = reading.to;
    if (!m_limits.prune || !comparesTrials(*m_limits.prune) || !m_areRungsSure)
        return;
    const Reading former{reading.trial, reading.attempt, 0, unread.from, false};
    std::int64_t rung = rungOf(unread);
    if (rung <= rungOf(former))
        rung = 0;  // another report at the same step
    const bool behind = rung != 0 && isBehind(reading.trial, rung);
    const auto pruned = m_pruned.find(reading.trial);
    if (behind && pruned != m_pruned.end() && pruned->second.integer(facts::Field::Step) == rung) {
        m_pruned.erase(pruned);
        return;
    }
    const TrialRow &row = run.trials()[static_cast<std::size_t>(reading.trial - 1)];
    const bool isStopping =
        run.record().state == sweep::SweepState::Stopping || engine::stopModeOf(row.pending).has_value();
    if (behind && !reading.hasEnded && row.record.state == TrialState::Running && !row.spared && !isStopping)
        violated(Invariant::PrunedAreBehind,
                 nameOfTrial(reading.trial) + " is behind at step " + std::to_string(rung) + ", and runs on");
}

/// Requires that each trial that was ended at a rung is still behind there when the sweep has come to its end, unless
/// others started from scratch and too few are left to compare it with.
void Invariants::checkPromotions(engine::Database &database, const engine::SweepRun &run)
{
    if (!m_limits.prune || !m_limits.prune->promote || !m_areRungsSure || m_limits.time || m_limits.deviceTime
        || run.record().state != sweep::SweepState::Completed)
        return;
    std::set<std::pair<int, std::int64_t>> promoted;
    forEach(database, "SELECT trial, step FROM prune_log WHERE event = 'promoted'",
            [&](const QSqlQuery &row) { promoted.emplace(row.value(0).toInt(), row.value(1).toLongLong()); });
    for (const TrialRow &row : run.trials()) {
        const facts::Fact &reason = row.record.reason;
        if (row.record.state != TrialState::Pruned || row.spared || reason.code != facts::Code::PrunedByRank)
            continue;
        const std::int64_t step = reason.integer(facts::Field::Step).value_or(0);
        const bool hasPeers = static_cast<int>(ranksAt(row.record.number, step).size()) >= m_limits.prune->minTrials;
        if (hasPeers && !isBehind(row.record.number, step) && !promoted.contains({row.record.number, step}))
            violated(Invariant::PrunedAreBehind, nameOfTrial(row.record.number) + " was ended at step "
                                                     + std::to_string(step) + ", is not behind there, and stays ended");
    }
}

void Invariants::checkAll(engine::Database &database, const engine::SweepRun &run)
{
    if (const Expected<void> whole = database.check(); !whole)
        violated(Invariant::DatabaseIsWhole, whole.error().message);
    forEach(database, "PRAGMA foreign_key_check",
            [&](const QSqlQuery &) { violated(Invariant::DatabaseIsWhole, "a row has no parent"); });
    checkPromotions(database, run);
    checkDatabase(database, run);
    check(run, true);
    const auto stored = engine::StoreReader(database).trials(1, 1, std::numeric_limits<int>::max());
    if (!stored)
        return violated(Invariant::DatabaseIsWhole, stored.error().message);
    for (const TrialRow &row : run.trials()) {
        if (!sweep::isFinal(row.record.state))
            violated(Invariant::SweepEnds, nameOfTrial(row.record.number) + " is " + sweep::toString(row.record.state));
    }
    checkResults(*stored);
    checkMeans(*stored);
    checkBest(database, run);
    checkSearch(database, run);
}

/// Every choice follows from what is stored, no point is chosen twice, and there are as many trials as were wanted.
void Invariants::checkSearch(engine::Database &database, const engine::SweepRun &run)
{
    engine::StoreReader reader(database);
    const auto pruning = engine::replayPruning(reader, run.record());
    if (!pruning)
        return violated(Invariant::SearchReplays, pruning.error().message);
    if (pruning->first)
        violated(Invariant::SearchReplays, nameOfTrial(pruning->first->stored.trial) + " is judged differently");
    if (m_limits.method.empty() && m_mostRepeats == 1)
        return;
    const auto replay = engine::replaySearch(reader, {}, run.record());
    if (!replay)
        return violated(Invariant::SearchReplays, replay.error().message);
    if (replay->first)
        violated(Invariant::SearchReplays, nameOfTrial(replay->first->trial) + " is chosen differently");
    std::map<sweep::ParameterSet, int> runs;
    int chosen = 0;
    for (const TrialRow &row : run.trials()) {
        if (!row.record.chosen)
            continue;
        ++chosen;
        const int most = m_mostRepeats == 1 ? 1 : 2 * m_mostRepeats;  // those that are lost are replaced
        if (++runs[row.record.parameters] > most)
            violated(Invariant::SearchReplays,
                     nameOfTrial(row.record.number) + " has a point that was tried as often as it may");
    }
    if (replay->choices != chosen)
        violated(Invariant::SearchReplays, "not all choices can be replayed");
}

/// By the reports; infinite without any.
double Invariants::rankOf(int trial) const
{
    Values values;
    for (const Agent *attempt : chainOf(trial)) {
        for (const Report &report : attempt->reports)
            values.emplace_back(report.step, report.loss);
    }
    return rankAt(values, std::numeric_limits<std::int64_t>::max());
}

/// The ranks of the completed trials of its point.
std::vector<double> Invariants::ranksOfPoint(const std::vector<TrialRow> &trials, const TrialRow &one) const
{
    std::vector<double> ranks;
    for (const TrialRow &row : trials) {
        if (m_limits.repeats > 1 && row.record.parameters == one.record.parameters
            && row.record.state == TrialState::Completed && std::isfinite(rankOf(row.record.number)))
            ranks.push_back(rankOf(row.record.number));
    }
    return ranks;
}

void Invariants::checkMeans(const std::vector<TrialRow> &trials)
{
    for (const TrialRow &row : trials) {
        const std::vector<double> ranks = ranksOfPoint(trials, row);
        const double sum = std::accumulate(ranks.begin(), ranks.end(), 0.0);
        const auto &mean = row.record.pointMean;
        const double told = mean ? (m_limits.maximize ? -mean->value : mean->value) * mean->runs : 0;
        if ((mean ? mean->runs : 0) != static_cast<int>(ranks.size()) || std::fabs(told - sum) > 1e-9)
            violated(Invariant::MeansOfPoints, nameOfTrial(row.record.number) + " has not the mean of its point");
    }
}

void Invariants::checkBest(engine::Database &database, const engine::SweepRun &run)
{
    std::optional<std::tuple<int, double, int>> best;  // negated number of runs up to 2, rank, number
    for (const TrialRow &row : run.trials()) {
        double rank = rankOf(row.record.number);
        const TrialState state = row.record.state;
        if (std::isinf(rank) || state == TrialState::Failed || state == TrialState::Lost)
            continue;
        const std::vector<double> ranks = ranksOfPoint(run.trials(), row);
        if (!ranks.empty())
            rank = row.record.pointMean.value_or(sweep::PointMean()).value * (m_limits.maximize ? -1 : 1);
        const std::tuple order(-static_cast<int>(std::min<std::size_t>(ranks.size(), 2)), rank, row.record.number);
        if (!best || order < *best)
            best = order;
    }
    sweep::SweepRecord record = run.record();
    if (m_isGoalReversed)
        record.goal = record.goal == sweep::Goal::Minimize ? sweep::Goal::Maximize : sweep::Goal::Minimize;
    const auto summary = engine::StoreReader(database).summary(record);
    const int told = summary && summary->best ? summary->best->number : 0;
    const int right = best ? std::get<2>(*best) : 0;
    if (told != right)
        violated(Invariant::BestOfTheSweep,
                 "the best is " + nameOfTrial(told) + ", by the reports it is " + nameOfTrial(right));
}

}  // namespace sweepscope::simulation
