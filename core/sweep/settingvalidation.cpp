#include "sweep/settingvalidation.h"

#include "base/suggestion.h"
#include "sweep/searchspace.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::sweep {

namespace {

std::vector<std::string> settingNames()
{
    std::vector<std::string> names;
    for (const BuiltinSetting &setting : builtinSettings())
        names.push_back(setting.name);
    return names;
}

/// 100000, not 1e+05.
std::string inDigits(double value)
{
    constexpr double most = 1e15;
    if (std::fabs(value) < most && std::floor(value) == value)
        return std::to_string(static_cast<std::int64_t>(value));
    return toText(ParameterValue(value));
}

std::string bounds(const BuiltinSetting &setting)
{
    const std::string low = setting.minimum ? inDigits(*setting.minimum) : "";
    const std::string high = setting.maximum ? inDigits(*setting.maximum) : "";
    if (!low.empty() && !high.empty())
        return "from " + low + " to " + high;
    return low.empty() ? "at most " + high : "at least " + low;
}

std::string checkBounds(const BuiltinSetting &setting, double value)
{
    const bool isInside = std::isfinite(value) && (!setting.minimum || value >= *setting.minimum)
                          && (!setting.maximum || value <= *setting.maximum);
    if (isInside)
        return {};
    return setting.name + " = " + inDigits(value) + " is out of range: it can be " + bounds(setting);
}

/// Every value that a dimension can take, as far as it matters: listed ones, or both ends of a range.
std::vector<ParameterValue> extremes(const Dimension &dimension)
{
    if (dimension.kind == DimensionKind::List || dimension.kind == DimensionKind::Choice)
        return dimension.values;
    if (dimension.kind == DimensionKind::Integer && std::fabs(dimension.low) < 9e15 && std::fabs(dimension.high) < 9e15)
        return {static_cast<std::int64_t>(dimension.low), static_cast<std::int64_t>(dimension.high)};
    return {dimension.low, dimension.high};
}

bool isFloatRange(const Dimension &dimension)
{
    return dimension.kind == DimensionKind::Linear || dimension.kind == DimensionKind::Log;
}

void checkBuiltinDimension(const SweepSpec &spec, std::size_t index, std::vector<Problem> &problems)
{
    const Dimension &dimension = spec.space[index];
    const std::string field = dimensionField(spec, index);
    if (std::any_of(problems.begin(), problems.end(), [&field](const Problem &known) { return known.field == field; }))
        return;  // one thing at a time: a value of a wrong range is out of range too
    const BuiltinSetting *setting = findBuiltinSetting(dimension.name);
    if (setting == nullptr) {
        std::vector<std::string> known = settingNames();
        known.insert(known.end(), {"ranks", "seed"});
        problems.push_back({field, "the built-in worker has no setting '" + dimension.name + "'"
                                       + suggestion(dimension.name, known) + "; it has " + orList(known)});
        return;
    }
    if (spec.run.settings.contains(dimension.name))
        problems.push_back({field, "is fixed in [run] and searched in [space]: remove one of the two"});
    if (isFloatRange(dimension) && setting->type != SettingType::Float) {
        problems.push_back({field, setting->type == SettingType::Integer
                                       ? "takes whole numbers: make it an integer range or a list"
                                       : "takes no numbers: write a list of its values"});
        return;
    }
    for (const ParameterValue &value : extremes(dimension)) {
        const std::string problem = checkSettingValue(*setting, value);
        if (!problem.empty()) {
            problems.push_back({field, problem});
            return;
        }
    }
}

/// A whole number in [low, high].
bool isWholeWithin(const ParameterValue &value, std::int64_t low, std::int64_t high)
{
    const auto *whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr && *whole >= low && *whole <= high;
}

}  // namespace

std::string checkSettingValue(const BuiltinSetting &setting, const ParameterValue &value)
{
    const auto *whole = std::get_if<std::int64_t>(&value);
    const auto *real = std::get_if<double>(&value);
    const auto *text = std::get_if<std::string>(&value);
    switch (setting.type) {
    case SettingType::Integer:
        return whole != nullptr ? checkBounds(setting, static_cast<double>(*whole))
                                : setting.name + " = " + toText(value) + " is not a whole number";
    case SettingType::Float:
        if (whole != nullptr || real != nullptr)
            return checkBounds(setting, whole != nullptr ? static_cast<double>(*whole) : *real);
        return setting.name + " = " + toText(value) + " is not a number";
    case SettingType::Boolean:
        return std::holds_alternative<bool>(value) ? "" : setting.name + " must be true or false";
    case SettingType::Choice:
        if (text == nullptr
            || std::find(setting.choices.begin(), setting.choices.end(), *text) == setting.choices.end())
            return setting.name + " cannot be '" + toText(value) + "'" + suggestion(toText(value), setting.choices)
                   + ": it can be " + orList(setting.choices);
        return {};
    case SettingType::Text:
        if (text == nullptr)
            return setting.name + " must be a text in quotes";
        return text->find('\0') != std::string::npos ? setting.name + " contains a zero byte" : "";
    }
    return {};
}

void checkBuiltinSettings(const SweepSpec &spec, std::vector<Problem> &problems)
{
    for (const auto &[name, value] : spec.run.settings) {
        const BuiltinSetting *setting = findBuiltinSetting(name);
        const std::string problem = setting == nullptr
                                        ? "the built-in worker has no such setting" + suggestion(name, settingNames())
                                        : checkSettingValue(*setting, value);
        if (!problem.empty())
            problems.push_back({"run." + name, problem});
    }
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const std::string &name = spec.space[i].name;
        if (checkParameterName(name).empty() && name != "ranks" && name != "seed")
            checkBuiltinDimension(spec, i, problems);
    }
}

void checkReservedParameters(const SweepSpec &spec, std::vector<Problem> &problems)
{
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const Dimension &dimension = spec.space[i];
        const bool isRanks = dimension.name == "ranks";
        if (!isRanks && dimension.name != "seed")
            continue;
        const std::int64_t low = isRanks ? 1 : 0;
        const std::int64_t high = isRanks ? maxRanks : std::int64_t{2'147'483'647};
        const auto values = extremes(dimension);
        const bool allRight = !isFloatRange(dimension)
                              && std::all_of(values.begin(), values.end(), [low, high](const ParameterValue &value) {
                                     return isWholeWithin(value, low, high);
                                 });
        if (!allRight)
            problems.push_back({dimensionField(spec, i), "'" + dimension.name + "' must be whole numbers from "
                                                             + std::to_string(low) + " to " + std::to_string(high)});
    }
}

}  // namespace sweepscope::sweep
