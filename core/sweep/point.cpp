#include "sweep/point.h"

#include "sweep/keys.h"
#include "sweep/keytext.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

namespace sweepscope::sweep {

namespace {

template <typename Number>
std::optional<Number> toNumber(const std::string &text)
{
    Number value{};
    const char *const end = text.data() + text.size();
    const auto [stopped, code] = std::from_chars(text.data(), end, value);
    return code == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

std::optional<ParameterValue> toReal(const std::string &text)
{
    const std::optional<double> value = toNumber<double>(text);
    return value && std::isfinite(*value) ? std::optional<ParameterValue>(*value) : std::nullopt;
}

std::optional<ParameterValue> toWhole(const std::string &text)
{
    const std::optional<std::int64_t> value = toNumber<std::int64_t>(text);
    return value ? std::optional<ParameterValue>(*value) : std::nullopt;
}

template <typename Kind>
bool allAre(const std::vector<ParameterValue> &values)
{
    return std::all_of(values.begin(), values.end(),
                       [](const ParameterValue &value) { return std::holds_alternative<Kind>(value); });
}

std::optional<ParameterValue> toChoice(const Dimension &dimension, const std::string &text)
{
    if (allAre<bool>(dimension.values)) {
        if (text != "true" && text != "false")
            return std::nullopt;
        return ParameterValue(text == "true");
    }
    const auto known = std::find_if(dimension.values.begin(), dimension.values.end(),
                                    [&](const ParameterValue &value) { return toText(value) == text; });
    return known != dimension.values.end() ? *known : ParameterValue(text);
}

std::string wantedKind(const Dimension &dimension)
{
    if (dimension.kind == DimensionKind::Choice)
        return "true or false";
    const bool whole =
        isWhole(dimension.kind) || (dimension.kind == DimensionKind::List && allAre<std::int64_t>(dimension.values));
    return whole ? "an integer" : "a number";
}

const Key *settingNamed(const SweepSpec &spec, const std::string &name)
{
    return spec.run.worker == WorkerKind::Builtin ? findBuiltinSetting(name) : nullptr;
}

/// As far as the text is of the setting's type, else the text, which checkValue() refuses.
ParameterValue settingOf(const Key &setting, const std::string &text)
{
    const bool isNumber = setting.type == KeyType::Integer || setting.type == KeyType::Float;
    if (const auto whole = isNumber ? toNumber<std::int64_t>(text) : std::nullopt)
        return *whole;
    if (const auto real = isNumber ? toNumber<double>(text) : std::nullopt)
        return *real;
    if (setting.type == KeyType::Boolean && (text == "true" || text == "false"))
        return text == "true";
    return text;
}

/// "epochs must be an integer …"; empty: none.
std::string problemOf(const Key &setting, const ParameterValue &value)
{
    const KeyValue held = std::visit([](const auto &each) { return KeyValue(each); }, value);
    const std::string problem = checkValue(setting, held);
    return problem.empty() ? problem : setting.name + " " + problem;
}

}  // namespace

std::optional<ParameterValue> parseValue(const Dimension &dimension, const std::string &text)
{
    switch (dimension.kind) {
    case DimensionKind::Integer:
    case DimensionKind::LogInteger:
        return toWhole(text);
    case DimensionKind::Choice:
        return toChoice(dimension, text);
    case DimensionKind::List:
        if (allAre<std::int64_t>(dimension.values))
            return toWhole(text);
        break;
    case DimensionKind::Linear:
    case DimensionKind::Log:
    case DimensionKind::Stepped:
    case DimensionKind::Normal:
    case DimensionKind::LogNormal:
        break;
    }
    return toReal(text);
}

Expected<ParameterSet> parsePoint(const SweepSpec &spec, const std::map<std::string, std::string> &texts)
{
    ParameterSet point;
    std::size_t used = 0;
    std::string names;
    for (const Dimension &dimension : spec.space) {
        names += (names.empty() ? "" : ", ") + dimension.name;
        const auto text = texts.find(dimension.name);
        if (text == texts.end()) {
            if (dimension.when.empty())
                return makeError(ErrorCode::BadInput, "the point has no value for " + dimension.name);
            continue;
        }
        ++used;
        const std::optional<ParameterValue> value = parseValue(dimension, text->second);
        if (!value)
            return makeError(ErrorCode::BadInput,
                             dimension.name + " must be " + wantedKind(dimension) + ", not '" + text->second + "'");
        const Key *setting = settingNamed(spec, dimension.name);
        if (const std::string problem = setting != nullptr ? problemOf(*setting, *value) : ""; !problem.empty())
            return makeError(ErrorCode::BadInput, problem);
        point.emplace_back(dimension.name, *value);
    }
    if (used == texts.size())
        return point;
    for (const auto &[name, text] : texts) {
        const bool isParameter = std::any_of(spec.space.begin(), spec.space.end(),
                                             [&name = name](const Dimension &each) { return each.name == name; });
        if (isParameter)
            continue;
        const Key *setting = settingNamed(spec, name);
        if (setting == nullptr)
            return makeError(ErrorCode::BadInput, "the sweep has no parameter '" + name + "'; it has " + names);
        ParameterValue value = settingOf(*setting, text);
        if (const std::string problem = problemOf(*setting, value); !problem.empty())
            return makeError(ErrorCode::BadInput, problem);
        point.emplace_back(name, std::move(value));
    }
    return point;
}

bool isInSpace(const SweepSpec &spec, const SearchSpace &space, const ParameterSet &parameters)
{
    std::vector<double> slots = space.initialSlots();
    std::size_t used = 0;
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const ParameterValue *value = find(parameters, spec.space[i].name);
        if ((value != nullptr) != space.isActive(i, slots))
            return false;
        if (value == nullptr) {
            space.switchOff(i, slots);
            continue;
        }
        const DimensionValues &values = space.values(i);
        if (!values.contains(*value))
            return false;
        slots[i] = values.isContinuous() ? numberOf(*value).value_or(0) : space.numberAt(i, *values.indexOf(*value));
        ++used;
    }
    return used == parameters.size() && space.allowsAll(slots);
}

std::vector<std::string> switchedOffParameters(const SweepSpec &spec, const SearchSpace &space,
                                               const ParameterSet &parameters)
{
    constexpr double unknownWord = -1;  // equals no word of a condition
    std::vector<std::string> names;
    std::vector<double> slots = space.initialSlots();
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const ParameterValue *value = find(parameters, spec.space[i].name);
        const bool isActive = space.isActive(i, slots);
        if (value != nullptr && !isActive)
            names.push_back(spec.space[i].name);
        if (value == nullptr || !isActive) {
            space.switchOff(i, slots);
            continue;
        }
        const std::optional<std::uint64_t> index = space.values(i).indexOf(*value);
        slots[i] = index ? space.numberAt(i, *index) : numberOf(*value).value_or(unknownWord);
    }
    return names;
}

}  // namespace sweepscope::sweep
