#include "importing/hydrasweep.h"

#include "importing/hydraoverride.h"
#include "importing/optunasampler.h"
#include "importing/parameternames.h"
#include "importing/wandbspace.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace sweepscope::importing {

namespace {

using sweep::SearchMethod;

/// What Optuna's sweeper runs by default.
constexpr std::uint64_t trialsOfOptunaSweeper = 20;

const YamlValue *findIn(const YamlValue &yaml, std::initializer_list<const char *> path)
{
    const YamlValue *value = &yaml;
    for (const char *key : path) {
        value = value->isMap() ? value->find(key) : nullptr;
        if (value == nullptr)
            return nullptr;
    }
    return value;
}

std::string textIn(const YamlValue &yaml, std::initializer_list<const char *> path)
{
    const YamlValue *value = findIn(yaml, path);
    // An interpolation is known to Hydra only.
    std::string text = value != nullptr ? value->text() : std::string();
    return text.find("${") == std::string::npos ? text : std::string();
}

/// A list or map as an override has it, else the text.
std::string overrideText(const YamlValue &value)
{
    if (value.kind == YamlValue::Kind::Null)
        return "null";
    if (value.isScalar())
        return value.text();
    std::string text;
    for (std::size_t i = 0; i < value.items.size(); ++i)
        text += (text.empty() ? "" : ",") + (value.isMap() ? value.names[i] + ":" : std::string())
                + overrideText(value.items[i]);
    return value.isMap() ? "{" + text + "}" : "[" + text + "]";
}

struct HydraOverride {
    std::string key;
    std::string value;
    const YamlValue *at;
};

class HydraReader {
public:
    HydraReader(const YamlValue &yaml, const std::string &name) : m_yaml(yaml)
    {
        for (const std::string &candidate :
             {textIn(yaml, {"hydra", "sweeper", "study_name"}), textIn(yaml, {"hydra", "job", "name"}), name}) {
            if (m_imported.spec.name.empty())
                m_imported.spec.name = candidate;
        }
        m_imported.spec.name = sweepNameOf(m_imported.spec.name);
    }

    ImportedSweep read()
    {
        m_imported.spec.run.worker = sweep::WorkerKind::Command;
        if (!readSweeper())
            return std::move(m_imported);
        readProgram();
        for (const HydraOverride &override : overrides())
            readOverride(override);
        if (m_imported.spec.space.empty() && m_imported.problems.empty())
            refuse(*m_yaml.find("hydra"), "hydra.sweeper.params",
                   "sweeps over nothing: add parameters with several values");
        if (findIn(m_yaml, {"hydra", "mode"}) != nullptr)
            m_imported.spec.run.command.emplace_back("hydra.mode=RUN");
        if (m_sweeper == HydraSweeper::Optuna)
            readOptuna();
        else
            readBasic();
        return std::move(m_imported);
    }

private:
    void refuse(const YamlValue &at, const std::string &field, std::string message)
    {
        m_imported.problems.push_back({field, std::move(message), at.line, at.column});
    }

    /// The name in `defaults`, such as `override hydra/sweeper: optuna`; empty if there is none.
    std::string chosenIn(std::string_view group) const
    {
        const YamlValue *defaults = m_yaml.find("defaults");
        for (std::size_t i = 0; defaults != nullptr && i < defaults->items.size(); ++i) {
            const YamlValue &entry = defaults->items[i];
            for (std::size_t j = 0; entry.isMap() && j < entry.names.size(); ++j) {
                if (entry.names[j] == "override " + std::string(group)
                    || entry.names[j] == "override /" + std::string(group))
                    return entry.items[j].text();
            }
        }
        return {};
    }

    bool readSweeper()
    {
        const std::string target = textIn(m_yaml, {"hydra", "sweeper", "_target_"});
        const std::string group = chosenIn("hydra/sweeper");
        const bool isOptuna = target.find("optuna") != std::string::npos || group == "optuna";
        const bool isBasic =
            target.empty() ? group.empty() || group == "basic" : target.find("BasicSweeper") != std::string::npos;
        m_sweeper = isOptuna ? HydraSweeper::Optuna : HydraSweeper::Basic;
        if (isOptuna || isBasic)
            return true;
        refuse(*m_yaml.find("hydra"), "hydra.sweeper",
               "the sweeper " + (target.empty() ? group : target)
                   + " has no equivalent: the basic sweeper and that of Optuna have");
        return false;
    }

    void readProgram()
    {
        std::vector<std::string> &command = m_imported.spec.run.command;
        const std::string job = textIn(m_yaml, {"hydra", "job", "name"});
        command = {"python3", job.empty() ? "main.py" : withEscapedBraces(job) + ".py"};
        if (job.empty())
            m_imported.note("run.command", "The original names no program: correct main.py.");
        if (const std::string config = textIn(m_yaml, {"hydra", "job", "config_name"}); !config.empty())
            command.push_back("--config-name=" + withEscapedBraces(config));
        if (const std::string folder = textIn(m_yaml, {"hydra", "runtime", "cwd"}); !folder.empty())
            m_imported.spec.run.workingFolder = withEscapedBraces(folder);
    }

    /// Those of the command line replace those of the configuration.
    std::vector<HydraOverride> overrides()
    {
        std::vector<HydraOverride> all;
        const auto add = [&all](HydraOverride override) {
            std::erase_if(all, [&override](const HydraOverride &other) { return other.key == override.key; });
            all.push_back(std::move(override));
        };
        if (const YamlValue *params = findIn(m_yaml, {"hydra", "sweeper", "params"}); params != nullptr) {
            for (std::size_t i = 0; i < params->names.size(); ++i)
                add({params->names[i], overrideText(params->items[i]), &params->items[i]});
        }
        if (findIn(m_yaml, {"hydra", "sweeper", "search_space"}) != nullptr
            || findIn(m_yaml, {"hydra", "sweeper", "custom_search_space"}) != nullptr)
            m_imported.note({}, "search_space and custom_search_space were left out: only params are imported.");
        const YamlValue *task = findIn(m_yaml, {"hydra", "overrides", "task"});
        for (std::size_t i = 0; task != nullptr && i < task->items.size(); ++i) {
            const std::string text = task->items[i].text();
            const std::size_t equals = text.find('=');
            if (equals == std::string::npos)
                m_imported.spec.run.command.push_back(withEscapedBraces(text));  // ~key
            else
                add({text.substr(0, equals), text.substr(equals + 1), &task->items[i]});
        }
        return all;
    }

    void readOverride(const HydraOverride &override)
    {
        const std::string field = "hydra.sweeper.params." + override.key;
        const Expected<OverrideValue> value = parseOverride(override.value);
        if (!value) {
            refuse(*override.at, field, value.error().message);
            return;
        }
        std::vector<std::string> &command = m_imported.spec.run.command;
        if (value->function.empty()) {
            command.push_back(withEscapedBraces(override.key + "=" + override.value));
            return;
        }
        Expected<OverrideRange> range = rangeOf(*value, m_sweeper);
        if (!range) {
            refuse(*override.at, field, range.error().message);
            return;
        }
        // + and ++ add a key that the configuration lacks.
        const std::string key = override.key.substr(std::min(override.key.find_first_not_of('+'), override.key.size()));
        range->dimension.name = m_names.nameFor(key);
        const std::string name = "space." + range->dimension.name;
        if (!range->note.empty())
            m_imported.note(name, range->note);
        command.push_back(withEscapedBraces(override.key) + "={" + range->dimension.name + "}");
        m_imported.spec.space.push_back(std::move(range->dimension));
    }

    void readBasic()
    {
        m_imported.spec.method = SearchMethod::Grid;
        m_imported.spec.objective = "loss";
        m_imported.note("sweep.objective", "Hydra has no objective: name the metric that the program reports.");
    }

    void readOptuna()
    {
        sweep::SweepSpec &spec = m_imported.spec;
        readSampler();
        readDirections();
        if (const YamlValue *jobs = findIn(m_yaml, {"hydra", "sweeper", "n_jobs"}); jobs != nullptr && jobs->integer())
            spec.devices.concurrent = static_cast<int>(std::clamp<std::int64_t>(*jobs->integer(), 1, 10'000));
        if (spec.method == SearchMethod::Grid)
            return;
        const YamlValue *trials = findIn(m_yaml, {"hydra", "sweeper", "n_trials"});
        const std::optional<std::int64_t> count = trials != nullptr ? trials->integer() : std::nullopt;
        if (!count)
            m_imported.note("search.trials", "The original has no number of trials: the default of its sweeper.");
        setTrials(m_imported, count && *count > 0 ? static_cast<std::uint64_t>(*count) : trialsOfOptunaSweeper);
    }

    void readDirections()
    {
        sweep::SweepSpec &spec = m_imported.spec;
        const auto goalOf = [](const YamlValue &value) {
            return value.text() == "maximize" ? sweep::Goal::Maximize : sweep::Goal::Minimize;
        };
        spec.objective = "objective";
        m_imported.note("sweep.objective", "The original optimizes what the program's function returns. Let it report "
                                           "that value under this name.");
        const YamlValue *direction = findIn(m_yaml, {"hydra", "sweeper", "direction"});
        if (direction == nullptr)
            return;
        if (!direction->isList()) {
            spec.goal = goalOf(*direction);
            return;
        }
        for (std::size_t i = 0; i < direction->items.size(); ++i) {
            if (i == 0)
                spec.goal = goalOf(direction->items[i]);
            else
                spec.objectives.push_back({"objective_" + std::to_string(i + 1), goalOf(direction->items[i])});
        }
    }

    void readSampler()
    {
        const std::string target = textIn(m_yaml, {"hydra", "sweeper", "sampler", "_target_"});
        const std::string group = chosenIn("hydra/sweeper/sampler");
        std::string name = target.substr(target.rfind('.') + 1);
        if (name.empty() && !group.empty())
            name = group;
        useSampler(m_imported, name);
        const YamlValue *sampler = findIn(m_yaml, {"hydra", "sweeper", "sampler"});
        for (std::size_t i = 0; sampler != nullptr && i < sampler->names.size(); ++i) {
            const std::string &key = sampler->names[i];
            const std::optional<std::int64_t> seed = key == "seed" ? sampler->items[i].integer() : std::nullopt;
            if (seed && *seed >= 0)
                m_imported.spec.seed = static_cast<std::uint64_t>(*seed);
            else if (key != "_target_" && sampler->items[i].kind != YamlValue::Kind::Null)
                m_imported.note("search.method", "The sampler's " + key + " was left out.");
        }
    }

    const YamlValue &m_yaml;
    ImportedSweep m_imported;
    ParameterNames m_names;
    HydraSweeper m_sweeper = HydraSweeper::Basic;
};

}  // namespace

bool isHydraSweep(const YamlValue &yaml)
{
    return findIn(yaml, {"hydra", "sweeper"}) != nullptr || findIn(yaml, {"hydra", "overrides", "task"}) != nullptr;
}

ImportedSweep importHydraSweep(const YamlValue &yaml, const std::string &name)
{
    return HydraReader(yaml, name).read();
}

}  // namespace sweepscope::importing
