#pragma once

#include "engine/attemptlauncher.h"
#include "engine/changelistener.h"
#include "engine/suggestiondesk.h"
#include "simulation/dice.h"
#include "simulation/mutations.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// A machine without processes, disks and clocks: the environment of SweepRun in a simulation. Everything follows from
/// the seed.
namespace sweepscope::simulation {

enum class Fate { Completes, Fails, RunsOutOfMemory, LosesAgent };

/// A report of rank 0.
struct Report {
    std::int64_t step = 0;
    double loss = 0;
    double accuracy = 0;
};

/// An agent with its ranks. It outlives the engine.
struct Agent {
    std::string id;
    int trial = 0;
    int number = 0;
    pid_t pid = 0;
    std::vector<std::string> devices;
    WallNs created = 0;  ///< by the wall clock
    bool savesCheckpoints = false;
    Fate fate = Fate::Completes;
    int steps = 0;  ///< until it ends
    std::int64_t firstStep = 1;
    std::int64_t checkpointEvery = 1;
    WallNs ranksAt = 0;  ///< steady time
    WallNs stepEvery = 0;
    WallNs stopsAt = 0;  ///< 0: not asked to stop
    bool isSaving = false;
    bool isFrozen = false;
    bool ranksStarted = false;
    WallNs nextStepAt = 0;
    std::vector<Report> reports;
    std::optional<engine::AttemptEnd> end;
    WallNs seenFrom = 0;  ///< when the engine sees its end
};

/// Reports that an engine has read in one go: `from` to `to` of the attempt, excluding `to`.
struct Reading {
    int trial = 0;
    std::string attempt;
    std::size_t from = 0;
    std::size_t to = 0;
    bool hasEnded = false;  ///< the attempt has a verdict
};

/// Steady time, the wall clock, and all agents.
class World {
public:
    World(Dice &seeded, Mutation mutated) : dice(seeded), mutation(mutated) {}

    WallNs steady = 1'000'000'000;
    WallNs clockOffset = 1'700'000'000'000'000'000;
    WallNs wall() const { return steady + clockOffset; }

    /// Lets agents make their steps and end.
    void advance(WallNs duration);
    void step(Agent &agent);
    static bool isAlive(const Agent &agent) { return !agent.end.has_value(); }

    Dice &dice;
    Mutation mutation;
    std::map<std::string, Agent> agents;      ///< by attempt id
    std::map<int, std::int64_t> checkpoints;  ///< by trial: the step of the last one
    std::vector<Reading> readings;            ///< in order, until they are taken
    std::function<void(const Agent &)> began;
    std::function<void(const std::string &)> seen;  ///< an engine has read how an attempt ended
    bool startsFail = false;
    bool resumes = false;  ///< agents resume from the last checkpoint
    std::uint64_t events = 0;
};

class SimulatedLauncher : public engine::AttemptLauncher {
public:
    explicit SimulatedLauncher(World &world) : m_world(world) {}

    int nextAttempt(const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial) const override;
    std::string makeAttemptId(const sweep::SweepRecord &sweep, int trial, int attempt) const override;
    Expected<std::optional<launch::ProcessIdentity>>
    start(const sweep::SweepRecord &sweep, const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
          const std::string &attemptId, const schedule::Allocation &devices, std::span<const int> leases) override;
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

/// Requests wait until the simulation answers them.
class SimulatedSuggester : public engine::Suggester {
public:
    void request(engine::SuggestionRequest request) override { requests.push_back(std::move(request)); }
    void request(engine::VerdictRequest) override {}
    void remove(std::int64_t sweepId) override { desk.remove(sweepId); }
    /// With its engine.
    void clear()
    {
        requests.clear();
        desk = engine::SuggestionDesk({}, neverCancelled);
    }

    std::deque<engine::SuggestionRequest> requests;
    const std::atomic<bool> neverCancelled = false;
    engine::SuggestionDesk desk{{}, neverCancelled};
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
