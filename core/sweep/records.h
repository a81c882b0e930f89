#pragma once

#include "base/clock.h"
#include "facts/fact.h"
#include "sweep/control.h"
#include "sweep/mark.h"
#include "sweep/metricvalue.h"
#include "sweep/parameter.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What happened to a sweep and its trials, as plain values: the engine stores them, the protocol carries them, models
/// show them, exporters write them.
namespace sweepscope::sweep {

enum class TrialState { Queued, Starting, Running, Paused, Completed, Pruned, Failed, Stopped, Lost };
/// "queued", "starting", … : for the database, CSV and JSON; the window translates its own words.
std::string toString(TrialState state);
std::optional<TrialState> trialStateFromString(const std::string &text);
/// Completed, Pruned, Failed, Stopped, Lost: nothing will change any more without a person's command.
bool isFinal(TrialState state);
/// Starting, Running: its time passes.
bool isUnderWay(TrialState state);

/// Failed: it came to its end, and none of its trials did so with a result.
enum class SweepState { Running, Paused, Stopping, Completed, Stopped, Failed };
std::string toString(SweepState state);
std::optional<SweepState> sweepStateFromString(const std::string &text);
/// Running, Paused, Stopping: an engine looks after it.
bool isActive(SweepState state);
/// Active, and not being stopped already.
bool canBeStopped(SweepState state);

/// Returns the final state of a sweep that was not stopped and whose trials have ended in these states: completed if
/// any trial completed or was pruned (which is a result too), else failed if any failed, else stopped.
SweepState endOf(const std::map<TrialState, int> &counts);

struct ObjectiveValue {
    double value = 0;
    std::int64_t step = 0;
};

/// What the completed trials of one point came to, in a sweep that repeats points.
struct PointMean {
    double value = 0;  ///< mean of their best objectives
    double error = 0;  ///< standard error of the mean; 0 of a single one
    int runs = 0;

    bool operator==(const PointMean &) const = default;
};

struct TrialRecord {
    std::int64_t sweepId = 0;
    int number = 0;  ///< from 1, within the sweep
    TrialState state = TrialState::Queued;
    ParameterSet parameters;
    std::uint64_t seed = 0;
    int ranks = 1;
    int attempts = 0;                  ///< started so far; the present one has this number
    int firstAttempt = 0;              ///< of its chain (trialchain.h); 0: it has reported nothing yet
    std::vector<std::string> devices;  ///< of the last attempt: GPU UUIDs or "cpu:0"
    bool simulated = false;            ///< these are a fake driver's: what was measured on them is no measure
    std::optional<ObjectiveValue> objectiveLast;
    std::optional<ObjectiveValue> objectiveBest;
    std::optional<PointMean> pointMean;    ///< the same for all trials of the point; none without `search.repeats`
    double violation = 0;                  ///< of outcome constraints (outcome.h); 0: all hold
    std::vector<MetricValue> metrics;      ///< all others, in the order in which they were first reported
    std::optional<WallNs> started;         ///< of the first attempt
    std::optional<WallNs> attemptStarted;  ///< of the last one
    std::optional<WallNs> attemptEnded;    ///< of the last one
    std::optional<WallNs> ended;
    WallNs ran = 0;                     ///< how long the attempts before the last one in its chain ran, without pauses
    WallNs paused = 0;                  ///< how long the last attempt lay frozen, without a pause that lasts
    std::optional<WallNs> pausedSince;  ///< the last attempt lies frozen
    std::int64_t step = 0;              ///< last one reported
    double progress = 0;                ///< 0 to 1 where it is known
    int priority = 0;                   ///< of the waiting ones of a sweep the highest starts first
    bool enqueued = false;              ///< the user added it as a single point: no edit removes it
    facts::Fact chosen;                 ///< how a search chose its point; None for all others
    facts::Fact reason;                 ///< queued: what it waits for; failed, stopped, lost: why, first error first
    Mark mark;
};

/// A queued trial that something holds up.
struct HeldTrial {
    int number = 0;
    facts::Fact reason;

    bool operator==(const HeldTrial &) const = default;
};

struct SweepRecord {
    std::int64_t id = 0;
    std::string name;
    std::string folder;  ///< under workspace/sweeps, e.g. "0003-digits-mlp"
    SweepState state = SweepState::Running;
    std::string objective;
    Goal goal = Goal::Minimize;
    std::vector<std::string> parameterNames;  ///< declared order: the parameter columns of tables and CSV
    std::string toml;                         ///< as launched, or as the last edit left it
    std::string baseFolder;                   ///< absolute: relative paths of the sweep start here
    int trialsTotal = 0;                      ///< that there are
    /// Trials that the search is still to add; 0: none, or not a search; nullopt: as many as budget and stop rule allow.
    std::optional<int> trialsToCome = 0;
    int definition = 0;     ///< edits and undos of its definition so far
    int edits = 0;          ///< of its definition, that can still be undone
    bool archived = false;  ///< a person put it out of the way
    Mark mark;
    int priority = 0;                   ///< of those that want devices the highest gets them first
    StopMode stopMode = StopMode::Now;  ///< while it is stopping
    WallNs created = 0;
    std::optional<WallNs> ended;
    WallNs deviceTime = 0;  ///< of all attempts that have ended: how long each ran, times its devices
    WallNs rested = 0;      ///< how long it had ended before it was taken up again, by a retry or an edit
    /// What hampers it at present: a full disk. Not stored: only a running engine knows.
    facts::Facts warnings;
    /// Its next trial and what that waits for, where that is more than its turn. Not stored.
    std::optional<HeldTrial> held;
};

/// How many trials it will have had, as far as is known: nullopt for a search without a number of trials.
std::optional<int> expectedTrials(const SweepRecord &sweep);

/// It had ended, or not, and runs again from now on.
void reopen(SweepRecord &sweep, WallNs now);
/// How long it has been active, or was: without the times between an end and its being taken up again.
double activeSeconds(const SweepRecord &sweep, WallNs now);

/// It was queued when an edit removed its point from the space. A later edit may restore it.
bool isRemoved(const TrialRecord &trial);

/// It was queued when the sweep's budget was spent or its stop rule applied. An edit that changes that restores it.
bool fellToBudget(const TrialRecord &trial);

/// The trial from whose checkpoint one starts that was chosen like this.
std::optional<int> parentOf(const facts::Fact &chosen);

/// Failed, Lost: what it reported before leads to nothing that could be used.
bool brokeDown(TrialState state);
/// Whether a trial may be called a sweep's best: it has a number, violates no constraint, and did not break down.
bool mayBeBest(const TrialRecord &trial);
/// The value by which a trial is ranked: the mean of its point, else the best that it reported; nullopt if it has no number.
std::optional<double> rankedValue(const TrialRecord &trial);
/// Whether the first comes first where the best does. Those that may not be the best come behind, and last those that have
/// no number. Where points are repeated, one that has run more than once comes before one that may have been lucky. A strict weak
/// order.
bool isBetter(const TrialRecord &trial, const TrialRecord &than, Goal goal);

/// Seconds until the sweep is done, `concurrent` trials at a time: from the progress of the running ones where it is
/// known, else from what completed ones took. Excludes paused trials, whose end is unknown. nullopt if there is no basis
/// yet, or the search has no number of trials. `moreWaiting`: queued trials that are not among `trials`.
std::optional<double> estimateSecondsLeft(const SweepRecord &sweep, const std::vector<TrialRecord> &trials,
                                          int concurrent, WallNs now, std::size_t moreWaiting = 0);

}  // namespace sweepscope::sweep
