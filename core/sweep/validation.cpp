#include "sweep/validation.h"

#include "base/environmentname.h"
#include "base/suggestion.h"
#include "sweep/command.h"
#include "sweep/deviceplace.h"
#include "sweep/grid.h"
#include "sweep/keytext.h"
#include "sweep/metricsvalidation.h"
#include "sweep/outcome.h"
#include "sweep/parameterrules.h"
#include "sweep/probe.h"
#include "sweep/searchspace.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

namespace sweepscope::sweep {

namespace {

using Problems = std::vector<Problem>;

bool hasControlCharacter(const std::string &text)
{
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; });
}

/// Each key by itself. What a key says by default is right, though a file may not say it: 0 for "not given".
void checkKeys(const SweepSpec &spec, Problems &problems)
{
    for (const Key &key : keys()) {
        if (key.type == KeyType::Table || key.isSetting() || !hasSection(spec, key.section))
            continue;
        const KeyValue value = getValue(key, spec);
        std::string problem = value == defaultOf(key) ? std::string() : checkValue(key, value);
        if (!problem.empty())
            problems.push_back({key.path(), std::move(problem)});
    }
}

}  // namespace

std::string nameProblem(const std::string &name)
{
    if (name.find_first_not_of(' ') == std::string::npos)
        return "is missing: give the sweep a name, e.g. digits-mlp";
    if (name.size() > 100 || name.find('/') != std::string::npos || hasControlCharacter(name) || name.front() == '.')
        return "becomes part of a folder name: use at most 100 characters, no '/', no control characters, and no '.' "
               "at "
               "the start";
    return {};
}

namespace {

void checkSweepSection(const SweepSpec &spec, Problems &problems)
{
    if (std::string problem = nameProblem(spec.name); !problem.empty())
        problems.push_back({"sweep.name", std::move(problem)});
    if (spec.objective.empty())
        problems.push_back({"sweep.objective", "is missing: name the series to compare trials by, e.g. val_loss"});
    else if (spec.run.worker == WorkerKind::Builtin
             && std::find(builtinObjectives().begin(), builtinObjectives().end(), spec.objective)
                    == builtinObjectives().end())
        problems.push_back({"sweep.objective", "the built-in worker reports no series '" + spec.objective + "'"
                                                   + suggestion(spec.objective, builtinObjectives()) + ": it reports "
                                                   + orList(builtinObjectives())});
    else if (hasControlCharacter(spec.objective))
        problems.push_back({"sweep.objective", "contains a control character"});
}

/// Keys of a section that its method does not use.
void checkMethodKeys(const SweepSpec &spec, const std::string &section, Problems &problems)
{
    const Key &methodKey = *findKey(section + ".method");
    const KeyValue chosen = getValue(methodKey, spec);
    const std::string &method = methodKey.choices[static_cast<std::size_t>(std::get<std::int64_t>(chosen))];
    for (const Key &key : keysOf(section)) {
        const bool isUsed = key.methods.empty() || std::ranges::find(key.methods, method) != key.methods.end();
        if (!isUsed && getValue(key, spec) != defaultOf(key))
            problems.push_back({key.path(), "does not apply to the method " + method + ": remove it"});
    }
}

/// Whether the rule compares a trial with others at a rung.
bool comparesTrials(PruneMethod method)
{
    return method == PruneMethod::Median || method == PruneMethod::Percentile || method == PruneMethod::Halving;
}

/// What population-based training needs: a rule that ends trials, and trials that continue from each other's checkpoints.
void checkPopulation(const SweepSpec &spec, Problems &problems)
{
    const int population = spec.devices.concurrent;
    if (population < 2)
        problems.push_back(
            {"devices.concurrent", "is the population size of the method pbt: use at least 2, preferably 8 or more"});
    if (spec.repeats > 1)
        problems.push_back({"search.repeats", "does not apply to the method pbt: remove it"});
    if (!spec.prune) {
        problems.push_back({"prune", "is required by the method pbt: its rule ends the trials that are replaced, e.g. "
                                     "method = \"percentile\" with percentile = 75 and first_step = 100"});
    } else {
        if (spec.prune->method == PruneMethod::Hyperband || spec.prune->method == PruneMethod::Wilcoxon
            || asksProgram(spec.prune->method))
            problems.push_back({"prune.method",
                                "cannot be hyperband, wilcoxon, command or optuna with the search method "
                                "pbt: use percentile"});
        if (spec.prune->promote)
            problems.push_back({"prune.promote", "does not apply to the search method pbt: remove it"});
        if (population >= 2 && spec.prune->minTrials > population && comparesTrials(spec.prune->method))
            problems.push_back({"prune.min_trials", "is " + std::to_string(spec.prune->minTrials)
                                                        + " and must not exceed the population size, "
                                                        + std::to_string(population) + " (devices.concurrent)"});
        if (comparesTrials(spec.prune->method) && spec.prune->compare == PrunePeers::Completed)
            problems.push_back({"prune.compare", "must be all with the search method pbt"});
    }
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const std::string &name = spec.space[i].name;
        if (name == "seed")
            problems.push_back({dimensionField(spec, i),
                                "cannot be a parameter with the search method pbt: a trial has "
                                "the seed of the one that it continues"});
        if (spec.run.worker == WorkerKind::Builtin && (name == "resume" || name == "checkpoints"))
            problems.push_back({dimensionField(spec, i), "cannot be a parameter with the search method pbt"});
    }
    if (spec.run.worker == WorkerKind::Command)
        return;
    for (const char *const name : {"checkpoints", "resume"}) {
        const auto setting = spec.run.settings.find(name);
        if (setting != spec.run.settings.end() && setting->second == ParameterValue(false))
            problems.push_back({"run." + std::string(name), "must be true with the search method pbt"});
    }
    const auto mayChange = [](const Dimension &dimension) { return changesInTraining(dimension.name); };
    if (!spec.space.empty() && std::ranges::none_of(spec.space, mayChange))
        problems.push_back({"space", "has no parameter that can change during training, which the search method pbt "
                                     "needs: lr, momentum, weight_decay, dropout, decay_factor, clip_norm or "
                                     "label_smoothing"});
}

/// Whether it looks like `package.Class` or `package.Class(...)`.
bool namesClass(std::string_view text)
{
    const auto isNamePart = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
    const std::string_view name = text.substr(0, text.find('('));
    return !name.empty() && std::ranges::all_of(name, isNamePart) && (name.size() == text.size() || text.back() == ')');
}

void checkSearchSection(const SweepSpec &spec, Problems &problems)
{
    checkMethodKeys(spec, "search", problems);
    if (spec.method == SearchMethod::Command && spec.searchCommand.empty())
        problems.push_back({"search.command", "is required by the method command: the program that chooses the points, "
                                              "e.g. [\"python3\", \"sampler.py\"]"});
    if (spec.method == SearchMethod::Optuna && !namesClass(spec.sampler))
        problems.push_back({"search.sampler", "must be a class, e.g. TPESampler or TPESampler(n_startup_trials=20)"});
    if (spec.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        problems.push_back({"search.seed", "is too large for a sweep file: use at most 2^63 - 1"});
    if (spec.method == SearchMethod::Grid && spec.trials > 0)
        problems.push_back(
            {"search.trials",
             "does not apply to a grid, which runs every combination: remove it, or use another search method"});
    if (spec.repeats > 1 && spec.method != SearchMethod::Grid && spec.trials > 0
        && spec.trials < static_cast<std::uint64_t>(spec.repeats))
        problems.push_back({"search.trials", "is less than the repeats of one point: ask for more trials"});
    const auto isSeed = [](const Dimension &dimension) { return dimension.name == "seed"; };
    if (spec.repeats > 1 && std::ranges::any_of(spec.space, isSeed))
        problems.push_back(
            {"search.repeats", "gives every run of a point its own seed, and seed is a parameter: remove one"});
    if (spec.repeats > 1 && spec.probe)
        problems.push_back({"search.repeats", "does not apply to a probe: remove it"});
    if (spec.method == SearchMethod::Pbt)
        checkPopulation(spec, problems);
    if (spec.method != SearchMethod::Grid && spec.trials == 0 && !spec.budget && !spec.stop)
        problems.push_back(
            {"search.trials", "the search needs an end: add a number of trials, a budget, or a stop rule"});
}

/// Which parameters the texts of [run] name, and what is wrong with the names.
class NamedParameters {
public:
    NamedParameters(const SweepSpec &spec, Problems &problems) : m_problems(problems)
    {
        for (const Dimension &dimension : spec.space)
            m_known.push_back(dimension.name);
    }

    void read(const std::string &text, const std::string &field)
    {
        const auto names = placeholders(text);
        if (!names || text.find('\0') != std::string::npos) {
            m_problems.push_back({field, names ? "contains a zero byte" : names.error().message});
            m_allRead = false;
            return;
        }
        for (const std::string &name : *names) {
            if (std::find(m_known.begin(), m_known.end(), name) == m_known.end() && !m_named.contains(name))
                m_problems.push_back(
                    {field, "uses {" + name + "}, but there is no parameter '" + name + "'" + suggestion(name, m_known)
                                + ": add it to the search space, or write {{" + name + "}} for the literal text"});
            m_named.insert(name);
        }
    }

    bool allRead() const { return m_allRead; }
    bool has(const std::string &name) const { return m_named.contains(name); }

private:
    Problems &m_problems;
    std::vector<std::string> m_known{"seed", "ranks"};
    std::set<std::string> m_named;
    bool m_allRead = true;
};

void checkCommand(const SweepSpec &spec, Problems &problems)
{
    const std::vector<std::string> &command = spec.run.command;
    if (command.empty() || command.front().empty()) {
        problems.push_back({"run.command", "enter a command, for example python3 train.py --lr {lr}"});
        return;
    }
    NamedParameters named(spec, problems);
    for (const std::string &argument : command)
        named.read(argument, "run.command");
    for (const auto &[name, value] : spec.run.environment)
        named.read(value, "run.environment." + name);
    named.read(spec.run.workingFolder, "run.working_folder");
    if (spec.run.metrics)  // its parameters do not reach the command
        NamedParameters(spec, problems).read(spec.run.metrics->tensorboard, "run.metrics.tensorboard");
    // A command that names no parameter reads them itself: from SWEEPSCOPE_PARAMS, as run.params in Python does. In one
    // that names some, another that it does not name was forgotten.
    const bool namesAny = std::any_of(spec.space.begin(), spec.space.end(), [&](const Dimension &dimension) {
        return dimension.name != "ranks" && named.has(dimension.name);
    });
    for (std::size_t i = 0; named.allRead() && namesAny && i < spec.space.size(); ++i) {
        const std::string &name = spec.space[i].name;
        if (checkParameterName(name).empty() && name != "ranks" && !named.has(name))
            problems.push_back(
                {dimensionField(spec, i),
                 "is not used by the command, which uses other parameters, so its trials would be identical: add {"
                     + name + "} to the command or the environment, or remove it"});
    }
}

void checkWorker(const SweepSpec &spec, Problems &problems)
{
    if (spec.run.worker == WorkerKind::Builtin) {
        if (!spec.run.command.empty())
            problems.push_back(
                {"run.command", "cannot be combined with the built-in worker: remove worker = \"builtin\" or command"});
        checkBuiltinSettings(spec, problems);
    } else {
        checkCommand(spec, problems);
        for (const auto &setting : spec.run.settings)
            problems.push_back({"run." + setting.first, "is a setting of the built-in worker, but this sweep runs a "
                                                        "command: pass it in command, or remove it"});
    }
    checkReservedParameters(spec, problems);
}

void checkRetry(const AttemptPolicy &policy, Problems &problems)
{
    for (const auto &[kind, rule] : policy.retry) {
        const std::string field = "run.retry." + kind;
        if (std::ranges::find(failureKinds(), kind) == failureKinds().end())
            problems.push_back({field, "is not a kind of failure" + suggestion(kind, failureKinds()) + ": it can be "
                                           + orList(failureKinds())});
    }
}

void checkRunSection(const SweepSpec &spec, Problems &problems)
{
    const RunSection &run = spec.run;
    if (run.backend == "nccl" && spec.devices.kind == DeviceKind::Cpu)
        problems.push_back({"run.backend", "nccl needs GPUs, but the devices are CPU slots: use gloo, or GPUs"});
    if (run.worker == WorkerKind::Builtin && run.workingFolder.find('\0') != std::string::npos)
        problems.push_back({"run.working_folder", "contains a zero byte"});
    if (run.environmentFile.find('\0') != std::string::npos)
        problems.push_back({"run.environment_file", "contains a zero byte"});
    for (const auto &[name, value] : run.environment) {
        const std::string key = "run.environment." + name;
        if (!isEnvironmentName(name))
            problems.push_back(
                {key, "a variable's name must consist of letters, digits and _, and not begin with a digit"});
        else if (isSetForRanks(name))
            problems.push_back(
                {key, "Sweepscope sets this variable for each rank; remove it"
                          + std::string(name == "CUDA_VISIBLE_DEVICES" ? ", and choose GPUs with devices.pin" : "")});
        else if (run.worker == WorkerKind::Builtin && value.find('\0') != std::string::npos)
            problems.push_back({key, "contains a zero byte"});
    }
    checkRetry(run.policy, problems);
    checkMetrics(spec, problems);
    checkWorker(spec, problems);
}

void checkGpuKeys(const DevicesSection &devices, Problems &problems)
{
    for (const auto &[key, list] : {std::pair("pin", &devices.pin), std::pair("exclude", &devices.exclude)}) {
        for (const std::string &entry : *list) {
            const bool isNegative = !entry.empty() && entry.front() == '-';
            if (entry.empty() || isNegative || hasControlCharacter(entry))
                problems.push_back(
                    {"devices." + std::string(key),
                     "'" + entry
                         + "' cannot name a GPU: use its index, UUID, bus id or name; `sweepctl devices` lists them"});
        }
    }
    const bool saysGpu =
        devices.perGpu != 1 || devices.memoryBytes > 0 || !devices.pin.empty() || !devices.exclude.empty();
    if (saysGpu && devices.kind == DeviceKind::Cpu)
        problems.push_back(
            {"devices.kind",
             "is cpu, but per_gpu, memory, pin and exclude only apply to GPUs: remove them, or use gpu"});
}

void checkMachineKeys(const SweepSpec &spec, Problems &problems)
{
    std::set<std::string> named;
    for (const std::string &machine : spec.devices.machines) {
        if (machine != allMachines && machine != thisMachine && !isMachineName(machine))
            problems.push_back({"devices.machines", "'" + machine
                                                        + "' cannot name a machine: use letters, digits, "
                                                          "'-', '_' and '.', \"localhost\" or \"*\""});
        if (!named.insert(machine).second)
            problems.push_back({"devices.machines", "names '" + machine + "' twice"});
    }
    const int nodes = spec.devices.nodes;
    if (nodes > 1 && spec.run.ranks % nodes != 0)
        problems.push_back({"devices.nodes", "must divide run.ranks, which is " + std::to_string(spec.run.ranks)});
    if (!usesOtherMachines(spec.devices))
        return;
    if (spec.run.worker == WorkerKind::Builtin)
        problems.push_back({"devices.machines", "the built-in worker runs on this machine only; use run.command"});
    if (spec.method == SearchMethod::Pbt)
        problems.push_back({"devices.machines", "cannot name other machines with the method pbt, whose trials continue "
                                                "from each other's checkpoints"});
    if (!spec.run.environmentFile.empty())
        problems.push_back({"run.environment_file", "is not sent to other machines (devices.machines): set the "
                                                    "variables in the machine's `setup`"});
    if (spec.run.workingFolder.starts_with('/'))
        problems.push_back({"run.working_folder", "must be relative to the sweep file, whose folder is sent to other "
                                                  "machines (devices.machines)"});
}

/// Keys of [prune] that the method does not use, or lacks.
void checkPrune(const SweepSpec &spec, Problems &problems)
{
    const PruneSection &prune = *spec.prune;
    checkMethodKeys(spec, "prune", problems);
    const auto require = [&](bool isGiven, const char *name, const std::string &why) {
        if (!isGiven)
            problems.push_back({"prune." + std::string(name), "is required " + why});
    };
    const bool startsAtOnce = prune.method == PruneMethod::Patience || prune.method == PruneMethod::Threshold
                              || prune.method == PruneMethod::Wilcoxon || asksProgram(prune.method);
    require(startsAtOnce || prune.firstStep != 0, "first_step",
            "and must be above 0: the step of the objective at which trials are compared first, e.g. 100");
    require(prune.method != PruneMethod::Percentile || prune.percentile != 0, "percentile",
            "by the method percentile: the percentage of trials that continue, e.g. 25");
    require(prune.method != PruneMethod::Patience || prune.patience != 0, "patience",
            "by the method patience: comparisons without a new best, e.g. 5");
    require(prune.method != PruneMethod::Command || !prune.command.empty(), "command",
            "by the method command: the program that decides, e.g. [\"python3\", \"pruner.py\"]");
    if (prune.method == PruneMethod::Optuna && !namesClass(prune.pruner))
        problems.push_back({"prune.pruner", "must be a class, e.g. MedianPruner or PercentilePruner(25.0)"});
    require(prune.method != PruneMethod::Threshold || prune.above || prune.below, "above",
            "by the method threshold, unless there is a lower bound");
    if (prune.method == PruneMethod::Hyperband && prune.maxStep < prune.firstStep)
        problems.push_back({"prune.max_step", prune.maxStep == 0
                                                  ? "is required by the method hyperband: the steps of a whole "
                                                    "training, e.g. 8100"
                                                  : "must not be below the first step"});
    if (prune.above && prune.below && *prune.above <= *prune.below)
        problems.push_back({"prune.above", "must be above the lower bound"});
}

void checkStop(const SweepSpec &spec, Problems &problems)
{
    const StopSection &stop = *spec.stop;
    if (stop == StopSection())
        problems.push_back({"stop", "has no rule: add a target, a patience or a min_improvement, or remove it"});
    if (stop.minImprovement && *stop.minImprovement <= 0)
        problems.push_back({"stop.min_improvement", "must be above 0"});
    if (stop.minImprovement && spec.method != SearchMethod::Gp && spec.method != SearchMethod::Auto)
        problems.push_back({"stop.min_improvement",
                            "needs a search that predicts improvements: use the method gp or auto, or remove it"});
}

/// Several objectives, and constraints on what trials report.
void checkOutcome(const SweepSpec &spec, Problems &problems)
{
    std::set<std::string> names{spec.objective};
    const std::vector<std::string> &builtin = builtinObjectives();
    for (std::size_t i = 0; i < spec.objectives.size(); ++i) {
        const Objective &objective = spec.objectives[i];
        const std::string field = entryField("objectives", objective.name, i);
        const bool isBuiltin = spec.run.worker == WorkerKind::Builtin;
        if (objective.name.empty())
            problems.push_back({field, "this objective has no name: name a metric that trials report, e.g. latency"});
        else if (!names.insert(objective.name).second)
            problems.push_back({field, "is an objective already"});
        else if (isBuiltin && std::ranges::find(builtin, objective.name) == builtin.end())
            problems.push_back({field, "is not reported by the built-in worker; it reports " + orList(builtin)});
    }
    if (!spec.objectives.empty() && (spec.method == SearchMethod::Gp || spec.method == SearchMethod::Cmaes))
        problems.push_back({"search.method", "supports one objective: for several, use tpe, nsga2 or auto"});
    if (!spec.objectives.empty() && !spec.warmStart.empty())
        problems.push_back({"search.warm_start", "supports one objective: remove it, or [objectives]"});
    if (!spec.objectives.empty() && spec.repeats > 1)
        problems.push_back({"search.repeats", "ranks points by one objective: remove it, or [objectives]"});
    if (!spec.objectives.empty() && spec.prune)
        problems.push_back({"prune", "compares trials by one objective: remove it, or [objectives]"});
    names.clear();
    for (std::size_t i = 0; i < spec.outcomeConstraints.size(); ++i) {
        const Constraint &constraint = spec.outcomeConstraints[i];
        const std::string field = entryField("outcome_constraints", constraint.name, i);
        if (constraint.name.empty())
            problems.push_back({field, "this constraint has no name: give it one, e.g. fits"});
        else if (!names.insert(constraint.name).second)
            problems.push_back({field, "two constraints have this name: rename one"});
        SweepSpec alone;
        alone.outcomeConstraints = {constraint};
        if (const auto compiled = OutcomeConstraints::compile(alone); !compiled)
            problems.push_back({field, compiled.error().message});
    }
}

/// The number of trials. When one constraint alone leaves none, the problem is put at that one.
void checkTrialNumber(const SweepSpec &spec, Problems &problems)
{
    const auto count = countTrials(spec);
    if (count)
        return;
    const char *const field = spec.method == SearchMethod::Grid  ? "space"
                              : spec.method == SearchMethod::Pbt ? "devices.concurrent"
                                                                 : "search.trials";
    Problem problem{field, count.error().message};
    SweepSpec alone = spec;
    alone.constraints.clear();
    if (spec.method == SearchMethod::Grid && countTrials(alone))
        problem.field = "constraints";
    for (std::size_t i = 0; spec.method == SearchMethod::Grid && i < spec.constraints.size(); ++i) {
        alone.constraints = {spec.constraints[i]};
        const auto space = SearchSpace::compile(alone);
        const auto size = space ? Grid(*space).count(0) : Expected<GridSize>(GridSize{1, false});
        if (size && !size->isMore && size->count == 0) {
            problem = {constraintField(spec, i), "leaves no trial: no combination of the parameters satisfies it"};
            break;
        }
    }
    problems.push_back(std::move(problem));
}

}  // namespace

const std::vector<std::string> &failureKinds()
{
    static const std::vector<std::string> kinds{
        "exit_code",  "signal",    "out_of_memory", "not_a_number",    "timed_out",   "hang",
        "early_exit", "lost_peer", "port_taken",    "device_mismatch", "not_started", "lost"};
    return kinds;
}

bool ranksMayShareGpu(const SweepSpec &spec)
{
    return spec.devices.perGpu > 1 && spec.devices.perRank == 1 && spec.run.backend == "gloo";
}

std::vector<Problem> validate(const SweepSpec &spec)
{
    Problems problems;
    checkKeys(spec, problems);
    checkSweepSection(spec, problems);
    checkSearchSection(spec, problems);
    auto space = SearchSpace::compile(spec);
    if (!space)
        problems.insert(problems.end(), space.error().begin(), space.error().end());
    checkRunSection(spec, problems);
    checkOutcome(spec, problems);
    if (spec.prune)
        checkPrune(spec, problems);
    if (spec.budget && *spec.budget == BudgetSection())
        problems.push_back({"budget", "sets no limit: add one, e.g. time = \"8h\", or remove it"});
    if (spec.stop)
        checkStop(spec, problems);
    if (spec.probe)
        checkProbe(spec, problems);
    checkGpuKeys(spec.devices, problems);
    checkMachineKeys(spec, problems);

    const auto hindersCounting = [](const Problem &problem) {
        return problem.field.rfind("space", 0) == 0 || problem.field.rfind("constraints", 0) == 0
               || problem.field.rfind("search", 0) == 0;
    };
    if (std::none_of(problems.begin(), problems.end(), hindersCounting))
        checkTrialNumber(spec, problems);
    return problems;
}

}  // namespace sweepscope::sweep
