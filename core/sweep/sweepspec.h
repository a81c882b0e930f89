#pragma once

#include "output/metricssection.h"
#include "sweep/parameter.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A sweep as a person defines it: the sweep file (docs/sweep-file.md) as plain values. Holding one says nothing about
/// its being right: validate() does.
namespace sweepscope::sweep {

enum class DimensionKind {
    List,        ///< values = [32, 64]            numbers, one after the other
    Choice,      ///< values = ["sgd", "adam"]     strings or booleans: categorical
    Linear,      ///< { float = [0.0, 0.99], points = 3 }
    Log,         ///< { log = [1e-4, 1e-1], points = 4 }
    Integer,     ///< { int = [1, 9], step = 2 }
    LogInteger,  ///< { int = [16, 4096], log = true, points = 9 }
    Stepped,     ///< { float = [0.0, 0.5], step = 0.05 }
    Normal,      ///< { normal = [0.0, 1.0], points = 5 }       mean and standard deviation
    LogNormal,   ///< { log_normal = [-7.0, 1.5], points = 5 }  of the value's natural logarithm
};

inline bool isWhole(DimensionKind kind)
{
    return kind == DimensionKind::Integer || kind == DimensionKind::LogInteger;
}

inline bool isNormal(DimensionKind kind)
{
    return kind == DimensionKind::Normal || kind == DimensionKind::LogNormal;
}

/// Whether a parameter can have any number of its range.
inline bool isContinuous(DimensionKind kind)
{
    return kind == DimensionKind::Linear || kind == DimensionKind::Log || isNormal(kind);
}

/// Whether a range shows best on a logarithmic scale.
inline bool isLogarithmic(DimensionKind kind)
{
    return kind == DimensionKind::Log || kind == DimensionKind::LogInteger || kind == DimensionKind::LogNormal;
}

struct Dimension {
    std::string name;
    DimensionKind kind = DimensionKind::List;
    std::vector<ParameterValue> values;  ///< List, Choice
    double low = 0;                      ///< of a range, inclusive; for Normal, LogNormal setNormal() sets it
    double high = 0;
    int points = 0;  ///< of continuous ranges: grid points; LogInteger: values. 0 = not given (an error for a grid)
    std::int64_t step = 1;  ///< Integer
    double spacing = 0;     ///< Stepped: between two values, from `low` on
    double mean = 0;        ///< Normal, LogNormal
    double deviation = 0;
    std::string when;  ///< condition over parameters declared before; empty = always

    bool operator==(const Dimension &) const = default;
};

enum class Goal { Minimize, Maximize };
enum class SearchMethod { Grid, Random, Sobol, Tpe, Gp, Cmaes, Nsga2, Pbt, Auto, Command, Optuna };
enum class WorkerKind { Builtin, Command };
enum class DeviceKind { Auto, Gpu, Cpu };

/// A further objective: a metric that the trials report.
struct Objective {
    std::string name;
    Goal goal = Goal::Minimize;

    bool operator==(const Objective &) const = default;
};

struct Constraint {
    std::string name;
    std::string expression;

    bool operator==(const Constraint &) const = default;
};

using output::MetricsSection;
using output::OutputFormat;

/// How often a trial is tried again after one kind of failure.
struct RetryRule {
    int times = 0;
    /// Before the first retry; doubles with each further one. Empty = as where there is no rule.
    std::optional<std::chrono::seconds> wait;

    bool operator==(const RetryRule &) const = default;
};

/// What is done about an attempt that does not go on, or that failed.
struct AttemptPolicy {
    double hangFactor = 5;                   ///< times the longest time between two steps; 0 = never
    std::chrono::seconds hangAfter{300};     ///< at least
    std::chrono::seconds exitGrace{60};      ///< for ranks that wait when another has ended well; 0 = without end
    std::map<std::string, RetryRule> retry;  ///< by kind of failure (failureKinds()), instead of RunSection::retries

    bool operator==(const AttemptPolicy &) const = default;
};

/// As a sweep file names them: "out_of_memory", "hang", …
const std::vector<std::string> &failureKinds();

/// Whether a command's Python scripts are watched (packaging/python/sweepscope/watch.py).
enum class Watch {
    Auto,  ///< where the agent does not read their output
    Off,
};

struct RunSection {
    WorkerKind worker = WorkerKind::Builtin;
    std::vector<std::string> command;                ///< argv with {parameter} placeholders; no shell
    std::map<std::string, ParameterValue> settings;  ///< built-in worker: dataset, model, epochs, … (builtinsettings.h)
    std::map<std::string, std::string> environment;
    std::string environmentFile;  ///< NAME=VALUE lines, read when an attempt starts; relative to the sweep file
    std::string workingFolder;    ///< relative to the sweep file; empty = the sweep file's folder
    int ranks = 1;
    bool distributed = false;                     ///< of a command with one rank: torchrun's environment all the same
    Watch watch = Watch::Auto;                    ///< of a command
    std::string backend = "auto";                 ///< gloo | nccl | auto
    std::optional<std::chrono::seconds> timeout;  ///< of one attempt
    int retries = 0;                              ///< further attempts after the first one failed
    AttemptPolicy policy;
    std::optional<MetricsSection> metrics;  ///< of a command

    bool operator==(const RunSection &) const = default;
};

/// What is done about a GPU on which processes compute that belong to no trial of ours.
enum class ForeignPolicy {
    Avoid,   ///< wait until they are gone
    Share,   ///< take it where nothing else is free and memory is left
    Ignore,  ///< as if they were not there
};

enum class CpuAffinity {
    Auto,  ///< ranks keep to cores of their own, where there is one for each
    Off,
};

struct DevicesSection {
    DeviceKind kind = DeviceKind::Auto;
    int perRank = 1;
    int concurrent = 1;  ///< trials at once, at most
    int cpuSlots = 0;    ///< CPU: ranks that may run at once; 0 = the number of cores
    ForeignPolicy foreign = ForeignPolicy::Avoid;
    std::vector<std::string> pin;      ///< GPUs, only these, by index, UUID, bus id or name; empty = all
    std::vector<std::string> exclude;  ///< GPUs, not these
    int perGpu = 1;                    ///< ranks that a GPU takes at once; 0 = as many as fit, by measured memory
    std::uint64_t memoryBytes = 0;     ///< of a GPU for each rank; 0 = an equal share for each of perGpu
    int coresPerRank = 0;              ///< cores, and threads, of each rank; 0 = a fair share
    CpuAffinity affinity = CpuAffinity::Auto;
    /// Machines that trials may use, by name; empty: this one. "localhost" is this one, too, and "*" is all.
    std::vector<std::string> machines{};
    int nodes = 1;          ///< machines of one trial, with equal shares of its ranks
    bool preflight = true;  ///< the links between a trial's GPUs are tested before the first trial on them

    bool operator==(const DevicesSection &) const = default;
};

enum class PruneMethod {
    Median,      ///< worse than the median of the trials that came as far
    Percentile,  ///< not among the best `percentile` percent of them
    Halving,     ///< not among the best 1/factor of them (asynchronous successive halving)
    Hyperband,   ///< the same in brackets, which differ in their first rung
    Patience,    ///< without a new best for a while
    Threshold,   ///< a value out of bounds
    Wilcoxon,    ///< significantly worse than the best completed trial at the same steps
    Command,     ///< when another program says so
    Optuna,      ///< the same with `pruner`, which the program of ours for Optuna runs
};

/// Whether another program decides.
inline bool asksProgram(PruneMethod method)
{
    return method == PruneMethod::Command || method == PruneMethod::Optuna;
}

/// With which trials one is compared at a rung.
enum class PrunePeers {
    All,        ///< all that reached it, itself included
    Completed,  ///< those that have completed
};

/// Which value of a trial counts at a rung.
enum class PruneValue {
    Best,  ///< the best until then
    Last,  ///< the first one reported there
};

/// Ends trials early that are behind others at the same step. Trials are compared at rungs: certain steps of the
/// objective, so that little has to be kept of each.
struct PruneSection {
    PruneMethod method = PruneMethod::Median;
    std::int64_t firstStep = 0;  ///< the first rung; 0 = 1, an error where `method` compares trials
    std::int64_t every = 0;      ///< steps between rungs, where they do not grow; 0 = firstStep
    double factor = 3;           ///< Halving, Hyperband: each rung is at this many times the step of the one before
    std::int64_t maxStep = 0;    ///< Hyperband: steps of a whole training; 0 = not given (an error)
    double percentile = 0;       ///< Percentile: percent of the trials that continue; 0 = not given (an error)
    PrunePeers compare = PrunePeers::All;
    PruneValue value = PruneValue::Best;
    int minTrials = 5;                 ///< fewer at a rung are not compared
    int patience = 0;                  ///< rungs without a new best before any rule applies; 0 = no condition
    double minDelta = 0;               ///< by how much a new best must be better
    std::optional<double> above;       ///< a value above it ends the trial, whatever the method
    std::optional<double> below;       ///< a value below it ends the trial, whatever the method
    double pValue = 0.1;               ///< Wilcoxon: how unlikely the difference must be
    bool promote = false;              ///< Halving, Hyperband: a trial that was ended continues once it is good enough
    std::vector<std::string> command;  ///< Command: argv of the program
    std::string pruner = "MedianPruner";  ///< Optuna: class, or a call of it, e.g. "PercentilePruner(25.0)"

    bool operator==(const PruneSection &) const = default;
};

/// When one of them is used up, trials that run go on to their end, and no other starts.
struct BudgetSection {
    std::optional<std::chrono::seconds> time;        ///< since the launch, by the clock
    std::optional<std::chrono::seconds> deviceTime;  ///< of all attempts, times their devices
    std::optional<double> kilowattHours{};           ///< of the GPUs of all attempts

    bool operator==(const BudgetSection &) const = default;
};

/// When the result is good enough, or does not get better: running trials continue to their end, and no other starts.
struct StopSection {
    std::optional<double> target;          ///< value of the objective that a trial must reach
    int patience = 0;                      ///< trials that end one after another without a new best; 0 = no limit
    std::optional<double> minImprovement;  ///< of the objective, expected of the next point

    bool operator==(const StopSection &) const = default;
};

/// The sweep measures how large a batch is worth it: its trials run for so long each, one after the other with rising
/// values, and the first that runs out of memory is the upper bound and no failure.
struct ProbeSection {
    std::string parameter = "batch_size";  ///< the one that has several values
    std::chrono::seconds measure{20};      ///< of each trial, from its first report on

    bool operator==(const ProbeSection &) const = default;
};

struct SweepSpec {
    std::string name;
    std::string objective;
    Goal goal = Goal::Minimize;
    SearchMethod method = SearchMethod::Grid;
    std::vector<std::string> searchCommand;  ///< Command: argv of a program that chooses the points
    std::string sampler = "TPESampler";      ///< Optuna: name of its class
    std::uint64_t seed = 0;
    std::uint64_t trials = 0;  ///< every method but Grid: how many; 0 = until a budget or a stop rule ends the search
    std::vector<std::string> warmStart;  ///< files with results of other sweeps
    int repeats = 1;                     ///< how often a point runs, unless it can hardly become the best
    std::vector<Dimension> space;
    std::vector<Constraint> constraints;
    std::vector<Objective> objectives;           ///< besides `objective`
    std::vector<Constraint> outcomeConstraints;  ///< on what trials report
    RunSection run;
    DevicesSection devices;
    std::optional<PruneSection> prune;
    std::optional<BudgetSection> budget;
    std::optional<StopSection> stop;
    std::optional<ProbeSection> probe;

    bool operator==(const SweepSpec &) const = default;
};

/// Ranks of one trial on one GPU: with Gloo only, because NCCL refuses that, and what "auto" or a command would take
/// is not known before they run.
bool ranksMayShareGpu(const SweepSpec &spec);

}  // namespace sweepscope::sweep
