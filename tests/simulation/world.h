#pragma once

#include "engine/attemptlauncher.h"
#include "engine/changelistener.h"
#include "engine/sweepstore.h"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

/// A machine without processes, disks and clocks: what SweepRun meets in a simulation. Everything follows from the seed.
namespace sweepscope::simulation {

/// The engine was killed here.
struct Killed {};

/// Draws everything that happens; counts, so that two runs of a seed can be compared.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_random(seed) {}
    int below(int bound);
    bool oneIn(int bound) { return below(bound) == 0; }
    std::uint64_t draws() const { return m_draws; }

private:
    std::mt19937_64 m_random;
    std::uint64_t m_draws = 0;
};

enum class Fate { Completes, Fails, RunsOutOfMemory, LosesAgent };

/// An agent with its ranks. It outlives the engine.
struct Agent {
    std::string id;
    std::int64_t sweep = 0;
    int trial = 0;
    int number = 0;
    pid_t pid = 0;
    bool savesCheckpoints = false;
    Fate fate = Fate::Completes;
    int steps = 0;       ///< until its fate
    WallNs ranksAt = 0;  ///< steady time
    WallNs stepEvery = 0;
    WallNs stopsAt = 0;  ///< 0: not asked to
    bool isFrozen = false;
    bool ranksStarted = false;
    WallNs nextStepAt = 0;
    std::vector<double> values;  ///< of the objective, one for each step
    std::optional<engine::AttemptEnd> end;
    WallNs seenFrom = 0;  ///< its end reaches the engine late
};

/// Steady time, the wall clock, and all agents.
class World {
public:
    explicit World(Dice &seeded) : dice(seeded) {}

    WallNs steady = 1'000'000'000;
    WallNs clockOffset = 1'700'000'000'000'000'000;
    WallNs wall() const { return steady + clockOffset; }

    /// Agents make their steps and end.
    void advance(WallNs duration);
    void step(Agent &agent);
    static bool isAlive(const Agent &agent) { return !agent.end.has_value(); }

    Dice &dice;
    std::map<std::string, Agent> agents;  ///< by attempt id
    bool startsFail = false;
    std::uint64_t events = 0;
};

class SimulatedLauncher : public engine::AttemptLauncher {
public:
    explicit SimulatedLauncher(World &world) : m_world(world) {}

    int nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const override;
    std::string makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const override;
    Expected<launch::ProcessIdentity> start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                            const sweep::TrialRecord &trial, const std::string &attemptId,
                                            const schedule::Allocation &devices, std::span<const int> leases) override;
    std::unique_ptr<engine::AttemptObserver> observe(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec,
                                                     const sweep::TrialRecord &trial, const engine::AttemptRow &attempt,
                                                     engine::ReportedPast past) override;
    std::vector<std::vector<int>> cpusOf(const sweep::SweepRecord &, const engine::AttemptRow &) const override
    {
        return {};
    }
    void tidyAfter(const sweep::SweepRecord &, int, int) const override {}

private:
    World &m_world;
};

/// A store whose writes fail while the disk is full, and before or after one of which the engine is killed.
class FaultyStore : public engine::SweepStore {
public:
    explicit FaultyStore(engine::SweepStore &store) : m_store(store) {}

    bool diskIsFull = false;
    int killBefore = 0;  ///< the write with this number from now on, 1 is the next; 0: none
    int killAfter = 0;
    std::uint64_t writes = 0;

    Expected<void> commit(const sweep::SweepRecord &sweep, const engine::Decision &decision, WallNs time) override
    {
        return write([&] { return m_store.commit(sweep, decision, time); });
    }
    Expected<void> beginAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt) override
    {
        return write([&] { return m_store.beginAttempt(change, attempt); });
    }
    Expected<void> noteAgent(const engine::AttemptRow &attempt) override
    {
        return write([&] { return m_store.noteAgent(attempt); });
    }
    Expected<void> endAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt,
                              const engine::AttemptEnding &ending) override
    {
        return write([&] { return m_store.endAttempt(change, attempt, ending); });
    }
    Expected<void> noteRungs(std::int64_t sweepId, int trial, const std::vector<engine::RungValue> &reached) override
    {
        return write([&] { return m_store.noteRungs(sweepId, trial, reached); });
    }
    Expected<void> forgetRungs(std::int64_t sweepId, int trial) override
    {
        return write([&] { return m_store.forgetRungs(sweepId, trial); });
    }
    Expected<void> updateProgress(const std::vector<const engine::TrialRow *> &trials) override
    {
        return write([&] { return m_store.updateProgress(trials); });
    }
    Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial) override
    {
        return m_store.attempts(sweepId, trial);
    }
    Expected<std::vector<engine::TrialRung>> rungs(std::int64_t sweepId) override { return m_store.rungs(sweepId); }

private:
    template <typename Write>
    Expected<void> write(Write &&body)
    {
        ++writes;
        if (killBefore > 0 && --killBefore == 0)
            throw Killed();
        if (diskIsFull)
            return makeError(ErrorCode::NoSpace, "the simulated disk is full");
        Expected<void> done = body();
        if (killAfter > 0 && --killAfter == 0)
            throw Killed();
        return done;
    }

    engine::SweepStore &m_store;
};

class SilentListener : public engine::ChangeListener {
public:
    void sweepChanged(std::int64_t) override {}
    void trialsChanged(std::int64_t, int, int) override {}
    void devicesChanged() override {}
    void note(const std::string &line) override
    {
        if (line.starts_with("internal error"))
            internalErrors.push_back(line);
    }
    std::vector<std::string> internalErrors;
};

}  // namespace sweepscope::simulation
