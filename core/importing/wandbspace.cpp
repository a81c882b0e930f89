#include "importing/wandbspace.h"

#include "importing/listedvalues.h"
#include "importing/parameternames.h"
#include "sweep/dimensionvalues.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace sweepscope::importing {

namespace {

using sweep::Dimension;
using sweep::DimensionKind;

constexpr std::array<std::string_view, 12> parameterKeys{
    "value", "values", "probabilities", "distribution", "min", "max", "q", "mu", "sigma", "a", "b", "parameters"};

/// A value as Python's str() shows it, within a container as repr() does.
std::string pythonText(const YamlValue &value, bool isWithin)
{
    std::string text;
    switch (value.kind) {
    case YamlValue::Kind::Null:
        return "None";
    case YamlValue::Kind::Scalar:
        if (const auto *flag = std::get_if<bool>(&value.scalar))
            return *flag ? "True" : "False";
        return isWithin && value.string() != nullptr ? "'" + value.text() + "'" : value.text();
    case YamlValue::Kind::List:
        for (const YamlValue &item : value.items)
            text += (text.empty() ? "" : ", ") + pythonText(item, true);
        return "[" + text + "]";
    case YamlValue::Kind::Map:
        for (std::size_t i = 0; i < value.items.size(); ++i)
            text += (text.empty() ? "'" : ", '") + value.names[i] + "': " + pythonText(value.items[i], true);
        return "{" + text + "}";
    }
    return text;
}

std::string jsonString(const std::string &text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + "\"";
}

std::string jsonText(const YamlValue &value)
{
    std::string text;
    switch (value.kind) {
    case YamlValue::Kind::Null:
        return "null";
    case YamlValue::Kind::Scalar:
        return value.string() != nullptr ? jsonString(value.text()) : value.text();
    case YamlValue::Kind::List:
        for (const YamlValue &item : value.items)
            text += (text.empty() ? "" : ", ") + jsonText(item);
        return "[" + text + "]";
    case YamlValue::Kind::Map:
        for (std::size_t i = 0; i < value.items.size(); ++i)
            text += (text.empty() ? "" : ", ") + jsonString(value.names[i]) + ": " + jsonText(value.items[i]);
        return "{" + text + "}";
    }
    return text;
}

/// What stands for one parameter in an argument, as str(), as repr(), and in JSON.
struct ArgumentText {
    std::string plain;
    std::string within;
    std::string json;
};

class WandbSpace {
public:
    WandbSpace(bool arePassed, ImportedSweep &imported) : m_arePassed(arePassed), m_imported(imported) {}

    WandbArguments read(const YamlValue &parameters)
    {
        if (!parameters.isMap()) {
            refuse(parameters, "parameters", "must be a map of parameters");
            return {};
        }
        for (std::size_t i = 0; i < parameters.items.size(); ++i) {
            const ArgumentText text = readParameter(parameters.names[i], parameters.items[i]);
            m_arguments.assignments.push_back(withEscapedBraces(parameters.names[i]) + "=" + text.plain);
            m_arguments.json += (m_arguments.json.empty() ? "" : ", ")
                                + withEscapedBraces(jsonString(parameters.names[i])) + ": " + text.json;
        }
        m_arguments.json = "{{" + m_arguments.json + "}}";
        return std::move(m_arguments);
    }

private:
    void refuse(const YamlValue &at, const std::string &field, std::string message)
    {
        m_imported.problems.push_back({field, std::move(message), at.line, at.column});
    }

    /// `path`: "optimizer.lr".
    ArgumentText readParameter(const std::string &path, const YamlValue &config)
    {
        const std::string field = "parameters." + path;
        if (!config.isMap()) {
            refuse(config, field, "must be a map with value, values, or min and max");
            return {};
        }
        for (const std::string &key : config.names) {
            if (std::ranges::find(parameterKeys, key) == parameterKeys.end())
                m_imported.note({}, "The key " + key + " of " + path + " is unknown and was left out.");
        }
        if (const YamlValue *nested = config.find("parameters"))
            return readNested(path, *nested);
        const YamlValue *value = config.find("value");
        if (value != nullptr && !value->isScalar())
            return literal(path, *value);
        Dimension dimension;
        const std::size_t notesBefore = m_notes.size();
        if (!readDistribution(field, config, dimension))
            return {};
        dimension.name = m_names.nameFor(path);
        const std::string key = "space." + dimension.name;
        if (dimension.name != path)
            m_imported.note(key, "Named " + path + " in the original" + (m_arePassed ? " and in the command, " : ", ")
                                     + dimension.name + " in wandb.config.");
        for (std::size_t i = notesBefore; i < m_notes.size(); ++i)
            m_imported.note(key, m_notes[i]);
        const auto isBool = [](const sweep::ParameterValue &held) { return std::holds_alternative<bool>(held); };
        const auto isString = [](const sweep::ParameterValue &held) {
            return std::holds_alternative<std::string>(held);
        };
        if (std::ranges::any_of(dimension.values, isBool)) {
            m_arguments.hasBooleans = true;
            if (m_arePassed)
                m_imported.note(key, "Passed as true or false, not as True or False.");
        }
        const std::string placeholder = "{" + dimension.name + "}";
        const bool isText = std::ranges::any_of(dimension.values, isString);
        m_imported.spec.space.push_back(std::move(dimension));
        return {placeholder, isText ? "'" + placeholder + "'" : placeholder,
                isText ? "\"" + placeholder + "\"" : placeholder};
    }

    ArgumentText readNested(const std::string &path, const YamlValue &nested)
    {
        if (!nested.isMap() || nested.items.empty()) {
            refuse(nested, "parameters." + path + ".parameters", "must be a map of parameters");
            return {};
        }
        std::string python;
        std::string json;
        for (std::size_t i = 0; i < nested.items.size(); ++i) {
            const ArgumentText text = readParameter(path + "." + nested.names[i], nested.items[i]);
            python += (python.empty() ? "'" : ", '") + withEscapedBraces(nested.names[i]) + "': " + text.within;
            json += (json.empty() ? "" : ", ") + withEscapedBraces(jsonString(nested.names[i])) + ": " + text.json;
        }
        return {"{{" + python + "}}", "{{" + python + "}}", "{{" + json + "}}"};
    }

    /// A constant that no parameter can hold.
    ArgumentText literal(const std::string &path, const YamlValue &value)
    {
        const std::string field = "parameters." + path + ".value";
        if (value.kind == YamlValue::Kind::Null || !m_arePassed) {
            refuse(value, field,
                   "a parameter is a number, a string, true or false"
                       + std::string(m_arePassed ? ""
                                                 : ", and the command "
                                                   "has no ${args} to pass this constant")
                       + ": set it in the script");
            return {};
        }
        m_imported.note("run.command", "The constant " + path + " is in the command only, not in wandb.config.");
        return {withEscapedBraces(pythonText(value, false)), withEscapedBraces(pythonText(value, true)),
                withEscapedBraces(jsonText(value))};
    }

    std::optional<double> numberAt(const std::string &field, const YamlValue &config, const char *key,
                                   std::optional<double> otherwise = {})
    {
        const YamlValue *value = config.find(key);
        const std::optional<double> number = value != nullptr ? value->number() : otherwise;
        if (!number)
            refuse(value != nullptr ? *value : config, field,
                   value != nullptr ? std::string(key) + " must be a number" : "has no " + std::string(key));
        return number;
    }

    static bool isInteger(const YamlValue &config, const char *key)
    {
        const YamlValue *value = config.find(key);
        return value != nullptr && value->integer();
    }

    /// What W&B assumes where there is no `distribution`. Empty: nothing.
    static std::string impliedDistribution(const YamlValue &config)
    {
        if (config.find("value") != nullptr)
            return "constant";
        if (config.find("values") != nullptr)
            return "categorical";
        if (config.find("min") == nullptr || config.find("max") == nullptr)
            return {};
        return isInteger(config, "min") && isInteger(config, "max") ? "int_uniform" : "uniform";
    }

    /// False: refused. Notes are in m_notes.
    bool readDistribution(const std::string &field, const YamlValue &config, Dimension &dimension)
    {
        std::string distribution = impliedDistribution(config);
        const YamlValue *given = config.find("distribution");
        if (given != nullptr)
            distribution = given->text();
        const YamlValue &at = given != nullptr ? *given : config;
        if (distribution.empty()) {
            refuse(at, field, "needs value, values, or min and max");
            return false;
        }
        if (distribution == "constant" || distribution.starts_with("categorical"))
            return readListed(field, config, dimension);
        if (distribution == "uniform")
            return readRange(field, config, DimensionKind::Linear, dimension);
        if (distribution == "log_uniform_values" || distribution == "inv_log_uniform_values")
            return readRange(field, config, DimensionKind::Log, dimension);
        if (distribution == "int_uniform")
            return readRange(field, config, DimensionKind::Integer, dimension);
        if (distribution == "log_uniform" || distribution == "inv_log_uniform")
            return readExponents(field, config, distribution.starts_with("inv_"), dimension);
        if (distribution == "q_uniform")
            return readSteps(field, config, dimension);
        if (distribution == "q_log_uniform" || distribution == "q_log_uniform_values")
            return readLogSteps(field, config, at, distribution == "q_log_uniform", dimension);
        if (distribution == "normal" || distribution == "log_normal")
            return readNormal(field, config, distribution == "normal", dimension);
        if (distribution == "q_normal" || distribution == "q_log_normal")
            refuse(at, field,
                   "a rounded normal distribution has no equivalent: use " + distribution.substr(2)
                       + ", or q_uniform between mu - 2 sigma and mu + 2 sigma");
        else if (distribution == "beta" || distribution == "q_beta")
            refuse(at, field, "a beta distribution has no equivalent: use uniform from 0 to 1");
        else
            refuse(at, field, "the distribution " + distribution + " is unknown");
        return false;
    }

    bool readListed(const std::string &field, const YamlValue &config, Dimension &dimension)
    {
        const YamlValue *value = config.find("value");
        const YamlValue *values = config.find("values");
        if (value == nullptr && (values == nullptr || !values->isList() || values->items.empty())) {
            refuse(config, field, "values must be a list with at least one value");
            return false;
        }
        std::vector<sweep::ParameterValue> read;
        bool hasContainers = false;
        for (const YamlValue &item : value != nullptr ? std::vector{*value} : values->items) {
            const bool isContainer = item.isList() || item.isMap();
            if (item.kind == YamlValue::Kind::Null || (isContainer && !m_arePassed)) {
                refuse(item, field,
                       (isContainer ? pythonText(item, true) : "null")
                           + " cannot be a value: a parameter is a number, a "
                             "string, true or false");
                return false;
            }
            hasContainers = hasContainers || isContainer;
            if (isContainer)
                read.emplace_back(pythonText(item, false));
            else
                read.push_back(item.scalar);
        }
        if (hasContainers)
            m_notes.emplace_back("Strings that contain lists or maps, passed as W&B passes them. They are strings in "
                                 "wandb.config, too.");
        ListedValues listed = listedValues(read);
        dimension.kind = listed.kind;
        dimension.values = std::move(listed.values);
        if (!listed.note.empty())
            m_notes.push_back(std::move(listed.note));
        noteProbabilities(config);
        return true;
    }

    void noteProbabilities(const YamlValue &config)
    {
        const YamlValue *probabilities = config.find("probabilities");
        if (probabilities == nullptr || !probabilities->isList())
            return;
        const auto differs = [&](const YamlValue &item) { return item.number() != probabilities->items[0].number(); };
        if (std::ranges::any_of(probabilities->items, differs))
            m_notes.push_back("All values are equally likely. In the original, their probabilities are "
                              + pythonText(*probabilities, false) + ".");
    }

    bool readRange(const std::string &field, const YamlValue &config, DimensionKind kind, Dimension &dimension)
    {
        const std::optional<double> low = numberAt(field, config, "min");
        const std::optional<double> high = numberAt(field, config, "max");
        if (!low || !high)
            return false;
        return setRange(field, config, kind, *low, *high, dimension);
    }

    bool setRange(const std::string &field, const YamlValue &config, DimensionKind kind, double low, double high,
                  Dimension &dimension)
    {
        if (low > high) {
            refuse(config, field, "min is above max");
            return false;
        }
        if ((kind == DimensionKind::Log || kind == DimensionKind::LogInteger) && low <= 0) {
            refuse(config, field, "min must be above 0 on a logarithmic scale");
            return false;
        }
        if (sweep::isWhole(kind) && std::max(std::fabs(low), std::fabs(high)) > sweep::largestExactInteger) {
            refuse(config, field, "integers beyond 2^53 have no equivalent: list the values");
            return false;
        }
        if (low == high) {
            const bool isWhole = sweep::isWhole(kind);
            dimension.kind = DimensionKind::List;
            dimension.values = {isWhole ? sweep::ParameterValue(static_cast<std::int64_t>(low))
                                        : sweep::ParameterValue(low)};
            return true;
        }
        if (m_imported.spec.method == sweep::SearchMethod::Grid && sweep::isContinuous(kind)) {
            refuse(config, field,
                   "a grid cannot contain a continuous range: list its values, use q_uniform, or use "
                   "method: random");
            return false;
        }
        dimension.kind = kind;
        dimension.low = low;
        dimension.high = high;
        return true;
    }

    bool readExponents(const std::string &field, const YamlValue &config, bool isInverse, Dimension &dimension)
    {
        const std::optional<double> low = numberAt(field, config, "min");
        const std::optional<double> high = numberAt(field, config, "max");
        if (!low || !high)
            return false;
        const double from = roundedToDigits(std::exp(isInverse ? -*high : *low));
        const double to = roundedToDigits(std::exp(isInverse ? -*low : *high));
        if (!(from > 0) || !std::isfinite(to)) {
            refuse(config, field,
                   "min and max are exponents of e here, and these are out of range: use "
                   "log_uniform_values if they are meant as values");
            return false;
        }
        m_notes.push_back("In the original, min and max are exponents of e: " + config.find("min")->text() + " and "
                          + config.find("max")->text() + ".");
        return setRange(field, config, DimensionKind::Log, from, to, dimension);
    }

    bool readSteps(const std::string &field, const YamlValue &config, Dimension &dimension)
    {
        const std::optional<double> low = numberAt(field, config, "min");
        const std::optional<double> high = numberAt(field, config, "max");
        const std::optional<double> step = numberAt(field, config, "q", 1.0);
        if (!low || !high || !step)
            return false;
        if (!(*step > 0) || *step > sweep::largestExactInteger) {
            refuse(*config.find("q"), field, "q must be above 0, and at most 2^53");
            return false;
        }
        // As numpy.round(): half to even.
        const double from = roundedToDigits(std::nearbyint(*low / *step) * *step);
        const double to = roundedToDigits(std::nearbyint(*high / *step) * *step);
        if (from != *low || to != *high)
            m_notes.push_back("min and max are rounded to multiples of q, as W&B rounds its values.");
        m_notes.emplace_back("All values are equally likely. W&B draws the first and the last half as often.");
        const bool isWhole = isInteger(config, "q") || config.find("q") == nullptr;
        if (!setRange(field, config, isWhole ? DimensionKind::Integer : DimensionKind::Stepped, from, to, dimension))
            return false;
        if (isWhole)
            dimension.step = static_cast<std::int64_t>(*step);
        else
            dimension.spacing = *step;
        return true;
    }

    bool readLogSteps(const std::string &field, const YamlValue &config, const YamlValue &at, bool areExponents,
                      Dimension &dimension)
    {
        const std::optional<double> low = numberAt(field, config, "min");
        const std::optional<double> high = numberAt(field, config, "max");
        const std::optional<double> step = numberAt(field, config, "q", 1.0);
        if (!low || !high || !step)
            return false;
        const double from = std::nearbyint(areExponents ? std::exp(*low) : *low);
        const double to = std::nearbyint(areExponents ? std::exp(*high) : *high);
        if (*step != 1 || from < 1 || to > sweep::largestExactInteger) {
            refuse(at, field,
                   "a rounded logarithmic range has an equivalent only with q: 1 and values from 1: list the "
                   "values, or use log_uniform_values");
            return false;
        }
        m_notes.push_back("Integers. W&B draws the first and the last less often"
                          + std::string(areExponents
                                            ? ", and its min and max are exponents of e: " + config.find("min")->text()
                                                  + " and " + config.find("max")->text()
                                            : std::string())
                          + ".");
        return setRange(field, config, DimensionKind::LogInteger, from, to, dimension);
    }

    bool readNormal(const std::string &field, const YamlValue &config, bool isPlain, Dimension &dimension)
    {
        const std::optional<double> mean = numberAt(field, config, "mu", 0.0);
        const std::optional<double> deviation = numberAt(field, config, "sigma", 1.0);
        if (!mean || !deviation)
            return false;
        if (m_imported.spec.method == sweep::SearchMethod::Grid) {
            refuse(config, field,
                   "a grid cannot contain a normal distribution: list its values, or use method: random");
            return false;
        }
        dimension.kind = isPlain ? DimensionKind::Normal : DimensionKind::LogNormal;
        sweep::setNormal(dimension, *mean, *deviation);
        m_notes.emplace_back("Cut off four standard deviations from the mean.");
        return true;
    }

    bool m_arePassed;
    ImportedSweep &m_imported;
    ParameterNames m_names;
    WandbArguments m_arguments;
    std::vector<std::string> m_notes;
};

}  // namespace

WandbArguments readWandbParameters(const YamlValue &parameters, bool arePassed, ImportedSweep &imported)
{
    return WandbSpace(arePassed, imported).read(parameters);
}

std::string withEscapedBraces(const std::string &text)
{
    std::string escaped;
    for (const char c : text) {
        escaped += c;
        if (c == '{' || c == '}')
            escaped += c;
    }
    return escaped;
}

}  // namespace sweepscope::importing
