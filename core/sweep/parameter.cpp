#include "sweep/parameter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sweepscope::sweep {

namespace {

struct ToText {
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const
    {
        std::array<char, 64> buffer{};
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
        return {buffer.data(), end};
    }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const std::string &value) const { return value; }
};

}  // namespace

std::string toText(const ParameterValue &value)
{
    return std::visit(ToText{}, value);
}

std::optional<double> numberOf(const ParameterValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value); real != nullptr && std::isfinite(*real))
        return *real;
    return std::nullopt;
}

ParameterValue canonical(const ParameterValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value)) {
        if (std::fabs(static_cast<double>(*whole)) <= largestExactInteger)
            return static_cast<double>(*whole);
    }
    return value;
}

ParameterSet canonical(ParameterSet parameters)
{
    for (auto &[name, value] : parameters)
        value = canonical(value);
    return parameters;
}

void unifyNumbers(std::vector<ParameterValue> &values)
{
    const auto isReal = [](const ParameterValue &value) { return std::holds_alternative<double>(value); };
    const auto isNumber = [&isReal](const ParameterValue &value) {
        return isReal(value) || std::holds_alternative<std::int64_t>(value);
    };
    if (!std::ranges::all_of(values, isNumber) || !std::ranges::any_of(values, isReal))
        return;
    for (ParameterValue &value : values) {
        if (const auto *whole = std::get_if<std::int64_t>(&value))
            value = static_cast<double>(*whole);
    }
}

const ParameterValue *find(const ParameterSet &parameters, const std::string &name)
{
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&name](const auto &parameter) { return parameter.first == name; });
    return found == parameters.end() ? nullptr : &found->second;
}

}  // namespace sweepscope::sweep
