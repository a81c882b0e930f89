#include "simulation/simulation.h"

#include "engine/storereader.h"
#include "engine/sweeprun.h"
#include "simulation/faultystore.h"
#include "simulation/invariants.h"
#include "simulation/world.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <utility>

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
    Simulation(std::uint64_t seed, Mutation mutation)
        : m_dice(mutation == Mutation::UnseededDice ? std::random_device()() : seed),
          m_mutation(mutation),
          m_world(m_dice, mutation),
          m_launcher(m_world),
          m_limits(draw()),
          m_invariants(m_world, m_limits)
    {
        m_world.began = [this](const Agent &agent) {
            log("attempt " + agent.id + " begins");
            m_invariants.began(agent);
        };
        m_world.seen = [this](const std::string &what) { log(what); };
        if (mutation == Mutation::ReverseGoal)
            m_invariants.reverseGoal();
    }

    Outcome run()
    {
        open();
        launch();
        const int faultyTicks = 30 + m_dice.below(1 + m_dice.below(400));  // most are short
        for (int tick = 0; tick < faultyTicks && holds(); ++tick) {
            guarded([&] { faultyTick(); });
            check();
        }
        if (holds())
            heal();
        int left = mostTicks;
        for (; left > 0 && holds() && !isOver(); --left) {
            guarded([&] { tick(500 * milliseconds); });
            check();
        }
        if (holds() && !isOver())
            violated(Invariant::SweepEnds, whyStuck());
        if (holds()) {
            m_run->saveProgress();
            m_invariants.checkAll(m_disk.database(), *m_run);
        }
        m_outcome.violations = m_invariants.violations;
        m_outcome.events = m_world.events;
        m_outcome.writes = m_writes + (m_store ? m_store->writes : 0);
        mix(m_dice.draws());
        mix(m_world.events);
        return std::move(m_outcome);
    }

private:
    bool holds() const { return m_invariants.violations.empty(); }
    void violated(Invariant invariant, const std::string &detail)
    {
        m_invariants.violations.push_back({invariant, detail});
    }

    /// An engine opens the database.
    void open()
    {
        if (const Expected<void> opened = m_disk.open(); !opened)
            return violated(Invariant::DatabaseIsWhole, opened.error().message);
        m_realStore = std::make_unique<engine::Store>(m_disk.database());
        m_mutatedStore = std::make_unique<MutatedStore>(*m_realStore, m_mutation);
        m_store = std::make_unique<FaultyStore>(*m_mutatedStore, m_disk.database(), m_dice);
        std::vector<device::Device> devices;
        for (int core = 0; core < m_cores; ++core) {
            device::Device device;
            device.id = "cpu:" + std::to_string(core);
            device.index = core;
            devices.push_back(std::move(device));
        }
        m_scheduler = std::make_unique<schedule::Scheduler>(std::move(devices));
    }

    Limits draw()
    {
        m_cores = 1 + m_dice.below(4);
        m_isBuiltIn = m_dice.oneIn(2);
        m_world.resumes = m_isBuiltIn || m_dice.oneIn(3);
        Limits limits;
        const bool searches = m_mutation == Mutation::MisstateInputs || m_dice.oneIn(3);
        const char *const methods[] = {"tpe", "gp", "sobol", "random"};
        if (searches)
            limits.method = m_mutation == Mutation::MisstateInputs ? "tpe" : methods[m_dice.below(4)];
        limits.hasObjectives = limits.method == "tpe" && m_dice.oneIn(3);
        drawWhatEditsChange(limits);
        limits.maximize = m_dice.oneIn(2);
        drawPruning(limits);
        return limits;
    }

    void drawPruning(Limits &limits)
    {
        limits.prune.reset();
        if (m_dice.oneIn(2) || limits.hasObjectives)
            return;
        limits.prune.emplace();
        using sweep::PruneMethod;
        const PruneMethod methods[] = {PruneMethod::Median,    PruneMethod::Median,    PruneMethod::Percentile,
                                       PruneMethod::Halving,   PruneMethod::Hyperband, PruneMethod::Patience,
                                       PruneMethod::Threshold, PruneMethod::Wilcoxon};
        limits.prune->method = methods[m_dice.below(8)];
        limits.prune->firstStep = 1 + m_dice.below(4);
        limits.prune->minTrials = 2;
        switch (limits.prune->method) {
        case PruneMethod::Hyperband:
            limits.prune->maxStep = 4 * limits.prune->firstStep;
            [[fallthrough]];
        case PruneMethod::Halving:
            limits.prune->factor = 2;
            limits.prune->promote = m_dice.oneIn(2);
            break;
        case PruneMethod::Percentile:
            limits.prune->percentile = 10 + m_dice.below(80);
            break;
        case PruneMethod::Patience:
            limits.prune->patience = 1 + m_dice.below(3);
            break;
        case PruneMethod::Threshold:
            limits.prune->above = 500 + m_dice.below(500);
            break;
        case PruneMethod::Median:
        case PruneMethod::Wilcoxon:
        case PruneMethod::Command:
        case PruneMethod::Optuna:
            break;
        }
    }

    static std::string pruneToml(const sweep::PruneSection &prune)
    {
        using sweep::PruneMethod;
        const auto section = [&prune](const std::string &method, const std::string &keys) {
            return "[prune]\nmethod = \"" + method + "\"\nfirst_step = " + std::to_string(prune.firstStep) + '\n'
                   + keys;
        };
        const std::string minTrials = "min_trials = 2\n";
        const std::string halving = minTrials + "factor = 2\n" + (prune.promote ? "promote = true\n" : "");
        switch (prune.method) {
        case PruneMethod::Median:
            return section("median", minTrials);
        case PruneMethod::Percentile:
            return section("percentile", minTrials + "percentile = " + std::to_string(prune.percentile) + '\n');
        case PruneMethod::Halving:
            return section("halving", halving);
        case PruneMethod::Hyperband:
            return section("hyperband", halving + "max_step = " + std::to_string(prune.maxStep) + '\n');
        case PruneMethod::Patience:
            return section("patience", "patience = " + std::to_string(prune.patience) + '\n');
        case PruneMethod::Threshold:
            return section("threshold", "above = " + std::to_string(*prune.above) + '\n');
        case PruneMethod::Wilcoxon:
            return section("wilcoxon", "");
        case PruneMethod::Command:
        case PruneMethod::Optuna:
            break;
        }
        return {};
    }

    void drawWhatEditsChange(Limits &limits)
    {
        limits.retries = m_dice.below(3);
        limits.concurrent = 1 + m_dice.below(3);
        limits.time.reset();
        if (m_dice.oneIn(6))
            limits.time = std::chrono::seconds(20 * (1 + m_dice.below(6)));
        limits.deviceTime.reset();
        if (m_dice.oneIn(6))
            limits.deviceTime = std::chrono::seconds(20 * (1 + m_dice.below(4)));
        limits.trials.reset();
        if (!limits.method.empty() && (!limits.time || m_dice.oneIn(2)))
            limits.trials = 1 + m_dice.below(m_dice.oneIn(2) ? 8 : 30);
        limits.repeats = 1;
        if (!limits.hasObjectives && (m_mutation == Mutation::KeepMeans || m_dice.oneIn(5)))
            limits.repeats = std::min(2 + m_dice.below(2), limits.trials.value_or(3));
    }

    /// With m_limits.
    std::string definition(int values)
    {
        std::string list;
        for (int value = 1; value <= values; ++value)
            list += (value == 1 ? "" : ", ") + std::to_string(value);
        std::string toml = "[sweep]\nname = \"s\"\nobjective = \"loss\"\n";
        if (m_limits.maximize)
            toml += "goal = \"maximize\"\n";
        if (m_limits.hasObjectives)
            toml += "[objectives]\naccuracy = \"maximize\"\n";
        toml += "[search]\nmethod = \"" + (m_limits.method.empty() ? "grid" : m_limits.method) + "\"\n";
        if (m_limits.trials)
            toml += "trials = " + std::to_string(*m_limits.trials) + "\n";
        if (m_limits.repeats > 1)
            toml += "repeats = " + std::to_string(m_limits.repeats) + "\n";
        const std::string range = "{ int = [1, " + std::to_string(30 + values) + "] }";
        toml += "[space]\nn = " + (m_limits.method.empty() ? "[" + list + "]" : range)
                + "\n[run]\ncommand = [\"x\", \"{n}\"]\nretries = " + std::to_string(m_limits.retries)
                + "\n[devices]\nkind = \"cpu\"\nconcurrent = " + std::to_string(m_limits.concurrent) + "\n";
        if (m_limits.prune)
            toml += pruneToml(*m_limits.prune);
        if (m_limits.time || m_limits.deviceTime)
            toml += "[budget]\n";
        if (m_limits.time)
            toml += "time = \"" + std::to_string(m_limits.time->count()) + "s\"\n";
        if (m_limits.deviceTime)
            toml += "device_time = \"" + std::to_string(m_limits.deviceTime->count()) + "s\"\n";
        m_limitsOf.insert_or_assign(toml, m_limits);
        return toml;
    }

    const sweep::SweepSpec &specOf(const std::string &toml)
    {
        if (const auto known = m_specs.find(toml); known != m_specs.end())  // parsing takes as long as a tick
            return known->second;
        sweep::ParsedSweep parsed = sweep::parseSweep(toml);
        for (const sweep::Problem &problem : parsed.problems)
            violated(Invariant::DefinitionIsValid, problem.field + " " + problem.message);
        if (m_isBuiltIn)
            parsed.spec.run.worker = sweep::WorkerKind::Builtin;  // its trials save checkpoints
        if (m_mutation == Mutation::ExceedConcurrent)
            ++parsed.spec.devices.concurrent;
        if (m_mutation == Mutation::RetryForever)
            parsed.spec.run.retries = 1000;
        if (m_mutation == Mutation::IgnoreBudget)
            parsed.spec.budget.reset();
        return m_specs.emplace(toml, std::move(parsed.spec)).first->second;
    }

    /// Launches the sweep like an engine, and again if the engine is killed before the sweep exists.
    void launch()
    {
        const std::string toml = definition(1 + m_dice.below(8));
        const sweep::SweepSpec &spec = specOf(toml);
        const auto plans = sweep::planTrials(spec);
        bool dies = m_dice.oneIn(10);
        while (holds()) {
            sweep::SweepRecord record;
            record.name = "s";
            record.objective = "loss";
            record.goal = spec.goal;
            record.parameterNames = {"n"};
            record.toml = toml;
            record.baseFolder = "/";
            record.created = m_world.wall();
            record.trialsToCome = sweep::trialsToSearch(spec);
            try {
                auto rows = m_realStore->insertSweep(record, *plans, [&](const auto &) -> Expected<void> {
                    if (std::exchange(dies, false))
                        throw Killed();
                    return {};
                });
                if (!rows)
                    return violated(Invariant::DefinitionIsValid, rows.error().message);
                for (TrialRow &row : *rows) {
                    if (m_mutation == Mutation::LaunchWithoutSweep)
                        row.record.sweepId = 0;
                }
                m_invariants.launched(record.trialsTotal, m_world.wall());
                startRun(record, spec, std::move(*rows), {});
                return check();
            } catch (const Killed &) {
                kill();
                const auto sweeps = engine::StoreReader(m_disk.database()).sweeps();
                if (!sweeps || !sweeps->empty())
                    violated(Invariant::DatabaseIsWhole, "a sweep is there that was not launched");
            }
        }
    }

    void startRun(const sweep::SweepRecord &record, const sweep::SweepSpec &spec, std::vector<TrialRow> trials,
                  const std::vector<engine::AttemptRow> &openAttempts)
    {
        m_run =
            std::make_unique<SweepRun>(SweepRun::Context{*m_store, *m_scheduler, m_launcher, m_suggester, m_listener},
                                       record, spec, std::move(trials));
        m_run->adopt(openAttempts, m_world.wall());
    }

    /// Loads the sweep from the database.
    void load()
    {
        engine::StoreReader reader(m_disk.database());
        const auto sweeps = reader.sweeps();
        if (!sweeps || sweeps->size() != 1)
            return violated(Invariant::DatabaseIsWhole, "the sweep is not in the database");
        const sweep::SweepRecord &record = sweeps->front();
        auto trials = reader.trials(record.id, 1, record.trialsTotal);
        const auto attempts = reader.openAttempts(record.id);
        if (!trials || !attempts || static_cast<int>(trials->size()) != record.trialsTotal)
            return violated(Invariant::NoTrialIsLost, "the database has not all trials of the sweep");
        m_invariants.allow(m_limitsOf.at(record.toml));
        startRun(record, specOf(record.toml), std::move(*trials), *attempts);
    }

    /// Kills the engine; a new one opens what it left.
    void kill()
    {
        ++m_outcome.kills;
        log("the engine is killed");
        m_isSettled = false;
        m_invariants.killed();
        if (m_store->rungsMayBeLost)
            m_invariants.rungsLost();
        m_run.reset();
        m_suggester.clear();
        m_writes += m_store->writes;
        m_failures += m_store->failures;
        const bool diskWasFull = m_store->diskIsFull;
        m_store.reset();
        m_mutatedStore.reset();
        m_realStore.reset();
        m_disk.kill();
        open();
        if (m_store)
            m_store->diskIsFull = diskWasFull;
    }

    void guarded(const std::function<void()> &step)
    {
        try {
            m_isSettled = false;
            step();
            m_isSettled = true;
        } catch (const Killed &) {
            if (m_isAsking)
                m_invariants.unanswered();
            m_isAsking = false;
            kill();
            if (holds())
                load();
        }
    }

    void tick(WallNs duration)
    {
        m_world.advance(duration);
        const int trials = static_cast<int>(m_run->trials().size());
        if (trials > 0 && m_dice.oneIn(4)
            && m_run->pollTrial(1 + m_dice.below(trials), m_world.wall()))  // it has written an event
            schedule();
        m_run->poll(m_world.wall());
        suggest();
        schedule();
        if (m_dice.oneIn(4))
            m_run->saveProgress();
    }

    /// Answers of the thread that chooses points; some come late.
    void suggest()
    {
        while (!m_suggester.requests.empty() && !m_dice.oneIn(3)) {
            engine::SuggestionAnswer answer = m_suggester.desk.answer(std::move(m_suggester.requests.front()));
            m_suggester.requests.pop_front();
            if (m_mutation == Mutation::MisstateInputs && answer.inputs.revision > 0)
                --answer.inputs.revision;
            answered([&] { m_run->applySuggestion(answer, m_world.wall()); });
            m_invariants.suggested(*m_run);
        }
    }

    void schedule()
    {
        for (;;) {
            const schedule::Decision decision = m_scheduler->decide({m_run->demand(m_world.wall())});
            for (const schedule::TrialReason &reason : decision.waiting)
                m_run->setReason(reason.trial, reason.reason);
            if (m_mutation == Mutation::RefuseEnded && !m_run->trials().empty())
                m_run->refuse(1, facts::Code::SweepIsStopping, m_world.wall());
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
            m_store->killAt = 1 + m_dice.below(4);
            m_store->killPlace = static_cast<FaultyStore::Place>(m_dice.below(3));
            log("a kill is near");
        }
        if (m_dice.oneIn(60)) {
            m_store->diskIsFull = !m_store->diskIsFull;
            log(m_store->diskIsFull ? "the disk is full" : "the disk has room");
        }
        if (m_dice.oneIn(80))
            m_world.startsFail = !m_world.startsFail;
        if (m_dice.oneIn(100)) {
            const WallNs jump = (m_dice.below(2'000'000) - 1'000'000) * milliseconds;
            m_world.clockOffset += jump;
            m_run->moveWaits(jump);
            log("the clock jumps");
        }
        if (m_dice.oneIn(6))
            answered([&] { sendRequest(); });
        tick((1 + m_dice.below(1500)) * milliseconds);
        if (m_run->hasEnded()) {
            // An ended sweep is not polled, until a user reopens it.
            if (m_dice.oneIn(4))
                load();
            if (m_dice.oneIn(3) && holds())
                answered([&] { control(sweep::Control::Action::Retry, {}); });
        }
    }

    template <typename Request>
    void answered(Request &&request)
    {
        m_isAsking = true;
        request();
        m_isAsking = false;
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

    void sendRequest()
    {
        using Action = sweep::Control::Action;
        switch (m_dice.below(10)) {
        case 9:
            return control(Action::Trace, someTrials());
        case 8:
            return control(Action::Mark, someTrials());
        case 0:
            if (m_dice.oneIn(3))  // a stopped sweep keeps the simulation short
                control(Action::Stop, someOrAll());
            return;
        case 1:
            return control(Action::Pause, someOrAll());
        case 2:
        case 3:
            return control(Action::Resume, someOrAll());
        case 4:
            return control(Action::Retry, someOrAll());
        case 5:
            return control(Action::SetPriority, someOrAll());
        case 6:
            return edit();
        default:
            return enqueue();
        }
    }

    std::vector<int> someOrAll() { return m_dice.oneIn(2) ? someTrials() : std::vector<int>(); }

    void control(sweep::Control::Action action, std::vector<int> trials)
    {
        using Action = sweep::Control::Action;
        sweep::Control control;
        control.action = action;
        control.trials = std::move(trials);
        if (action == Action::Stop)
            control.stopMode = static_cast<sweep::StopMode>(m_dice.below(4));
        if (action == Action::SetPriority)
            control.priority = m_dice.below(5);
        if (action == Action::Mark)
            control.mark.starred = m_dice.oneIn(2);
        std::string numbers;
        for (const int number : control.trials)
            numbers += " " + std::to_string(number);
        log("asks: " + sweep::toString(action) + numbers);
        const bool isIgnored = (m_mutation == Mutation::IgnoreStop && action == Action::Stop)
                               || (m_mutation == Mutation::IgnorePause && action == Action::Pause);
        if (isIgnored || m_run->control(control, m_world.wall()))
            m_invariants.acknowledged(control, *m_run);
    }

    void edit()
    {
        if (m_dice.oneIn(2))
            drawWhatEditsChange(m_limits);
        if (m_dice.oneIn(6))
            drawPruning(m_limits);
        std::string toml = definition(1 + m_dice.below(10));
        const bool isUndo = m_dice.oneIn(3);
        if (isUndo)
            toml = engine::StoreReader(m_disk.database()).definitionBeforeEdit(1).value_or(std::string());
        if (toml.empty())
            return;
        const bool isDry = m_dice.oneIn(4);
        log(std::string(isDry ? "would " : "") + (isUndo ? "undo an edit" : "edit"));
        const sweep::EditKind kind = isUndo ? sweep::EditKind::Undo : sweep::EditKind::Edit;
        const sweep::SweepSpec spec = specOf(toml);
        if (m_run->redefine({toml, spec, sweep::planTrials(spec).value(), kind}, isDry, m_world.wall()) && !isDry) {
            m_invariants.allow(m_limitsOf.at(toml));
            m_invariants.trialsChanged(*m_run);
            if (m_store->rungsMayBeLost)
                m_invariants.rungsLost();
        }
    }

    void enqueue()
    {
        log("adds a trial");
        if (m_run->enqueue({{"n", std::to_string(100 + m_dice.below(100))}}, m_world.wall()))
            m_invariants.trialsChanged(*m_run);
    }

    /// From now on there are no faults and no pauses.
    void heal()
    {
        log("no further faults");
        m_store->killAt = 0;
        m_store->diskIsFull = false;
        m_world.startsFail = false;
        guarded([&] {
            tick(5000 * milliseconds);  // failed writes are repeated
            control(sweep::Control::Action::Resume, {});
        });
        check();
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

    void check()
    {
        if (!m_run || !holds())
            return;
        for (const std::string &error : m_listener.internalErrors)
            violated(Invariant::TransitionsAreAllowed, error);
        const std::uint64_t failures = m_failures + m_store->failures;
        const std::uint64_t writes = m_writes + m_store->writes + static_cast<std::uint64_t>(m_outcome.kills);
        if (writes != m_checkedWrites)
            m_invariants.checkDatabase(m_disk.database(), *m_run);
        m_invariants.check(*m_run, m_isSettled && failures == m_checkedFailures);
        m_checkedFailures = failures;
        m_checkedWrites = writes;
        for (const TrialRow &row : m_run->trials())
            mix(static_cast<std::uint64_t>(row.record.state) + 16U * static_cast<std::uint64_t>(row.record.attempts));
    }

    void log(const std::string &what)
    {
        m_outcome.script.push_back(std::to_string(m_world.steady / milliseconds) + " ms: " + what);
    }

    void mix(std::uint64_t value) { m_outcome.digest = (m_outcome.digest ^ value) * 1'099'511'628'211U; }

    Dice m_dice;
    Mutation m_mutation;
    World m_world;
    SimulatedLauncher m_launcher;
    SilentListener m_listener;
    SimulatedSuggester m_suggester;
    int m_cores = 1;
    bool m_isBuiltIn = false;
    std::map<std::string, sweep::SweepSpec> m_specs;  ///< by definition
    std::map<std::string, Limits> m_limitsOf;
    Limits m_limits;
    Invariants m_invariants;
    SimulatedDatabase m_disk;
    std::unique_ptr<engine::Store> m_realStore;
    std::unique_ptr<MutatedStore> m_mutatedStore;
    std::unique_ptr<FaultyStore> m_store;
    std::unique_ptr<schedule::Scheduler> m_scheduler;
    std::unique_ptr<SweepRun> m_run;
    std::uint64_t m_writes = 0;
    std::uint64_t m_failures = 0;
    std::uint64_t m_checkedFailures = 0;
    std::uint64_t m_checkedWrites = 0;
    bool m_isAsking = false;
    bool m_isSettled = false;
    Outcome m_outcome;
};

}  // namespace

Outcome simulate(std::uint64_t seed, Mutation mutation)
{
    return Simulation(seed, mutation).run();
}

}  // namespace sweepscope::simulation
