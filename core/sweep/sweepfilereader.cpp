#include "sweep/sweepfilereader.h"

#include "base/suggestion.h"
#include "sweep/builtinsettings.h"
#include "sweep/bytesize.h"
#include "sweep/dimensionreader.h"
#include "sweep/metricsreader.h"
#include "sweep/policyreader.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

void readSweep(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    TomlSection section(table, "sweep", findings);
    spec.name = section.text("name", "\"digits-mlp\"").value_or("");
    spec.objective = section.text("objective", "\"val_loss\"").value_or("");
    const auto goal = section.choice("goal", {"minimize", "maximize"});
    spec.goal = goal == 1U ? Goal::Maximize : Goal::Minimize;
    const bool growsWithQuality =
        spec.objective.find("accuracy") != std::string::npos || spec.objective.find("per_second") != std::string::npos;
    if (!table.contains("goal") && growsWithQuality)
        findings.report("sweep.goal", table.source(),
                        "is missing, and without it the smallest " + spec.objective
                            + " would be the best: write goal = \"maximize\"");
    section.finish();
}

void readSearch(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    TomlSection section(table, "search", findings);
    const auto seed = section.whole("seed");
    if (seed && *seed < 0)
        findings.report("search.seed", table.get("seed")->source(), "is negative: use a whole number from 0");
    else
        spec.seed = static_cast<std::uint64_t>(seed.value_or(0));
    const auto trials = section.whole("trials");
    if (trials && *trials < 1)
        findings.report("search.trials", table.get("trials")->source(), "must be at least 1");
    else
        spec.trials = static_cast<std::uint64_t>(trials.value_or(0));
    const auto method = section.text("method", "\"grid\"");
    section.finish();
    if (!method || *method == "grid")
        return;
    spec.method = SearchMethod::Random;
    if (*method == "random")
        return;
    const std::vector<std::string> later{"sobol", "tpe", "halton", "bayes", "cmaes", "asha", "hyperband"};
    const bool isLater = std::find(later.begin(), later.end(), *method) != later.end();
    findings.report("search.method", table.get("method")->source(),
                    "'" + *method + "' is not "
                        + (isLater ? "available" : "a known method" + suggestion(*method, {"grid", "random"}))
                        + ": use grid or random");
}

void readConstraints(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    for (const auto &[key, node] : inFileOrder(table)) {
        Constraint constraint{std::string(key->str()), {}};
        const std::string field = "constraints." + constraint.name;
        findings.note(field, *node);
        if (const auto *text = node->as_string())
            constraint.expression = text->get();
        else
            findings.report(field, node->source(),
                            "is " + kindOf(*node)
                                + " where an expression in quotes belongs, e.g. "
                                  "\"batch_size * ranks <= 256\"");
        spec.constraints.push_back(std::move(constraint));
    }
}

void readEnvironment(TomlSection &section, RunSection &run, Findings &findings)
{
    const toml::node *node = section.find("environment");
    if (node == nullptr)
        return;
    const auto *table = node->as_table();
    if (table == nullptr) {
        findings.report("run.environment", node->source(),
                        "is " + kindOf(*node)
                            + ": write a table, environment = { NAME "
                              "= \"value\" }");
        return;
    }
    for (const auto &[key, value] : inFileOrder(*table)) {
        const std::string field = "run.environment." + std::string(key->str());
        findings.note(field, *value);
        if (const auto *text = value->as_string())
            run.environment[std::string(key->str())] = text->get();
        else
            findings.report(field, value->source(),
                            "is " + kindOf(*value) + " where a text belongs: write the value in quotes");
    }
}

std::optional<ParameterValue> settingValue(const BuiltinSetting &setting, const toml::node &node)
{
    if (const auto *whole = node.as_integer()) {
        if (setting.type == SettingType::Float)
            return static_cast<double>(whole->get());
        return whole->get();
    }
    if (const auto *real = node.as_floating_point())
        return real->get();
    if (const auto *boolean = node.as_boolean())
        return boolean->get();
    if (const auto *text = node.as_string())
        return text->get();
    return std::nullopt;
}

void readSettings(TomlSection &section, RunSection &run, Findings &findings)
{
    for (const BuiltinSetting &setting : builtinSettings()) {
        const toml::node *node = section.find(setting.name);
        if (node == nullptr)
            continue;
        if (auto value = settingValue(setting, *node))
            run.settings[setting.name] = std::move(*value);
        else
            findings.report(section.fieldOf(setting.name), node->source(),
                            "is " + kindOf(*node) + ", but [run] holds fixed values"
                                + (node->is_array() ? ": to search several, move it to [space]" : ""));
    }
}

void readRun(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    TomlSection section(table, "run", findings);
    RunSection &run = spec.run;
    const auto worker = section.choice("worker", {"builtin", "command"});
    run.command = section.texts("command", "[\"python3\", \"train.py\"]").value_or(std::vector<std::string>());
    const bool isCommand = worker ? *worker == 1 : table.contains("command");
    run.worker = isCommand ? WorkerKind::Command : WorkerKind::Builtin;
    run.ranks = section.number("ranks").value_or(run.ranks);
    run.backend = section.text("backend", "\"auto\"").value_or(run.backend);
    run.retries = section.number("retries").value_or(run.retries);
    run.workingFolder = section.text("working_folder", "\"experiments\"").value_or("");
    run.timeout = section.duration("timeout");
    readPolicy(section, run.policy, findings);
    readEnvironment(section, run, findings);
    if (const toml::node *metrics = section.find("metrics"))
        run.metrics = readMetrics(*metrics, findings);
    readSettings(section, run, findings);
    section.finish();
}

/// Indexes and names: [0, "GPU-8a7c", "H200"].
std::vector<std::string> readGpus(TomlSection &section, const char *key, Findings &findings)
{
    std::vector<std::string> entries;
    const toml::node *node = section.find(key);
    const auto *list = node != nullptr ? node->as_array() : nullptr;
    if (node != nullptr && list == nullptr)
        findings.report(section.fieldOf(key), node->source(),
                        "is " + kindOf(*node) + ": write a list of indexes and names, e.g. " + key
                            + " = [0, \"GPU-8a7c\"]");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const toml::node &entry = *list->get(i);
        if (const auto *index = entry.as_integer())
            entries.push_back(std::to_string(index->get()));
        else if (const auto *name = entry.as_string())
            entries.push_back(name->get());
        else
            findings.report(section.fieldOf(key), entry.source(),
                            "has " + kindOf(entry) + " in it: a GPU is named by its index, or by UUID, bus id or name "
                                + "in quotes");
    }
    return entries;
}

std::uint64_t readMemory(TomlSection &section, Findings &findings)
{
    const auto text = section.text("memory", "\"10 GiB\"");
    const auto bytes = text ? parseBytes(*text) : std::optional<std::uint64_t>(0);
    if (!bytes || (text && *bytes == 0))
        findings.report(section.fieldOf("memory"), section.find("memory")->source(),
                        "is no size: write a number and a unit, e.g. \"10 GiB\" or \"500 MB\"");
    return bytes.value_or(0);
}

void readDevices(const toml::table &table, SweepSpec &spec, Findings &findings)
{
    TomlSection section(table, "devices", findings);
    DevicesSection &devices = spec.devices;
    constexpr DeviceKind kinds[] = {DeviceKind::Auto, DeviceKind::Gpu, DeviceKind::Cpu};
    if (const auto kind = section.choice("kind", {"auto", "gpu", "cpu"}))
        devices.kind = kinds[*kind];
    devices.perRank = section.number("per_rank").value_or(devices.perRank);
    devices.concurrent = section.number("concurrent").value_or(devices.concurrent);
    devices.cpuSlots = section.number("cpu_slots").value_or(devices.cpuSlots);
    constexpr ForeignPolicy policies[] = {ForeignPolicy::Avoid, ForeignPolicy::Share, ForeignPolicy::Ignore};
    if (const auto policy = section.choice("foreign", {"avoid", "share", "ignore"}))
        devices.foreign = policies[*policy];
    devices.pin = readGpus(section, "pin", findings);
    devices.exclude = readGpus(section, "exclude", findings);
    devices.perGpu = section.number("per_gpu").value_or(devices.perGpu);
    devices.memoryBytes = readMemory(section, findings);
    devices.coresPerRank = section.number("cores_per_rank").value_or(devices.coresPerRank);
    if (const auto affinity = section.choice("cpu_affinity", {"auto", "off"}))
        devices.bindsToCores = *affinity == 0;
    section.finish();
}

PruneSection readPrune(const toml::table &table, Findings &findings)
{
    TomlSection section(table, "prune", findings);
    PruneSection prune;
    if (section.choice("method", {"median", "halving"}) == 1U)
        prune.method = PruneMethod::Halving;
    prune.firstStep = section.whole("first_step").value_or(prune.firstStep);
    prune.every = section.whole("every").value_or(prune.every);
    prune.factor = section.real("factor").value_or(prune.factor);
    prune.minTrials = section.number("min_trials").value_or(prune.minTrials);
    section.finish();
    return prune;
}

ProbeSection readProbe(const toml::table &table, Findings &findings)
{
    TomlSection section(table, "probe", findings);
    ProbeSection probe;
    probe.parameter = section.text("parameter", "\"batch_size\"").value_or(probe.parameter);
    probe.measure = section.duration("measure").value_or(probe.measure);
    section.finish();
    return probe;
}

/// Nothing when all that it says is a mistake, which is told already.
std::optional<BudgetSection> readBudget(const toml::table &table, Findings &findings)
{
    TomlSection section(table, "budget", findings);
    const bool saysTime = table.contains("time") || table.contains("device_time");
    BudgetSection budget;
    budget.time = section.duration("time");
    budget.deviceTime = section.duration("device_time");
    section.finish();
    return saysTime && budget == BudgetSection() ? std::nullopt : std::optional(budget);
}

const toml::table *sectionTable(TomlSection &file, const char *name, Findings &findings)
{
    const toml::node *node = file.find(name);
    if (node == nullptr)
        return nullptr;
    if (const auto *table = node->as_table())
        return table;
    findings.report(name, node->source(),
                    "is " + kindOf(*node) + ", but must be a section: [" + std::string(name) + "]");
    return nullptr;
}

}  // namespace

SweepSpec readSections(const toml::table &file, Findings &findings)
{
    SweepSpec spec;
    Findings outer;  // fields of the outermost table have no dot before them
    TomlSection sections(file, "", outer);
    const auto *sweep = sectionTable(sections, "sweep", findings);
    const auto *search = sectionTable(sections, "search", findings);
    const auto *space = sectionTable(sections, "space", findings);
    const auto *constraints = sectionTable(sections, "constraints", findings);
    const auto *run = sectionTable(sections, "run", findings);
    const auto *devices = sectionTable(sections, "devices", findings);
    const auto *prune = sectionTable(sections, "prune", findings);
    const auto *budget = sectionTable(sections, "budget", findings);
    const auto *probe = sectionTable(sections, "probe", findings);
    sections.finish();
    for (const auto &[field, place] : outer.places)
        findings.places[field.substr(1)] = place;
    findings.problems.insert(findings.problems.end(), outer.problems.begin(), outer.problems.end());

    if (sweep != nullptr)
        readSweep(*sweep, spec, findings);
    if (search != nullptr)
        readSearch(*search, spec, findings);
    if (space != nullptr)
        spec.space = readSpace(*space, findings);
    if (constraints != nullptr)
        readConstraints(*constraints, spec, findings);
    if (run != nullptr)
        readRun(*run, spec, findings);
    else if (!findings.hasProblem("run"))
        findings.report("run", file.source(),
                        "is missing: a section [run] says what to run, worker = \"builtin\" or "
                        "command = [\"python3\", \"train.py\"]");
    if (devices != nullptr)
        readDevices(*devices, spec, findings);
    if (prune != nullptr)
        spec.prune = readPrune(*prune, findings);
    if (budget != nullptr)
        spec.budget = readBudget(*budget, findings);
    if (probe != nullptr)
        spec.probe = readProbe(*probe, findings);
    return spec;
}

}  // namespace sweepscope::sweep
