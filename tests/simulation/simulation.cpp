#include "simulation/simulation.h"

#include "engine/database.h"
#include "engine/store.h"
#include "engine/storereader.h"
#include "engine/sweeprun.h"
#include "simulation/world.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace sweepscope::simulation {

namespace {

using engine::SweepRun;
using engine::TrialRow;
using sweep::SweepState;
using sweep::TrialState;

constexpr WallNs milliseconds = 1'000'000;
constexpr int mostTicks = 20'000;

class Simulation {
public:
    explicit Simulation(std::uint64_t seed) : m_dice(seed), m_world(m_dice), m_launcher(m_world) {}

    Outcome run()
    {
        open();
        draw();
        launch();
        const int faultyTicks = 50 + m_dice.below(400);
        for (int tick = 0; tick < faultyTicks && m_outcome.violations.empty(); ++tick) {
            guarded([&] { faultyTick(); });
            check();
        }
        heal();
        int left = mostTicks;
        for (; left > 0 && !isOver() && m_outcome.violations.empty(); --left) {
            guarded([&] { tick(500 * milliseconds); });
            if (left % 16 == 0)
                check();
        }
        check();
        if (m_outcome.violations.empty() && !isOver())
            m_outcome.stuck = whyStuck();
        m_outcome.events = m_world.events;
        m_outcome.writes = m_store->writes;
        mix(m_dice.draws());
        mix(m_world.events);
        return std::move(m_outcome);
    }

private:
    void open()
    {
        auto database = engine::Database::openForWriting(":memory:");
        if (!database) {
            m_outcome.violations.push_back("cannot open a database in memory: " + database.error().message);
            return;
        }
        m_database = std::move(*database);
        m_realStore = std::make_unique<engine::Store>(*m_database);
        m_store = std::make_unique<FaultyStore>(*m_realStore);
    }

    void draw()
    {
        m_cores = 1 + m_dice.below(4);
        m_retries = m_dice.below(3);
        m_isBuiltIn = m_dice.oneIn(2);
        m_hasBudget = m_dice.oneIn(5);
        m_hasPruning = m_dice.oneIn(3);
        m_concurrent = 1 + m_dice.below(3);
    }

    std::string definition(int values) const
    {
        std::string list;
        for (int value = 1; value <= values; ++value)
            list += (value == 1 ? "" : ", ") + std::to_string(value);
        std::string toml = "[sweep]\nname = \"s\"\nobjective = \"loss\"\n[space]\nn = [" + list
                           + "]\n[run]\ncommand = [\"x\", \"{n}\"]\nretries = " + std::to_string(m_retries)
                           + "\n[devices]\nkind = \"cpu\"\nconcurrent = " + std::to_string(m_concurrent) + "\n";
        if (m_hasPruning)
            toml += "[prune]\nmethod = \"median\"\nfirst_step = 3\nmin_trials = 2\n";
        if (m_hasBudget)
            toml += "[budget]\ntime = \"60s\"\n";
        return toml;
    }

    sweep::SweepSpec specOf(const std::string &toml)
    {
        sweep::ParsedSweep parsed = sweep::parseSweep(toml);
        for (const sweep::Problem &problem : parsed.problems)
            m_outcome.violations.push_back("the simulated definition is wrong: " + problem.field + " "
                                           + problem.message);
        if (m_isBuiltIn)
            parsed.spec.run.worker = sweep::WorkerKind::Builtin;  // its trials save checkpoints
        return std::move(parsed.spec);
    }

    void launch()
    {
        if (!m_outcome.violations.empty())
            return;
        m_values = 1 + m_dice.below(8);
        const std::string toml = definition(m_values);
        const sweep::SweepSpec spec = specOf(toml);
        sweep::SweepRecord record;
        record.name = "s";
        record.objective = "loss";
        record.parameterNames = {"n"};
        record.toml = toml;
        record.baseFolder = "/";
        record.created = m_world.wall();
        const auto plans = sweep::planTrials(spec);
        const auto noFolder = [](const sweep::SweepRecord &) -> Expected<void> { return {}; };
        if (!plans || !m_realStore->insertSweep(record, *plans, noFolder)) {
            m_outcome.violations.push_back("the simulated sweep cannot be launched");
            return;
        }
        restart();
    }

    /// A new engine takes over what the database and the agents say.
    void restart()
    {
        m_run.reset();
        std::vector<device::Device> devices;
        for (int core = 0; core < m_cores; ++core) {
            device::Device device;
            device.id = "cpu:" + std::to_string(core);
            device.index = core;
            devices.push_back(std::move(device));
        }
        m_scheduler = std::make_unique<schedule::Scheduler>(std::move(devices));
        engine::StoreReader reader(*m_database);
        auto sweeps = reader.sweeps();
        auto trials = reader.trials(1, 1, 1'000'000);
        auto attempts = reader.openAttempts(1);
        if (!sweeps || sweeps->size() != 1 || !trials || !attempts) {
            m_outcome.violations.push_back("the database cannot be read after a restart");
            return;
        }
        m_definition = sweeps->front().toml;
        m_run = std::make_unique<SweepRun>(SweepRun::Context{*m_store, *m_scheduler, m_launcher, m_listener},
                                           sweeps->front(), specOf(m_definition), std::move(*trials));
        m_run->adopt(*attempts, m_world.wall());
    }

    void guarded(const std::function<void()> &step)
    {
        try {
            step();
        } catch (const Killed &) {
            ++m_outcome.kills;
            say("the engine is killed");
            m_store->killBefore = m_store->killAfter = 0;
            try {
                restart();
            } catch (const Killed &) {
                m_outcome.violations.push_back("killed twice although nothing asked for it");
            }
        }
    }

    void tick(WallNs duration)
    {
        m_world.advance(duration);
        if (m_run == nullptr)
            return;
        m_run->poll(m_world.wall());
        schedule();
        if (m_dice.oneIn(4))
            m_run->saveProgress();
    }

    void schedule()
    {
        for (;;) {
            const schedule::Decision decision = m_scheduler->decide({m_run->demand(m_world.wall())});
            for (const schedule::TrialReason &reason : decision.waiting)
                m_run->setReason(reason.trial, reason.reason);
            if (decision.impossible) {
                m_run->refuse(decision.impossible->trial, decision.impossible->reason, m_world.wall());
                continue;
            }
            if (!decision.start)
                return;
            m_run->start(*decision.start, m_world.wall());
        }
    }

    void faultyTick()
    {
        if (m_dice.oneIn(40)) {
            (m_dice.oneIn(2) ? m_store->killBefore : m_store->killAfter) = 1 + m_dice.below(4);
            say("a kill is near");
        }
        if (m_dice.oneIn(60)) {
            m_store->diskIsFull = !m_store->diskIsFull;
            say(m_store->diskIsFull ? "the disk is full" : "the disk has room");
        }
        if (m_dice.oneIn(80))
            m_world.startsFail = !m_world.startsFail;
        if (m_dice.oneIn(100)) {
            const WallNs jump = (m_dice.below(2'000'000) - 1'000'000) * milliseconds;
            m_world.clockOffset += jump;
            m_run->moveWaits(jump);
            say("the clock jumps");
        }
        if (m_dice.oneIn(6))
            ask();
        tick((1 + m_dice.below(1500)) * milliseconds);
        if (m_run != nullptr && m_run->hasEnded() && m_dice.oneIn(3))
            retryAll();
    }

    std::vector<int> someTrials()
    {
        std::vector<int> numbers;
        for (const TrialRow &row : m_run->trials()) {
            if (m_dice.oneIn(3))
                numbers.push_back(row.record.number);
        }
        return numbers;
    }

    void ask()
    {
        using Action = sweep::Control::Action;
        sweep::Control control;
        switch (m_dice.below(8)) {
        case 0:
            if (!m_dice.oneIn(3))
                return;  // a stopped sweep is a short one
            control.action = Action::Stop;
            control.stopMode = static_cast<sweep::StopMode>(m_dice.below(4));
            break;
        case 1:
            control.action = Action::Pause;
            break;
        case 2:
        case 3:
            control.action = Action::Resume;
            break;
        case 4:
            control.action = Action::Retry;
            break;
        case 5:
            control.action = Action::SetPriority;
            control.priority = m_dice.below(5);
            break;
        case 6:
            edit();
            return;
        default:
            enqueue();
            return;
        }
        if (m_dice.oneIn(2))
            control.trials = someTrials();
        say("asks: " + sweep::toString(control.action));
        const engine::Reply reply = m_run->control(control, m_world.wall());
        if (reply && control.action == Action::Stop && control.trials.empty() && !m_run->hasEnded()
            && m_run->record().state != SweepState::Stopping)
            m_outcome.violations.push_back("a stop was acknowledged, and the sweep is not stopping");
    }

    void edit()
    {
        m_values = 1 + m_dice.below(10);
        const std::string toml = definition(m_values);
        say("edits: " + std::to_string(m_values) + " values");
        if (m_run->redefine({toml, specOf(toml), sweep::EditKind::Edit, m_dice.oneIn(4)}, m_world.wall()))
            m_definition = m_run->record().toml;
    }

    void enqueue()
    {
        say("adds a trial");
        (void)m_run->enqueue({{"n", std::to_string(100 + m_dice.below(100))}}, m_world.wall());
    }

    void retryAll()
    {
        sweep::Control retry;
        retry.action = sweep::Control::Action::Retry;
        say("retries what failed");
        (void)m_run->control(retry, m_world.wall());
    }

    /// Nothing goes wrong from now on, and nobody holds anything up.
    void heal()
    {
        if (m_run == nullptr || !m_outcome.violations.empty())
            return;
        say("no further faults");
        m_store->killBefore = m_store->killAfter = 0;
        m_store->diskIsFull = false;
        m_world.startsFail = false;
        guarded([&] {
            tick(5000 * milliseconds);  // what could not be written is written
            sweep::Control resume;
            resume.action = sweep::Control::Action::Resume;
            (void)m_run->control(resume, m_world.wall());
        });
    }

    bool isOver() const
    {
        return m_run != nullptr && m_run->hasEnded()
               && std::ranges::none_of(m_world.agents, [](const auto &each) { return World::isAlive(each.second); });
    }

    std::string whyStuck() const
    {
        std::string why = "the sweep is " + sweep::toString(m_run->record().state) + ";";
        for (const TrialRow &row : m_run->trials()) {
            if (!sweep::isFinal(row.record.state))
                why += " trial " + std::to_string(row.record.number) + " " + sweep::toString(row.record.state) + " "
                       + facts::toJson(row.record.reason);
        }
        return why;
    }

    void violated(const std::string &what) { m_outcome.violations.push_back(what); }

    void check()
    {
        if (m_run == nullptr || !m_outcome.violations.empty())
            return;
        for (const std::string &error : m_listener.internalErrors)
            violated(error);
        if (m_checkedWrites != m_store->writes + static_cast<std::uint64_t>(m_outcome.kills)) {
            m_checkedWrites = m_store->writes + static_cast<std::uint64_t>(m_outcome.kills);
            checkRows();
        }
        checkAgents();
        checkDevices();
        for (const TrialRow &row : m_run->trials())
            mix(static_cast<std::uint64_t>(row.record.state) + 16U * static_cast<std::uint64_t>(row.record.attempts));
    }

    /// The database says what memory says, and its history leads there.
    void checkRows()
    {
        engine::StoreReader reader(*m_database);
        const auto stored = reader.trials(1, 1, 1'000'000);
        const auto history = reader.history(1, 0);
        const auto open = reader.openAttempts(1);
        if (!stored || !history || !open)
            return violated("the database cannot be read");
        m_openAttempts.clear();
        for (const engine::AttemptRow &attempt : *open)
            m_openAttempts.insert(attempt.id);
        if (stored->size() != m_run->trials().size())
            return violated("the database has another number of trials than memory");
        std::map<int, std::string> replayed;
        for (const sweep::HistoryEntry &entry : *history) {
            if (entry.trial != 0
                && entry.before != (replayed.contains(entry.trial) ? replayed[entry.trial] : "waiting"))
                violated("the history of trial " + std::to_string(entry.trial) + " has a gap before " + entry.after);
            replayed[entry.trial] = entry.after;
        }
        for (const TrialRow &row : *stored) {
            const TrialRow &known = m_run->trials()[static_cast<std::size_t>(row.record.number - 1)];
            const std::string name = "trial " + std::to_string(row.record.number);
            const std::string state = sweep::toString(row.record.state);
            if (row.record.state != known.record.state || row.asked != known.asked
                || row.record.attempts != known.record.attempts)
                violated(name + " is " + state + " in the database and " + sweep::toString(known.record.state)
                         + " in memory");
            if (replayed.contains(row.record.number) && replayed[row.record.number] != state)
                violated(name + " is " + state + ", and its history leads to " + replayed[row.record.number]);
            if (row.failures > m_retries + 1)
                violated(name + " was retried more often than allowed");
            if (sweep::isFinal(row.record.state) != row.record.ended.has_value())
                violated(name + " is " + state + (row.record.ended ? " with" : " without") + " the time of its end");
        }
    }

    /// Each living agent belongs to an open attempt of a trial that may have one.
    void checkAgents()
    {
        std::map<int, int> living;
        for (const auto &[id, agent] : m_world.agents) {
            if (!World::isAlive(agent))
                continue;
            ++living[agent.trial];
            const TrialState state = m_run->trials()[static_cast<std::size_t>(agent.trial - 1)].record.state;
            if (!m_openAttempts.contains(id))
                violated("the agent of attempt " + id + " has no open attempt");
            if (sweep::isFinal(state) && state != TrialState::Pruned)
                violated("trial " + std::to_string(agent.trial) + " is " + sweep::toString(state)
                         + ", and its agent lives");
        }
        for (const auto &[trial, count] : living) {
            if (count > 1)
                violated("trial " + std::to_string(trial) + " has several living agents");
        }
    }

    void checkDevices()
    {
        for (const device::Device &core : m_scheduler->allocator().devices()) {
            if (m_scheduler->allocator().holders(core.id).size() > 1)
                violated(core.id + " has several holders");
        }
    }

    void say(const std::string &what)
    {
        m_outcome.script.push_back(std::to_string(m_world.steady / milliseconds) + " ms: " + what);
    }

    void mix(std::uint64_t value) { m_outcome.digest = (m_outcome.digest ^ value) * 1'099'511'628'211U; }

    Dice m_dice;
    World m_world;
    SimulatedLauncher m_launcher;
    SilentListener m_listener;
    std::unique_ptr<engine::Database> m_database;
    std::unique_ptr<engine::Store> m_realStore;
    std::unique_ptr<FaultyStore> m_store;
    std::unique_ptr<schedule::Scheduler> m_scheduler;
    std::unique_ptr<SweepRun> m_run;
    std::string m_definition;
    std::set<std::string> m_openAttempts;
    std::uint64_t m_checkedWrites = 0;
    int m_values = 1;
    int m_cores = 1;
    int m_retries = 0;
    int m_concurrent = 1;
    bool m_isBuiltIn = false;
    bool m_hasBudget = false;
    bool m_hasPruning = false;
    Outcome m_outcome;
};

}  // namespace

Outcome simulate(std::uint64_t seed)
{
    return Simulation(seed).run();
}

}  // namespace sweepscope::simulation
