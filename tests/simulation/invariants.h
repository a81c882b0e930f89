#pragma once

#include "engine/database.h"
#include "engine/sweeprun.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What must be true of a sweep at all times. Recomputed from the actions of simulated agents and the replies to users,
/// never from the engine's own figures.
namespace sweepscope::simulation {

class World;
struct Agent;
struct Reading;

enum class Invariant {
    NoTrialIsLost,
    MemoryIsTheDatabase,
    HistoryGivesThePresent,
    HistoryOnlyGrows,
    AttemptsEndAsTheirAgents,
    TrialsCompleteOnce,
    StoppedStaysStopped,
    PausedStaysPaused,
    PausedStandsStill,
    OneTrialPerDevice,
    OneAgentPerTrial,
    ConcurrentTrials,
    Retries,
    Budget,
    ResultsAreTheReports,
    BestOfTheSweep,
    PrunedAreBehind,
    FinalTrialsHaveEnded,
    TransitionsAreAllowed,
    DatabaseIsWhole,
    DeviceTime,
    SweepEnds,
    SeedsReplay,
    SearchReplays,
    MeansOfPoints,
    DefinitionIsValid,  ///< the simulator's own
};
std::string toString(Invariant invariant);

struct Violation {
    Invariant invariant = Invariant::NoTrialIsLost;
    std::string detail;
};

/// The limits in the definition.
struct Limits {
    int concurrent = 1;
    int retries = 0;
    std::optional<std::chrono::seconds> time;
    std::optional<std::chrono::seconds> deviceTime;
    std::optional<sweep::PruneSection> prune;
    bool maximize = false;
    std::string method;         ///< of a search; empty: a grid
    std::optional<int> trials;  ///< of a search
    int repeats = 1;
    bool hasObjectives = false;  ///< more than one
};

class Invariants {
public:
    Invariants(World &world, const Limits &limits) : m_world(world), m_limits(limits), m_mostRepeats(limits.repeats) {}

    /// The definition has these limits from now on.
    void allow(const Limits &limits);

    // Replies to users.
    void launched(int trials, WallNs now);
    void acknowledged(const sweep::Control &control, const engine::SweepRun &run);
    void trialsChanged(const engine::SweepRun &run);
    /// A search has added a trial.
    void suggested(const engine::SweepRun &run) { m_trials = static_cast<int>(run.trials().size()); }
    /// The engine was killed before it answered: the request may have been carried out, or not.
    void unanswered();

    // Events.
    void began(const Agent &agent);
    void killed();
    /// Rungs that could not be written are missing when the database is read.
    void rungsLost() { m_areRungsSure = false; }
    void reverseGoal() { m_isGoalReversed = true; }

    /// Call after each step. `isSettled`: the engine has read all reports of agents, and could write the results.
    void check(const engine::SweepRun &run, bool isSettled);
    /// Call after each step that wrote something, before check().
    void checkDatabase(engine::Database &database, const engine::SweepRun &run);
    /// Checks the entire database as a new engine reads it. Slow.
    void checkAll(engine::Database &database, const engine::SweepRun &run);

    std::vector<Violation> violations;

private:
    using Values = std::vector<std::pair<std::int64_t, double>>;  ///< step and objective

    void violated(Invariant invariant, const std::string &detail) { violations.push_back({invariant, detail}); }
    void forgive(int trial);
    void allowQueued(const engine::SweepRun &run);
    void checkTrials(engine::Database &database, const engine::SweepRun &run);
    void checkHistory(engine::Database &database, const engine::SweepRun &run);
    void checkAttempts(engine::Database &database, const engine::SweepRun &run);
    void checkAgents(const engine::SweepRun &run);
    void checkFrozen(const engine::SweepRun &run);
    void checkResults(const std::vector<engine::TrialRow> &trials);
    void checkPruning(const engine::SweepRun &run);
    void checkPromotions(engine::Database &database, const engine::SweepRun &run);
    void judge(const Reading &reading, const engine::SweepRun &run);
    void checkBudget(const Agent &agent);
    void checkBest(engine::Database &database, const engine::SweepRun &run);
    void checkSearch(engine::Database &database, const engine::SweepRun &run);
    void checkMeans(const std::vector<engine::TrialRow> &trials);
    std::vector<const Agent *> attemptsOf(int trial) const;
    std::vector<const Agent *> chainOf(int trial) const;
    Values shownOf(int trial) const;
    std::int64_t rungOf(const Reading &reading) const;
    std::vector<std::int64_t> rungsUpTo(std::int64_t step) const;
    double rankOf(int trial) const;
    std::vector<double> ranksOfPoint(const std::vector<engine::TrialRow> &trials, const engine::TrialRow &one) const;
    double rankAt(const Values &values, std::int64_t rung) const;
    std::vector<double> ranksAt(int trial, std::int64_t rung) const;
    int bracketOf(int trial) const;
    bool isBehind(int trial, std::int64_t rung) const;

    World &m_world;
    Limits m_limits;
    int m_mostRepeats = 1;  ///< of all definitions
    int m_trials = 0;       ///< the number in the reply to users
    WallNs m_launched = 0;
    WallNs m_endedDeviceTime = 0;  ///< of attempts that had ended at the last check
    bool m_mayHaveOthers = false;
    std::set<int> m_stopped;
    std::set<int> m_paused;
    bool m_isPaused = false;
    std::map<int, int> m_failures;               ///< since a user requested a retry
    std::map<std::string, std::size_t> m_shown;  ///< by attempt: how many reports an engine has read
    std::set<std::string> m_counted;
    std::map<int, std::string> m_states;  ///< according to the history
    std::map<int, facts::Fact> m_pruned;  ///< since the last check, and why
    qint64 m_historySeen = 0;
    qint64 m_historyRows = 0;
    bool m_mayHaveDiscarded = false;  ///< an undo removes queued trials with their history
    std::set<std::string> m_openAttempts;
    std::set<int> m_everPruned;
    bool m_areRungsSure = true;
    bool m_isGoalReversed = false;
};

}  // namespace sweepscope::simulation
