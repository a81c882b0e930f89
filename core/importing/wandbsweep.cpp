#include "importing/wandbsweep.h"

#include "importing/wandbspace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace sweepscope::importing {

namespace {

using sweep::SearchMethod;

/// A search of W&B without run_cap continues until it is stopped.
constexpr std::uint64_t trialsWithoutLimit = 100;

class WandbReader {
public:
    WandbReader(const YamlValue &yaml, const std::string &name) : m_yaml(yaml) { m_imported.spec.name = name; }

    ImportedSweep read()
    {
        m_imported.spec.run.worker = sweep::WorkerKind::Command;
        if (!m_yaml.isMap()) {
            refuse(m_yaml, {}, "must be a map with method and parameters");
            return std::move(m_imported);
        }
        readTexts();
        readMethod();
        readMetric();
        readCommandParts();
        const YamlValue *parameters = m_yaml.find("parameters");
        WandbArguments arguments;
        if (parameters != nullptr)
            arguments = readWandbParameters(*parameters, m_passesParameters, m_imported);
        else
            refuse(m_yaml, "parameters", "is missing");
        writeCommand(arguments);
        readEarlyTermination();
        readRunCap();
        noteOtherKeys();
        return std::move(m_imported);
    }

private:
    void refuse(const YamlValue &at, const std::string &field, std::string message)
    {
        m_imported.problems.push_back({field, std::move(message), at.line, at.column});
    }

    std::string textAt(const char *key) const
    {
        const YamlValue *value = m_yaml.find(key);
        return value != nullptr ? value->text() : std::string();
    }

    void readTexts()
    {
        if (const std::string name = textAt("name"); !name.empty())
            m_imported.spec.name = name;
        m_imported.spec.name = sweepNameOf(m_imported.spec.name);
        if (const std::string description = textAt("description"); !description.empty())
            m_imported.note({}, description);
    }

    void readMethod()
    {
        const YamlValue *method = m_yaml.find("method");
        const std::string name = textAt("method");
        if (name == "grid") {
            m_imported.spec.method = SearchMethod::Grid;
        } else if (name == "random") {
            m_imported.spec.method = SearchMethod::Random;
        } else if (name == "bayes") {
            m_imported.spec.method = SearchMethod::Gp;
            m_imported.note("search.method", "W&B's bayes is a Gaussian process, too, but chooses other points.");
        } else if (name == "custom") {
            refuse(*method, "method", "a custom scheduler has no equivalent: use grid, random or bayes");
        } else {
            refuse(method != nullptr ? *method : m_yaml, "method",
                   method == nullptr ? "is missing: grid, random or bayes" : "must be grid, random or bayes");
        }
    }

    void readMetric()
    {
        sweep::SweepSpec &spec = m_imported.spec;
        const YamlValue *metric = m_yaml.find("metric");
        const YamlValue *name = metric != nullptr ? metric->find("name") : nullptr;
        if (name == nullptr || name->text().empty()) {
            spec.objective = "loss";
            m_imported.note("sweep.objective", "The original names no metric: correct this name.");
        } else {
            spec.objective = name->text();
            m_imported.note("sweep.objective", "The best value of a trial counts. W&B uses the last one, unless the "
                                               "script calls define_metric().");
        }
        if (metric == nullptr)
            return;
        if (const YamlValue *goal = metric->find("goal")) {
            if (goal->text() == "maximize")
                spec.goal = sweep::Goal::Maximize;
            else if (goal->text() != "minimize")
                refuse(*goal, "metric.goal", "must be minimize or maximize");
        }
        if (const YamlValue *target = metric->find("target")) {
            if (const std::optional<double> value = target->number())
                spec.stop = sweep::StopSection{*value, 0, {}};
            else
                refuse(*target, "metric.target", "must be a number");
        }
        for (const char *key : {"impute", "impute_while_running"}) {
            if (metric->find(key) != nullptr)
                m_imported.note("search.method",
                                "metric." + std::string(key)
                                    + " has no equivalent: failed trials count as bad, and so do running ones.");
        }
    }

    void readCommandParts()
    {
        const YamlValue *command = m_yaml.find("command");
        if (command == nullptr) {
            m_command = {"${env}", "${interpreter}", "${program}", "${args}"};
        } else if (command->isList()) {
            for (const YamlValue &part : command->items)
                m_command.push_back(part.text());
        } else {
            refuse(*command, "command", "must be a list of arguments");
        }
        m_passesParameters = std::ranges::any_of(
            m_command, [](const std::string &part) { return part.find("${args") != std::string::npos; });
    }

    void writeCommand(const WandbArguments &arguments)
    {
        const YamlValue &at = m_yaml.find("command") != nullptr ? *m_yaml.find("command") : m_yaml;
        std::vector<std::string> &command = m_imported.spec.run.command;
        for (const std::string &part : m_command) {
            if (part == "${env}")
                continue;
            if (part == "${args}" || part == "${args_no_boolean_flags}") {
                if (part != "${args}" && arguments.hasBooleans)
                    refuse(at, "command",
                           "${args_no_boolean_flags} has no equivalent for true and false: let the script "
                           "accept --flag=true, and use ${args}");
                for (const std::string &assignment : arguments.assignments)
                    command.push_back("--" + assignment);
            } else if (part == "${args_no_hyphens}") {
                command.insert(command.end(), arguments.assignments.begin(), arguments.assignments.end());
            } else if (part == "${args_json}") {
                command.push_back(arguments.json);
            } else {
                command.push_back(plainPart(part, at));
            }
        }
        m_imported.note("run.command",
                        "For curves, let the script import sweepscope.wandb as wandb in place of wandb.");
    }

    /// A part of the command without parameters.
    std::string plainPart(const std::string &part, const YamlValue &at)
    {
        if (part == "${interpreter}")
            return "python3";
        if (part == "${program}")
            return withEscapedBraces(program());
        if (part.find("${args_json_file}") != std::string::npos)
            refuse(at, "command",
                   "${args_json_file} has no equivalent: let the script read the file that the variable "
                   "SWEEPSCOPE_PARAMS_FILE names");
        else if (part.find("${envvar:") != std::string::npos)
            refuse(at, "command",
                   part
                       + " has no equivalent: a command has no environment variables. Write the value, or "
                         "let the script read the variable");
        else if (part.find("${") != std::string::npos)
            refuse(at, "command", part + " is not a macro of W&B, or must be an argument alone");
        return withEscapedBraces(part);
    }

    std::string program()
    {
        std::string name = textAt("program");
        if (name.empty()) {
            name = "train.py";
            m_imported.note("run.command", "The original names no program: correct train.py.");
        }
        return name;
    }

    std::optional<double> termNumber(const YamlValue &section, const char *key)
    {
        const YamlValue *value = section.find(key);
        if (value == nullptr || value->kind == YamlValue::Kind::Null)
            return std::nullopt;
        const std::optional<double> number = value->number();
        if (!number || *number <= 0 || *number > 1e12) {
            refuse(*value, "early_terminate." + std::string(key), "must be a number above 0");
            return std::nullopt;
        }
        return number;
    }

    void readEarlyTermination()
    {
        const YamlValue *section = m_yaml.find("early_terminate");
        if (section == nullptr || section->kind == YamlValue::Kind::Null)
            return;
        const YamlValue *type = section->find("type");
        if (type == nullptr || type->text() != "hyperband") {
            refuse(type != nullptr ? *type : *section, "early_terminate.type", "must be hyperband");
            return;
        }
        const std::size_t problemsBefore = m_imported.problems.size();
        const double factor = termNumber(*section, "eta").value_or(3);
        const std::optional<double> min = termNumber(*section, "min_iter");
        const std::optional<double> max = termNumber(*section, "max_iter");
        const std::optional<double> count = termNumber(*section, "s");
        if (m_imported.problems.size() > problemsBefore)
            return;
        if (!min && (!max || !count)) {
            refuse(*section, "early_terminate", "needs min_iter, or max_iter and s");
            return;
        }
        sweep::PruneSection prune;
        prune.method = sweep::PruneMethod::Halving;
        prune.factor = factor;
        prune.firstStep =
            static_cast<std::int64_t>(std::max(1.0, std::floor(min ? *min : *max / std::pow(factor, *count))));
        m_imported.note("prune.first_step", "A step of the objective. W&B counts the values that were logged.");
        m_imported.note("prune.method", "W&B calls this rule hyperband, and has no min_trials.");
        if (!min)
            m_imported.note("prune.first_step", "The last band of the original is at max_iter; this has further ones.");
        m_imported.spec.prune = prune;
    }

    void readRunCap()
    {
        sweep::SweepSpec &spec = m_imported.spec;
        const YamlValue *cap = m_yaml.find("run_cap");
        const std::optional<std::int64_t> count = cap != nullptr ? cap->integer() : std::nullopt;
        if (cap != nullptr && (!count || *count < 1)) {
            refuse(*cap, "run_cap", "must be an integer of at least 1");
        } else if (count && spec.method == SearchMethod::Grid) {
            m_imported.note("search.method", "The original ends after " + std::to_string(*count)
                                                 + " trials (run_cap). A grid runs all combinations.");
        } else if (count) {
            setTrials(m_imported, static_cast<std::uint64_t>(*count));
        } else if (spec.method != SearchMethod::Grid && !spec.stop) {
            m_imported.note("search.trials", "The original has no limit (run_cap): correct this number.");
            setTrials(m_imported, trialsWithoutLimit);
        }
    }

    void noteOtherKeys()
    {
        constexpr std::array<std::string_view, 9> known{"program", "method",  "metric", "parameters", "early_terminate",
                                                        "command", "run_cap", "name",   "description"};
        for (std::size_t i = 0; i < m_yaml.names.size(); ++i) {
            const std::string &key = m_yaml.names[i];
            if (key == "job" || key == "image_uri" || key == "scheduler")
                refuse(m_yaml.items[i], key, "W&B Launch has no equivalent: name the program, and remove this key");
            else if (std::ranges::find(known, key) == known.end())
                m_imported.note({}, "The key " + key + " has no equivalent and was left out.");
        }
    }

    const YamlValue &m_yaml;
    ImportedSweep m_imported;
    std::vector<std::string> m_command;
    bool m_passesParameters = false;
};

}  // namespace

bool isWandbSweep(const YamlValue &yaml)
{
    return yaml.isMap() && yaml.find("parameters") != nullptr
           && (yaml.find("method") != nullptr || yaml.find("program") != nullptr || yaml.find("metric") != nullptr);
}

ImportedSweep importWandbSweep(const YamlValue &yaml, const std::string &name)
{
    return WandbReader(yaml, name).read();
}

}  // namespace sweepscope::importing
