#include "simulation/world.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sweepscope::simulation {

namespace {

using engine::AttemptEnd;
using engine::AttemptVerdict;

constexpr WallNs milliseconds = 1'000'000;
constexpr WallNs patienceWithUnknownAgent = 3000 * milliseconds;

AttemptVerdict verdictOf(const Agent &agent, WallNs now)
{
    using facts::Code;
    switch (*agent.end) {
    case AttemptEnd::Completed:
        return {AttemptEnd::Completed, Code::None, now, {}, false};
    case AttemptEnd::Stopped:
        return {AttemptEnd::Stopped, Code::StoppedOnRequest, now, {}, false};
    case AttemptEnd::Lost:
        return {AttemptEnd::Lost, Code::AgentLost, now, launch::FailureKind::Lost, true};
    case AttemptEnd::Failed:
    case AttemptEnd::NeverStarted:
        break;
    }
    const bool memory = agent.fate == Fate::RunsOutOfMemory;
    return {AttemptEnd::Failed, Code::RankExited, now,
            memory ? launch::FailureKind::OutOfMemory : launch::FailureKind::ExitCode, false};
}

class SimulatedObserver : public engine::AttemptObserver {
public:
    SimulatedObserver(World &world, std::string id, engine::ObjectiveTracker objective,
                      std::optional<launch::ProcessIdentity> agent)
        : m_world(world),
          m_id(std::move(id)),
          m_begun(std::move(objective)),
          m_objective(m_begun),
          m_identity(std::move(agent)),
          m_since(world.steady)
    {
        m_objective.series({0, "loss", ""});
        m_objective.series({1, "accuracy", ""});
    }

    void poll(WallNs now) override
    {
        if (m_verdict)
            return;
        Agent *agent = find();
        if (agent == nullptr) {
            if (m_world.steady - m_since >= patienceWithUnknownAgent)
                m_verdict =
                    AttemptVerdict{AttemptEnd::NeverStarted, facts::Code::EngineEndedBeforeStart, now, {}, false};
            return;
        }
        m_identity = launch::ProcessIdentity{agent->pid, 1};
        m_ranksStarted = m_ranksStarted || agent->ranksStarted;
        const std::size_t from = m_read;
        for (; m_read < agent->reports.size(); ++m_read)
            read(agent->reports[m_read], now);
        if (agent->end && m_world.steady >= agent->seenFrom && m_world.mutation != Mutation::HideEnds) {
            m_verdict = verdictOf(*agent, now);
            mutate(*m_verdict);
            m_world.seen("attempt " + m_id + " is seen to be " + toString(m_verdict->end) + " after "
                         + std::to_string(m_read) + " reports");
        }
        m_world.readings.push_back({agent->trial, m_id, from, m_read, m_verdict.has_value()});
    }
    void stop(WallNs) override
    {
        m_stopRequested = true;
        if (Agent *agent = find(); agent != nullptr && agent->stopsAt == 0)
            agent->stopsAt = m_world.steady + (1 + m_world.dice.below(3000)) * milliseconds;
    }
    void kill(WallNs) override
    {
        m_stopRequested = true;
        if (Agent *agent = find(); agent != nullptr)
            agent->stopsAt = m_world.steady + 1;
    }
    void saveAndEnd() override
    {
        if (Agent *agent = find(); agent != nullptr && agent->savesCheckpoints && agent->stopsAt == 0) {
            agent->stopsAt = m_world.steady + (1 + m_world.dice.below(2000)) * milliseconds;
            agent->isSaving = true;
        }
    }
    void freeze() override
    {
        if (Agent *agent = find(); agent != nullptr && m_world.mutation != Mutation::IgnoreFreeze)
            agent->isFrozen = true;
    }
    void thaw() override
    {
        if (Agent *agent = find(); agent != nullptr)
            agent->isFrozen = false;
    }
    Expected<void> requestTrace(const sweep::TraceRequest &) override { return {}; }
    Expected<void> readOutput(const output::MetricsSection &) override { return {}; }
    void judgeBy(const sweep::SweepSpec &, engine::ReportedPast) override {}
    void moveWaits(WallNs) override {}
    void failToStart(AttemptEnd end, facts::Fact reason, WallNs now) override
    {
        m_verdict = AttemptVerdict{end, std::move(reason), now, {}, false};
        if (end == AttemptEnd::Failed)
            m_verdict->failure = launch::FailureKind::NotStarted;
    }

    bool ranksStarted() const override { return m_ranksStarted; }
    bool stopRequested() const override { return m_stopRequested; }
    const std::optional<launch::ProcessIdentity> &agent() const override { return m_identity; }
    const engine::ObjectiveTracker &objective() const override { return m_objective; }
    std::vector<pruning::RungValue> takeReachedRungs() override
    {
        std::vector<pruning::RungValue> reached = m_objective.takeReached();
        if (m_world.mutation == Mutation::IgnoreRungs)
            reached.clear();
        for (pruning::RungValue &value : reached) {
            if (m_world.mutation == Mutation::MoveRungs)
                value.best = -value.best;
        }
        return reached;
    }
    const std::optional<AttemptVerdict> &verdict() const override { return m_verdict; }
    std::optional<engine::AgentSilence> silence() const override { return {}; }
    std::string takeWarning() override { return {}; }

private:
    void read(const Report &report, WallNs now)
    {
        if (m_world.mutation == Mutation::SkipReports && report.step % 3 == 0)
            return;
        m_objective.point({0, report.step, now, report.loss});
        m_objective.point({1, report.step, now, report.accuracy});
    }
    void mutate(AttemptVerdict &verdict) const
    {
        if (m_world.mutation == Mutation::MissCompletion && verdict.end == AttemptEnd::Completed) {
            verdict.end = AttemptEnd::Lost;
            verdict.failure = launch::FailureKind::Lost;
        }
    }
    Agent *find()
    {
        const auto found = m_world.agents.find(m_id);
        return found == m_world.agents.end() ? nullptr : &found->second;
    }

    World &m_world;
    std::string m_id;
    engine::ObjectiveTracker m_begun;
    engine::ObjectiveTracker m_objective;
    std::optional<launch::ProcessIdentity> m_identity;
    WallNs m_since;
    std::size_t m_read = 0;
    bool m_ranksStarted = false;
    bool m_stopRequested = false;
    std::optional<AttemptVerdict> m_verdict;
};

}  // namespace

void World::step(Agent &agent)
{
    const auto finish = [&](AttemptEnd end) {
        agent.end = end;
        if (end == AttemptEnd::Stopped && agent.isSaving && !agent.reports.empty())
            checkpoints[agent.trial] = agent.reports.back().step;
        agent.seenFrom = steady + dice.below(1500) * milliseconds;  // late messages
    };
    if (agent.stopsAt != 0 && steady >= agent.stopsAt)
        return finish(AttemptEnd::Stopped);
    if (agent.isFrozen || steady < agent.ranksAt)
        return;
    if (!agent.ranksStarted) {
        agent.ranksStarted = true;
        agent.nextStepAt = steady + agent.stepEvery;
    }
    while (steady >= agent.nextStepAt && static_cast<int>(agent.reports.size()) < agent.steps) {
        ++events;
        agent.nextStepAt += agent.stepEvery;
        const std::int64_t step = agent.firstStep + static_cast<std::int64_t>(agent.reports.size());
        const auto value = [&](int bound) {
            return dice.oneIn(20) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(dice.below(bound));
        };
        const double loss = value(1000);
        agent.reports.push_back({step, loss, value(10)});
        if (resumes && step % agent.checkpointEvery == 0)
            checkpoints[agent.trial] = step;
    }
    if (static_cast<int>(agent.reports.size()) < agent.steps)
        return;
    switch (agent.fate) {
    case Fate::Completes:
        return finish(AttemptEnd::Completed);
    case Fate::LosesAgent:
        return finish(AttemptEnd::Lost);
    case Fate::Fails:
    case Fate::RunsOutOfMemory:
        return finish(AttemptEnd::Failed);
    }
}

void World::advance(WallNs duration)
{
    steady += duration;
    for (auto &[id, agent] : agents) {
        if (isAlive(agent))
            step(agent);
    }
}

int SimulatedLauncher::nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const
{
    int number = trial.attempts + 1;
    while (m_world.agents.contains(makeAttemptId(sweep, trial.number, number)))
        ++number;
    return number;
}

std::string SimulatedLauncher::makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const
{
    return std::to_string(sweep.id) + "/" + std::to_string(trial) + "/" + std::to_string(attempt);
}

Expected<std::optional<launch::ProcessIdentity>>
SimulatedLauncher::start(const sweep::SweepRecord &, const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
                         const std::string &attemptId, const schedule::Allocation &devices, std::span<const int>)
{
    ++m_world.events;
    Dice &dice = m_world.dice;
    if (m_world.startsFail && dice.oneIn(4))
        return makeError(dice.oneIn(2) ? ErrorCode::NoSpace : ErrorCode::Io, "the simulated agent does not start");
    Agent agent;
    agent.id = attemptId;
    agent.trial = trial.number;
    agent.number = trial.attempts;
    agent.pid = static_cast<pid_t>(1000 + m_world.agents.size());
    agent.devices = devices.all();
    agent.created = m_world.wall();
    agent.savesCheckpoints = engine::savesCheckpoints(spec);
    const int luck = dice.below(10);
    agent.fate = luck < 6   ? Fate::Completes
                 : luck < 8 ? Fate::Fails
                 : luck < 9 ? Fate::RunsOutOfMemory
                            : Fate::LosesAgent;
    agent.steps = dice.below(30);
    agent.checkpointEvery = 1 + dice.below(5);
    if (const auto saved = m_world.checkpoints.find(trial.number);
        m_world.resumes && saved != m_world.checkpoints.end())
        agent.firstStep = saved->second + 1;
    agent.ranksAt = m_world.steady + dice.below(1000) * milliseconds;
    agent.stepEvery = (1 + dice.below(800)) * milliseconds;
    if (m_world.mutation == Mutation::ShareDevice)
        agent.devices.assign(1, "cpu:0");
    const pid_t pid = agent.pid;
    const auto place = m_world.agents.emplace(attemptId, agent).first;
    m_world.began(place->second);
    if (m_world.mutation == Mutation::StartTwice) {
        agent.id += "/again";
        m_world.agents.emplace(agent.id, agent);
    }
    return launch::ProcessIdentity{pid, 1};
}

std::unique_ptr<engine::AttemptObserver>
SimulatedLauncher::observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec, const sweep::TrialRecord &,
                           const engine::AttemptRow &attempt, engine::ReportedPast past)
{
    engine::ObjectiveTracker tracker(sweep.objective, sweep.goal,
                                     spec.prune ? std::optional<pruning::Rungs>(*spec.prune) : std::nullopt,
                                     std::move(past));
    return std::make_unique<SimulatedObserver>(m_world, attempt.id, std::move(tracker), attempt.agent);
}

}  // namespace sweepscope::simulation
