#include "sweep/parameterrules.h"

#include "base/suggestion.h"
#include "sweep/keytext.h"
#include "sweep/searchspace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace sweepscope::sweep {

namespace {

std::vector<std::string> settingNames()
{
    std::vector<std::string> names;
    for (const Key &setting : builtinSettings())
        names.push_back(setting.name);
    return names;
}

/// Of one setting, for a message that does not name it.
std::string checkSetting(const Key &setting, const ParameterValue &value)
{
    return checkValue(setting, std::visit([](const auto &held) { return KeyValue(held); }, value));
}

/// Every value that a dimension can take, as far as it matters: listed ones, or both ends of a range.
std::vector<ParameterValue> extremes(const Dimension &dimension)
{
    if (dimension.kind == DimensionKind::List || dimension.kind == DimensionKind::Choice)
        return dimension.values;
    if (isWhole(dimension.kind) && std::fabs(dimension.low) < 9e15 && std::fabs(dimension.high) < 9e15)
        return {static_cast<std::int64_t>(dimension.low), static_cast<std::int64_t>(dimension.high)};
    return {dimension.low, dimension.high};
}

bool isFloatRange(const Dimension &dimension)
{
    return isContinuous(dimension.kind) || dimension.kind == DimensionKind::Stepped;
}

void checkBuiltinDimension(const SweepSpec &spec, std::size_t index, std::vector<Problem> &problems)
{
    const Dimension &dimension = spec.space[index];
    const std::string field = dimensionField(spec, index);
    if (std::any_of(problems.begin(), problems.end(), [&field](const Problem &known) { return known.field == field; }))
        return;  // one thing at a time: a value of a wrong range is out of range too
    const Key *setting = findBuiltinSetting(dimension.name);
    if (setting == nullptr) {
        std::vector<std::string> known = settingNames();
        known.insert(known.end(), {"ranks", "seed"});
        problems.push_back({field, "the built-in worker has no setting '" + dimension.name + "'"
                                       + suggestion(dimension.name, known) + "; it has " + orList(known)});
        return;
    }
    if (spec.run.settings.contains(dimension.name))
        problems.push_back({field, "is set in both [run] and [space]: remove one of them"});
    if (isFloatRange(dimension) && setting->type != KeyType::Float) {
        problems.push_back({field, setting->type == KeyType::Integer
                                       ? "takes integers: make it an integer range or a list"
                                       : "does not take numbers: write a list of its values"});
        return;
    }
    for (const ParameterValue &value : extremes(dimension)) {
        const std::string problem = checkSetting(*setting, value);
        if (!problem.empty()) {
            problems.push_back({field, setting->name + " " + problem});
            return;
        }
    }
}

/// An integer in [low, high].
bool isWholeWithin(const ParameterValue &value, std::int64_t low, std::int64_t high)
{
    const auto *whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr && *whole >= low && *whole <= high;
}

/// What settings ask of each other. Those that are parameters are checked by the worker, trial by trial.
void checkDataSettings(const SweepSpec &spec, std::vector<Problem> &problems)
{
    // Empty if it is a parameter.
    const auto fixed = [&spec](const std::string &name) -> std::optional<ParameterValue> {
        if (std::ranges::find(spec.space, name, &Dimension::name) != spec.space.end())
            return std::nullopt;
        const auto given = spec.run.settings.find(name);
        return given != spec.run.settings.end() ? given->second : findBuiltinSetting(name)->defaultValue;
    };
    const std::optional<ParameterValue> dataset = fixed("dataset");
    const auto *kind = dataset ? std::get_if<std::string>(&*dataset) : nullptr;
    if (kind == nullptr)
        return;
    constexpr std::array<std::string_view, 5> inFiles{"csv", "npy", "tensors", "safetensors", "text"};
    const bool isInFile = std::ranges::find(inFiles, *kind) != inFiles.end();
    const ParameterValue none = std::string();
    if (isInFile && fixed("data_file") == none)
        problems.push_back({"run.data_file", "is required by dataset = \"" + *kind + "\": the file with the data"});
    if (*kind == "npy" && fixed("target_file") == none)
        problems.push_back({"run.target_file", "is required by dataset = \"npy\": the file with the targets"});
    const ParameterValue no = false;
    if (fixed("in_memory") == no && *kind != "npy" && *kind != "safetensors")
        problems.push_back({"run.in_memory", "can be false for npy and safetensors only, and dataset is " + *kind});
    if (fixed("in_memory") == no && fixed("sampling") == ParameterValue(std::string("contiguous")))
        problems.push_back(
            {"run.in_memory", "must be true with sampling = \"contiguous\", which reads only each rank's part"});
}

std::int64_t mostRanks()
{
    return static_cast<std::int64_t>(*findKey("run.ranks")->maximum);
}

}  // namespace

void checkBuiltinSettings(const SweepSpec &spec, std::vector<Problem> &problems)
{
    for (const auto &[name, value] : spec.run.settings) {
        const Key *setting = findBuiltinSetting(name);
        const std::string problem = setting == nullptr
                                        ? "the built-in worker has no such setting" + suggestion(name, settingNames())
                                        : checkSetting(*setting, value);
        if (!problem.empty())
            problems.push_back({"run." + name, problem});
    }
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const std::string &name = spec.space[i].name;
        if (checkParameterName(name).empty() && name != "ranks" && name != "seed")
            checkBuiltinDimension(spec, i, problems);
    }
    checkDataSettings(spec, problems);
}

void checkReservedParameters(const SweepSpec &spec, std::vector<Problem> &problems)
{
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const Dimension &dimension = spec.space[i];
        const bool isRanks = dimension.name == "ranks";
        if (!isRanks && dimension.name != "seed")
            continue;
        const std::int64_t low = isRanks ? 1 : 0;
        const std::int64_t high = isRanks ? mostRanks() : std::int64_t{2'147'483'647};
        const auto values = extremes(dimension);
        const bool allRight = !isFloatRange(dimension)
                              && std::all_of(values.begin(), values.end(), [low, high](const ParameterValue &value) {
                                     return isWholeWithin(value, low, high);
                                 });
        if (!allRight)
            problems.push_back({dimensionField(spec, i), "'" + dimension.name + "' must be integers from "
                                                             + std::to_string(low) + " to " + std::to_string(high)});
    }
}

}  // namespace sweepscope::sweep
