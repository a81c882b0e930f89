#include "sweep/parameterrules.h"

#include "base/suggestion.h"
#include "sweep/keytext.h"
#include "sweep/searchspace.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

/// The settings of all trials: those that are not parameters.
class FixedSettings {
public:
    explicit FixedSettings(const SweepSpec &spec) : m_spec(spec) {}

    /// Nullopt if it is a parameter, or has another type, which is reported elsewhere.
    template <typename Value>
    std::optional<Value> get(const std::string &name) const
    {
        if (std::ranges::find(m_spec.space, name, &Dimension::name) != m_spec.space.end())
            return std::nullopt;
        const auto given = m_spec.run.settings.find(name);
        const ParameterValue value =
            given != m_spec.run.settings.end() ? given->second : findBuiltinSetting(name)->defaultValue;
        const auto *held = std::get_if<Value>(&value);
        return held != nullptr ? std::optional(*held) : std::nullopt;
    }
    std::string text(const std::string &name) const { return get<std::string>(name).value_or(""); }
    bool isEmpty(const std::string &name) const { return get<std::string>(name) == ""; }
    bool isOff(const std::string &name) const { return get<bool>(name) == false; }

private:
    const SweepSpec &m_spec;
};

bool isAnyOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

/// What the data set asks of other settings. The worker checks parameters, trial by trial.
void checkDataSettings(const FixedSettings &fixed, std::vector<Problem> &problems)
{
    const std::string dataset = fixed.text("dataset");
    if (dataset.empty())
        return;
    if (isAnyOf(dataset, {"csv", "npy", "tensors", "safetensors", "text"}) && fixed.isEmpty("data_file"))
        problems.push_back({"run.data_file", "is required by dataset = \"" + dataset + "\": the file with the data"});
    if (dataset == "npy" && fixed.isEmpty("target_file"))
        problems.push_back({"run.target_file", "is required by dataset = \"npy\": the file with the targets"});
    if (fixed.isOff("in_memory") && !isAnyOf(dataset, {"npy", "safetensors"}))
        problems.push_back({"run.in_memory", "can be false for npy and safetensors only, and dataset is " + dataset});
    if (fixed.isOff("in_memory") && fixed.text("sampling") == "contiguous")
        problems.push_back(
            {"run.in_memory", "must be true with sampling = \"contiguous\", which reads only each rank's part"});
    const auto validation = fixed.get<double>("validation_fraction");
    const auto test = fixed.get<double>("test_fraction");
    const bool hasOwnTest = isAnyOf(dataset, {"mnist", "fashion_mnist", "cifar10"});
    if (validation && test && *validation + *test >= 1 && !hasOwnTest)
        problems.push_back({"run.test_fraction",
                            "and validation_fraction must be below 1 together, so that something is left to train on"});
}

/// What the model asks of other settings, likewise.
void checkModelSettings(const FixedSettings &fixed, std::vector<Problem> &problems)
{
    const std::string dataset = fixed.text("dataset");
    const std::string model = fixed.text("model");
    if (model == "torchscript" && fixed.isEmpty("model_file"))
        problems.push_back({"run.model_file", "is required by model = \"torchscript\": a file of torch.jit.save"});
    if (model.empty() || dataset.empty() || model == "torchscript")
        return;
    if (model == "transformer" && dataset != "text")
        problems.push_back({"run.model", "transformer needs dataset = \"text\", and dataset is " + dataset});
    else if (model != "transformer" && dataset == "text")
        problems.push_back({"run.model", model + " cannot be used with dataset = \"text\": use transformer"});
    if (isAnyOf(model, {"cnn", "resnet"}) && dataset == "csv")
        problems.push_back({"run.model", model + " needs images, and dataset = \"csv\" has none: use mlp or linear"});
    const auto hidden = fixed.get<std::int64_t>("hidden");
    const auto heads = fixed.get<std::int64_t>("heads");
    if (model == "transformer" && hidden && heads && *heads > 0 && *hidden % *heads != 0)
        problems.push_back(
            {"run.heads", std::to_string(*heads) + " does not divide hidden = " + std::to_string(*hidden)});
}

/// Whether training on this data reports the metric, as far as the name of the data set tells.
bool mayReport(const std::string &dataset, const std::string &metric)
{
    const bool isImages = isAnyOf(dataset, {"digits", "mnist", "fashion_mnist", "cifar10"});
    if (isImages && isAnyOf(metric, {"val_mae", "val_r2", "val_auc", "tokens_per_second"}))
        return false;
    return dataset != "text" || !isAnyOf(metric, {"val_mae", "val_r2", "val_auc", "val_f1"});
}

void checkScores(const SweepSpec &spec, const FixedSettings &fixed, std::vector<Problem> &problems)
{
    const std::string dataset = fixed.text("dataset");
    for (const auto &[field, metric] :
         {std::pair("sweep.objective", spec.objective), std::pair("run.best_by", fixed.text("best_by"))}) {
        if (!mayReport(dataset, metric))
            problems.push_back({field, metric + " is not reported for dataset = \"" + dataset + "\""});
    }
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
    const FixedSettings fixed(spec);
    checkDataSettings(fixed, problems);
    checkModelSettings(fixed, problems);
    checkScores(spec, fixed, problems);
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
