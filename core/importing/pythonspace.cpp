#include "importing/pythonspace.h"

#include "base/lineprogram.h"
#include "importing/listedvalues.h"
#include "importing/optunasampler.h"
#include "importing/parameternames.h"
#include "importing/sourcefile.h"
#include "importing/wandbspace.h"
#include "sweep/dimensionvalues.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

namespace sweepscope::importing {

namespace {

using Json = nlohmann::json;
using sweep::Dimension;
using sweep::DimensionKind;
using sweep::SearchMethod;

std::string stringAt(const Json &json, const char *key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> numberAt(const Json &json, const char *key)
{
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_number() ? std::optional(found->get<double>())
                                                                         : std::nullopt;
}

/// Within the integers of a sweep file.
std::int64_t integerAt(const Json &json, const char *key, std::int64_t otherwise)
{
    const std::optional<double> number = numberAt(json, key);
    return number
               ? static_cast<std::int64_t>(std::clamp(*number, -sweep::largestExactInteger, sweep::largestExactInteger))
               : otherwise;
}

/// The items of a list; of anything else none.
const Json &listAt(const Json &json, const char *key)
{
    static const Json none = Json::array();
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_array() ? *found : none;
}

std::vector<sweep::ParameterValue> valuesIn(const Json &list)
{
    std::vector<sweep::ParameterValue> values;
    for (const Json &item : list) {
        if (item.is_boolean())
            values.emplace_back(item.get<bool>());
        else if (item.is_number_integer())
            values.emplace_back(item.get<std::int64_t>());
        else if (item.is_number())
            values.emplace_back(item.get<double>());
        else if (item.is_string())
            values.emplace_back(item.get<std::string>());
    }
    return values;
}

void addNotes(const Json &json, ImportedSweep &imported)
{
    for (const Json &note : listAt(json, "notes")) {
        if (note.is_array() && note.size() == 2 && note[0].is_string() && note[1].is_string())
            imported.note(note[0].get<std::string>(), note[1].get<std::string>());
    }
}

class PrintedSpace {
public:
    PrintedSpace(const Json &json, const std::string &program)
        : m_json(json),
          m_settings(json.contains("settings") ? json["settings"] : Json::object()),
          m_isOptuna(stringAt(json, "source") == "optuna")
    {
        m_imported.spec.run.worker = sweep::WorkerKind::Command;
        m_imported.spec.run.command = {"python3", withEscapedBraces(program)};
        const std::string name = stringAt(m_settings, "name");
        m_imported.spec.name = sweepNameOf(name.empty() ? std::filesystem::path(program).stem().string() : name);
    }

    ImportedSweep read()
    {
        for (const Json &problem : listAt(m_json, "problems"))
            m_imported.problems.push_back({stringAt(problem, "field"), stringAt(problem, "message"),
                                           static_cast<int>(integerAt(problem, "line", 0)),
                                           static_cast<int>(integerAt(problem, "column", 0))});
        addNotes(m_json, m_imported);
        for (const Json &parameter : listAt(m_json, "parameters"))
            readParameter(parameter);
        if (m_imported.spec.space.empty() && m_imported.problems.empty())
            m_imported.problems.push_back({{},
                                           "has no literal search space: it calls neither trial.suggest_float() and "
                                           "such, nor functions of ray.tune, "
                                           "nor wandb.sweep()"});
        if (m_isOptuna)
            readStudy();
        else
            readTuner();
        readLimits();
        return std::move(m_imported);
    }

private:
    void readParameter(const Json &json)
    {
        const std::string original = stringAt(json, "name");
        Dimension dimension;
        dimension.name = m_names.nameFor(original);
        const std::string key = "space." + dimension.name;
        if (dimension.name != original)
            m_imported.note(key, "Named " + original + " in the original.");
        for (const Json &note : listAt(json, "notes")) {
            if (note.is_string())
                m_imported.note(key, note.get<std::string>());
        }
        const std::string kind = stringAt(json, "kind");
        if (kind == "values") {
            ListedValues listed = listedValues(valuesIn(listAt(json, "values")));
            dimension.kind = listed.kind;
            dimension.values = std::move(listed.values);
            if (!listed.note.empty())
                m_imported.note(key, listed.note);
        } else if (kind == "normal") {
            sweep::setNormal(dimension, numberAt(json, "mean").value_or(0), numberAt(json, "deviation").value_or(0));
            dimension.kind = DimensionKind::Normal;
        } else {
            readRange(json, kind, dimension);
        }
        dimension.when = stringAt(json, "when");
        m_imported.spec.space.push_back(std::move(dimension));
    }

    static void readRange(const Json &json, const std::string &kind, Dimension &dimension)
    {
        dimension.low = numberAt(json, "low").value_or(0);
        dimension.high = numberAt(json, "high").value_or(0);
        const bool isWhole = kind == "int" || kind == "log_int";
        if (dimension.low == dimension.high) {
            dimension.values = {isWhole ? sweep::ParameterValue(integerAt(json, "low", 0))
                                        : sweep::ParameterValue(dimension.low)};
            return;
        }
        dimension.kind = kind == "int"       ? DimensionKind::Integer
                         : kind == "log_int" ? DimensionKind::LogInteger
                         : kind == "stepped" ? DimensionKind::Stepped
                         : kind == "log"     ? DimensionKind::Log
                                             : DimensionKind::Linear;
        if (kind == "int")
            dimension.step = integerAt(json, "step", 1);
        if (kind == "stepped")
            dimension.spacing = numberAt(json, "step").value_or(0);
    }

    static sweep::Goal goalIn(const Json &text)
    {
        return text == "maximize" ? sweep::Goal::Maximize : sweep::Goal::Minimize;
    }

    void readStudy()
    {
        sweep::SweepSpec &spec = m_imported.spec;
        m_imported.note("run.command",
                        "The script runs once for each trial. Let it read sweepscope.init().params in place of "
                        "trial.suggest_float() and such, and report what its objective returns.");
        spec.objective = "objective";
        m_imported.note("sweep.objective", "What the objective of the original returns: report it under this name.");
        const Json &goals = listAt(m_settings, "goals");
        for (std::size_t i = 0; i < goals.size(); ++i) {
            if (i == 0)
                spec.goal = goalIn(goals[i]);
            else
                spec.objectives.push_back({"objective_" + std::to_string(i + 1), goalIn(goals[i])});
        }
        useSampler(m_imported, stringAt(m_settings, "sampler"), stringAt(m_settings, "arguments"));
        spec.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(0, integerAt(m_settings, "seed", 0)));
        if (const std::string pruner = stringAt(m_settings, "pruner"); !pruner.empty() && spec.objectives.empty()) {
            sweep::PruneSection prune;
            prune.method = sweep::PruneMethod::Optuna;
            prune.pruner = pruner;
            prune.firstStep = 1;
            m_imported.note("prune.method", "Needs Optuna in python3.");
            spec.prune = prune;
        }
    }

    void readTuner()
    {
        sweep::SweepSpec &spec = m_imported.spec;
        m_imported.note("run.command",
                        "The script runs once for each trial. Let it read sweepscope.init().params in place of "
                        "its config, and report metrics with log().");
        spec.objective = stringAt(m_settings, "metric");
        if (spec.objective.empty()) {
            spec.objective = "loss";
            m_imported.note("sweep.objective", "The original names no metric: correct this name.");
        }
        if (stringAt(m_settings, "mode") == "max")
            spec.goal = sweep::Goal::Maximize;
        const bool isGrid = integerAt(m_settings, "drawn", 0) == 0;
        const std::string algorithm = stringAt(m_settings, "algorithm");
        if (isGrid) {
            spec.method = SearchMethod::Grid;
        } else if (algorithm.empty() || algorithm == "BasicVariantGenerator") {
            spec.method = SearchMethod::Random;
            if (integerAt(m_settings, "grid", 1) > 1)
                m_imported.note("search.method", "All parameters are drawn. The original draws the others for each "
                                                 "combination of grid_search().");
        } else {
            spec.method = SearchMethod::Auto;
            m_imported.note("search.method", "In place of " + algorithm + ".");
        }
        const auto prune = m_settings.find("prune");
        if (prune == m_settings.end())
            return;
        sweep::PruneSection section;
        section.method =
            stringAt(*prune, "method") == "median" ? sweep::PruneMethod::Median : sweep::PruneMethod::Halving;
        section.firstStep = std::max<std::int64_t>(1, integerAt(*prune, "first_step", 1));
        section.factor = numberAt(*prune, "factor").value_or(section.factor);
        if (const std::int64_t least = integerAt(*prune, "min_trials", 0); least >= 2)
            section.minTrials = static_cast<int>(std::min<std::int64_t>(least, 10'000));
        m_imported.note("prune.first_step", "A step of the objective. Ray Tune counts reports or seconds (time_attr).");
        spec.prune = section;
    }

    void readLimits()
    {
        sweep::SweepSpec &spec = m_imported.spec;
        spec.devices.concurrent =
            static_cast<int>(std::clamp<std::int64_t>(integerAt(m_settings, "concurrent", 1), 1, 10'000));
        if (const std::int64_t seconds = integerAt(m_settings, "seconds", 0); seconds > 0)
            spec.budget = sweep::BudgetSection{std::chrono::seconds(seconds), {}};
        const std::int64_t trials = integerAt(m_settings, "trials", 0);
        if (spec.method == SearchMethod::Grid) {
            if (!m_isOptuna && trials > 1 && trials <= 100)
                spec.repeats = static_cast<int>(trials);
        } else if (trials > 0) {
            const std::int64_t grid = m_isOptuna ? 1 : std::max<std::int64_t>(1, integerAt(m_settings, "grid", 1));
            setTrials(m_imported, static_cast<std::uint64_t>(trials)
                                      * static_cast<std::uint64_t>(std::min<std::int64_t>(grid, 1'000'000)));
        } else if (!spec.budget) {
            m_imported.note("search.trials", "The original has no literal number of trials: correct this one.");
            setTrials(m_imported, 100);
        }
    }

    const Json &m_json;
    const Json m_settings;
    bool m_isOptuna;
    ImportedSweep m_imported;
    ParameterNames m_names;
};

}  // namespace

ImportedSweep importPrintedSpace(std::string_view untrustedJson, const std::string &program)
{
    const Json json = Json::parse(untrustedJson, nullptr, false);
    if (!json.is_object()) {
        ImportedSweep imported;
        imported.problems.push_back({{}, "could not be read: sweepscope.searchspace printed no JSON"});
        return imported;
    }
    if (stringAt(json, "source") != "wandb" || !listAt(json, "problems").empty())
        return PrintedSpace(json, program).read();
    const std::filesystem::path script(program);
    ImportedSweep imported = importYaml(stringAt(json, "wandb"), script.stem().string());
    for (sweep::Problem &problem : imported.problems)
        problem.line = problem.column = 0;  // of the printed configuration
    addNotes(json, imported);
    return imported;
}

Expected<ImportedSweep> importPython(const std::filesystem::path &script, const std::filesystem::path &pythonPath)
{
    const char *const inherited = std::getenv("PYTHONPATH");
    const std::string path =
        pythonPath.string() + (inherited != nullptr ? ":" + std::string(inherited) : std::string());
    Expected<LineProgram> program = LineProgram::start({{"python3", "-m", "sweepscope.searchspace", script.string()},
                                                        std::filesystem::current_path(),
                                                        {{"PYTHONPATH", path}}});
    if (!program)
        return tl::unexpected(program.error());
    const std::atomic<bool> isCancelled{false};
    const Expected<std::string> line = program->read(std::chrono::seconds(30), isCancelled);
    if (!line)
        return tl::unexpected(line.error());
    return importPrintedSpace(*line, script.string());
}

}  // namespace sweepscope::importing
